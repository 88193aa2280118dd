import { readYaml } from '../../go-yaml/read-yaml.ts';
import { messageOf } from '../../util/errors.ts';
import {
  type HelmChart,
  type HelmGlobals,
  helmChartArgsType,
  helmChartType,
  helmGlobalsFields,
  modernCharts,
} from '../helm-charts.ts';
import { KustomizeError } from '../kustomize-error.ts';
import type { Selector } from '../resource/selector.ts';
import type { Image } from '../transform/images.ts';
import type { Replacement } from '../transform/replacements.ts';
import type { Replica } from '../transform/replicas.ts';
import type { SortOptions } from '../transform/sort.ts';
import type { Var } from '../transform/vars.ts';
import { type Decoded, decode, list, map, struct } from './decode.ts';
import type { FieldSpec } from './field-spec.ts';
import { fieldSpecsOf, fieldSpecType } from './transformer-config.ts';

export type Texts = ReadonlyMap<string, string>;

export interface GeneratorOptions {
  readonly labels?: Texts;
  readonly annotations?: Texts;
  readonly disableNameSuffixHash?: boolean;
  readonly immutable?: boolean;
}

export interface GeneratorArgs {
  readonly name?: string;
  readonly namespace?: string;
  readonly behavior?: string;
  readonly literals?: readonly string[];
  readonly files?: readonly string[];
  readonly envs?: readonly string[];
  readonly env?: string;
  readonly options?: GeneratorOptions;
  /** Of a Secret. */
  readonly type?: string;
}

export interface Patch {
  readonly path?: string;
  readonly patch?: string;
  readonly target?: Selector;
  readonly options?: { readonly allowNameChange?: boolean; readonly allowKindChange?: boolean };
}

export interface Label {
  readonly pairs?: Texts;
  readonly includeSelectors?: boolean;
  readonly includeTemplates?: boolean;
  readonly fields?: readonly FieldSpec[];
}

export interface Kustomization {
  readonly apiVersion: string;
  readonly kind: string;
  readonly openapi?: Texts;
  readonly namePrefix?: string;
  readonly nameSuffix?: string;
  readonly namespace?: string;
  readonly commonLabels?: Texts;
  readonly labels?: readonly Label[];
  readonly commonAnnotations?: Texts;
  readonly patchesStrategicMerge?: readonly string[];
  readonly patchesJson6902?: readonly Patch[];
  readonly patches?: readonly Patch[];
  readonly images?: readonly Image[];
  readonly replacements?: readonly (Replacement & { readonly path?: string })[];
  readonly replicas?: readonly Replica[];
  readonly vars?: readonly Var[];
  readonly sortOptions?: SortOptions;
  readonly resources?: readonly string[];
  readonly components?: readonly string[];
  readonly crds?: readonly string[];
  readonly configMapGenerator?: readonly GeneratorArgs[];
  readonly secretGenerator?: readonly GeneratorArgs[];
  readonly helmGlobals?: HelmGlobals;
  readonly helmCharts?: readonly HelmChart[];
  readonly generatorOptions?: GeneratorOptions;
  readonly configurations?: readonly string[];
  readonly generators?: readonly string[];
  readonly transformers?: readonly string[];
  readonly validators?: readonly string[];
  readonly buildMetadata?: readonly string[];
}

const texts = map('string');
const names = list('string');
const gvk = { group: 'string', version: 'string', kind: 'string' } as const;
const resId = { ...gvk, name: 'string', namespace: 'string' } as const;

export const selectorType = struct('Selector', { ...resId, annotationSelector: 'string', labelSelector: 'string' });
const generatorOptionsType = struct('GeneratorOptions', {
  labels: texts,
  annotations: texts,
  disableNameSuffixHash: 'bool',
  immutable: 'bool',
});
export const configMapFields = {
  name: 'string',
  namespace: 'string',
  behavior: 'string',
  literals: names,
  files: names,
  envs: names,
  env: 'string',
  options: generatorOptionsType,
} as const;
export const patchFields = {
  path: 'string',
  patch: 'string',
  target: selectorType,
  options: struct('PatchArgs', { allowNameChange: 'bool', allowKindChange: 'bool' }),
} as const;
export const imageType = struct('Image', {
  name: 'string',
  newName: 'string',
  tagSuffix: 'string',
  newTag: 'string',
  digest: 'string',
});
export const replicaType = struct('Replica', { name: 'string', count: 'int' });
const fieldOptions = struct('FieldOptions', { delimiter: 'string', index: 'int', encoding: 'string', create: 'bool' });
const replacementFields = {
  source: struct('SourceSelector', { ...resId, fieldPath: 'string', options: fieldOptions }),
  sourceValue: 'string',
  targets: list(
    struct('TargetSelector', {
      select: selectorType,
      reject: list(selectorType),
      fieldPaths: names,
      options: fieldOptions,
    }),
  ),
} as const;
export const replacementType = struct('Replacement', replacementFields);
export const replacementFieldType = struct('ReplacementField', { ...replacementFields, path: 'string' });
const patchType = struct('Patch', patchFields);
const imageList = list(imageType);
const labelType = struct('Label', {
  pairs: texts,
  includeSelectors: 'bool',
  includeTemplates: 'bool',
  fields: list(fieldSpecType),
});
const kustomizationType = struct('Kustomization', {
  apiVersion: 'string',
  kind: 'string',
  metadata: struct('ObjectMeta', { name: 'string', namespace: 'string', labels: texts, annotations: texts }),
  openapi: texts,
  namePrefix: 'string',
  nameSuffix: 'string',
  namespace: 'string',
  commonLabels: texts,
  labels: list(labelType),
  commonAnnotations: texts,
  patchesStrategicMerge: names,
  patchesJson6902: list(patchType),
  patches: list(patchType),
  images: imageList,
  imageTags: imageList,
  replacements: list(replacementFieldType),
  replicas: list(replicaType),
  vars: list(
    struct('Var', {
      name: 'string',
      objref: struct('Target', { apiVersion: 'string', ...resId }),
      fieldref: struct('FieldSelector', { fieldPath: 'string' }),
    }),
  ),
  sortOptions: struct('SortOptions', {
    order: 'string',
    legacySortOptions: struct('LegacySortOptions', { orderFirst: names, orderLast: names }),
  }),
  resources: names,
  components: names,
  crds: names,
  bases: names,
  configMapGenerator: list(struct('ConfigMapArgs', configMapFields)),
  secretGenerator: list(struct('SecretArgs', { ...configMapFields, type: 'string' })),
  helmGlobals: struct('HelmGlobals', helmGlobalsFields),
  helmCharts: list(helmChartType),
  helmChartInflationGenerator: list(helmChartArgsType),
  generatorOptions: generatorOptionsType,
  configurations: names,
  generators: names,
  transformers: names,
  validators: names,
  buildMetadata: names,
});

const componentVersion = 'kustomize.config.k8s.io/v1alpha1';
const kustomizationVersion = 'kustomize.config.k8s.io/v1beta1';

/** Reads the kustomization file of a folder. Unknown fields are errors; deprecated fields become those that replaced them. */
export function readKustomization(text: string, where: string, onWarning: (warning: string) => void): Kustomization {
  let decoded: Decoded<typeof kustomizationType>;
  try {
    decoded = decode(readYaml(text), kustomizationType, { unknown: 'refuse', coerce: false }) ?? {};
  } catch (error) {
    throw new KustomizeError(
      `invalid Kustomization: ${messageOf(error).replace(/^error converting YAML to JSON: /u, '')}`,
    );
  }
  for (const [field, { use, fix }] of deprecatedFields)
    if (decoded[field]) onWarning(`# Warning: '${field}' is deprecated. Please use '${use}' instead. ${fix}`);
  if (Object.entries(decoded).every(([name, value]) => name === 'apiVersion' || name === 'kind' || value === ''))
    throw new KustomizeError('kustomization.yaml is empty');
  const { apiVersion, kind, bases, imageTags, helmChartInflationGenerator, labels, vars, ...rest } = decoded;
  const kustomization: Kustomization = {
    ...rest,
    kind: kind || 'Kustomization',
    apiVersion: apiVersion || (kind === 'Component' ? componentVersion : kustomizationVersion),
    ...(labels ? { labels: labels.map(labelOf) } : {}),
    ...(bases ? { resources: [...(rest.resources ?? []), ...bases] } : {}),
    ...(imageTags ? { images: [...(rest.images ?? []), ...imageTags] } : {}),
    ...(helmChartInflationGenerator ? withOlderCharts(rest, helmChartInflationGenerator) : {}),
    // In Go, an absent name or objref is an empty one.
    ...(vars ? { vars: vars.map((one) => ({ name: '', objref: {}, ...one })) } : {}),
  };
  demandVersion(kustomization, where);
  return withEnvs(kustomization);
}

const editFix = "Run 'kustomize edit fix' to update your Kustomization automatically.";

/** In the order in which Kustomize reports them. */
const deprecatedFields = [
  ['bases', { use: 'resources', fix: editFix }],
  ['commonLabels', { use: 'labels', fix: editFix }],
  ['imageTags', { use: 'images', fix: editFix }],
  ['patchesJson6902', { use: 'patches', fix: editFix }],
  ['patchesStrategicMerge', { use: 'patches', fix: editFix }],
  ['vars', { use: 'replacements', fix: `[EXPERIMENTAL] ${editFix}` }],
] as const;

const labelOf = ({ fields, ...label }: Decoded<typeof labelType>): Label => ({
  ...label,
  ...(fields ? { fields: fieldSpecsOf(fields) } : {}),
});

function withOlderCharts(
  { helmCharts = [], helmGlobals }: Pick<Kustomization, 'helmCharts' | 'helmGlobals'>,
  older: readonly Decoded<typeof helmChartArgsType>[],
): Pick<Kustomization, 'helmCharts' | 'helmGlobals'> {
  const { charts, chartHome } = modernCharts(older);
  return {
    helmCharts: [...helmCharts, ...charts],
    ...(helmGlobals === undefined && chartHome !== '' ? { helmGlobals: { chartHome } } : {}),
  };
}

function demandVersion({ kind, apiVersion }: Kustomization, where: string): void {
  const problems: string[] = [];
  if (kind !== 'Kustomization' && kind !== 'Component') problems.push('kind should be Kustomization or Component');
  const expected = kind === 'Component' ? componentVersion : kustomizationVersion;
  if (apiVersion !== expected) problems.push(`apiVersion for ${kind} should be ${expected}`);
  if (problems.length > 0)
    throw new KustomizeError(`Failed to read kustomization file under ${where}:\n${problems.join('\n')}`);
}

/** Replaces the deprecated `env` by `envs`. */
function withEnvs(kustomization: Kustomization): Kustomization {
  const fixed = (all: readonly GeneratorArgs[]): GeneratorArgs[] =>
    all.map(({ env, ...args }) => (env ? { ...args, envs: [...(args.envs ?? []), env] } : args));
  const { configMapGenerator, secretGenerator } = kustomization;
  return {
    ...kustomization,
    ...(configMapGenerator ? { configMapGenerator: fixed(configMapGenerator) } : {}),
    ...(secretGenerator ? { secretGenerator: fixed(secretGenerator) } : {}),
  };
}
