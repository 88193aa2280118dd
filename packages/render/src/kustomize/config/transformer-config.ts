import { readYaml } from '../../go-yaml/read-yaml.ts';
import { type Decoded, decode, list, struct } from './decode.ts';
import { defaultConfig as defaults } from './default-config.ts';
import { type FieldSpec, mergeReferences, mergeSpecs, type NameBackReference } from './field-spec.ts';
import { compareGvk } from './kind-order.ts';

/** The fields that each transformer changes. */
export interface TransformerConfig {
  readonly namePrefix: readonly FieldSpec[];
  readonly nameSuffix: readonly FieldSpec[];
  readonly namespace: readonly FieldSpec[];
  readonly commonLabels: readonly FieldSpec[];
  readonly labels: readonly FieldSpec[];
  readonly templateLabels: readonly FieldSpec[];
  readonly commonAnnotations: readonly FieldSpec[];
  readonly nameReference: readonly NameBackReference[];
  readonly varReference: readonly FieldSpec[];
  readonly images: readonly FieldSpec[];
  readonly replicas: readonly FieldSpec[];
}

const specLists = [
  'namePrefix',
  'nameSuffix',
  'namespace',
  'commonLabels',
  'labels',
  'templateLabels',
  'commonAnnotations',
  'varReference',
  'images',
  'replicas',
] as const;

export const emptyConfig: TransformerConfig = {
  namePrefix: [],
  nameSuffix: [],
  namespace: [],
  commonLabels: [],
  labels: [],
  templateLabels: [],
  commonAnnotations: [],
  nameReference: [],
  varReference: [],
  images: [],
  replicas: [],
};

let cached: TransformerConfig | undefined;

/** The field specs of both, ordered by kind. */
export function mergeConfigs(config: TransformerConfig, other: Partial<TransformerConfig>): TransformerConfig {
  // Fast path: most kustomizations have no configuration.
  if (other === config || other === emptyConfig) return config;
  if (config === emptyConfig && other === cached) return cached;
  const merged = { ...config };
  for (const name of specLists) merged[name] = mergeSpecs(config[name], other[name]).sort(compareGvk);
  merged.nameReference = mergeReferences(config.nameReference, other.nameReference).sort(compareGvk);
  return merged;
}

const gvkFields = { group: 'string', version: 'string', kind: 'string' } as const;
export const fieldSpecType = struct('FieldSpec', {
  ...gvkFields,
  path: 'string',
  create: 'bool',
});
const specsType = list(fieldSpecType);
const configType = struct('TransformerConfig', {
  namePrefix: specsType,
  nameSuffix: specsType,
  namespace: specsType,
  commonLabels: specsType,
  labels: specsType,
  templateLabels: specsType,
  commonAnnotations: specsType,
  varReference: specsType,
  images: specsType,
  replicas: specsType,
  nameReference: list(struct('NameBackReferences', { ...gvkFields, fieldSpecs: specsType })),
});

/** Field specs as decoded; a missing path is empty. */
export const fieldSpecsOf = (decoded: Decoded<typeof specsType> = []): readonly FieldSpec[] =>
  decoded.map((spec) => ({ path: '', ...spec }));

/** A file that `configurations` names. */
export function readConfig(text: string): TransformerConfig {
  const decoded = decode(readYaml(text, { uniqueKeys: true }), configType, { unknown: 'refuse', coerce: true }) ?? {};
  const config = { ...emptyConfig };
  for (const name of specLists) config[name] = fieldSpecsOf(decoded[name]);
  config.nameReference = (decoded.nameReference ?? []).map((reference) => ({
    ...reference,
    fieldSpecs: fieldSpecsOf(reference.fieldSpecs),
  }));
  return config;
}

export function defaultConfig(): TransformerConfig {
  cached ??= mergeConfigs(emptyConfig, defaults);
  return cached;
}
