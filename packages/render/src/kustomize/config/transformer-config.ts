import { readYaml } from '../../go-yaml/read-yaml.ts';
import { decode, list, type Struct, struct } from './decode.ts';
import { defaultConfig as defaults } from './default-config.ts';
import { type FieldSpec, mergeReferences, mergeSpecs, type NameBackReference } from './field-spec.ts';
import { compareGvk } from './kind-order.ts';

/** Where each transformer works. */
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

/** The second's places beside the first's, all in the order of their kinds. */
export function mergeConfigs(config: TransformerConfig, other: Partial<TransformerConfig>): TransformerConfig {
  // Most kustomizations bring nothing of their own: the default meets itself.
  if (other === config || other === emptyConfig) return config;
  if (config === emptyConfig && other === cached) return cached;
  const merged = { ...config };
  for (const name of specLists) merged[name] = mergeSpecs(config[name], other[name]).sort(compareGvk);
  merged.nameReference = mergeReferences(config.nameReference, other.nameReference).sort(compareGvk);
  return merged;
}

const gvkFields = { group: 'string', version: 'string', kind: 'string' } as const;
export const fieldSpecType: Struct = struct('FieldSpec', {
  ...gvkFields,
  path: 'string',
  create: 'bool',
});
const configType = struct('TransformerConfig', {
  ...Object.fromEntries(specLists.map((name) => [name, list(fieldSpecType)])),
  nameReference: list(struct('NameBackReferences', { ...gvkFields, fieldSpecs: list(fieldSpecType) })),
});

/** A file that `configurations` names. */
export const readConfig = (text: string): Partial<TransformerConfig> =>
  (decode(readYaml(text, { uniqueKeys: true }), configType, { unknown: 'refuse', coerce: true }) ??
    {}) as Partial<TransformerConfig>;

export function defaultConfig(): TransformerConfig {
  cached ??= mergeConfigs(emptyConfig, defaults);
  return cached;
}
