import { decode, list, map, struct, type Type } from './config/decode.ts';
import type { FieldSpec } from './config/field-spec.ts';
import {
  configMapFields,
  type GeneratorArgs,
  imageType,
  type Patch,
  patchFields,
  replacementFieldType,
  replicaType,
  selectorType,
} from './config/kustomization.ts';
import { fieldSpecType } from './config/transformer-config.ts';
import { generate } from './generators.ts';
import { type HelmChart, type HelmGlobals, helmChartFields, helmGlobalsFields, inflateChart } from './helm-charts.ts';
import { gkeServiceAccount, type IamPolicy, iamPolicyFields } from './iam-policy.ts';
import { KustomizeError, withinAsync } from './kustomize-error.ts';
import { idText } from './resource/res-id.ts';
import type { Resource } from './resource/resource.ts';
import { addHashSuffixes } from './transform/hash.ts';
import { type Image, setImage } from './transform/images.ts';
import { setEntries } from './transform/metadata.ts';
import { affixNames } from './transform/name-affix.ts';
import { setNamespace } from './transform/namespace.ts';
import { json6902Transformer, patchTransformer, strategicMergeTransformer } from './transform/patch-transformers.ts';
import { replacementTransformer } from './transform/replacement-transformer.ts';
import { type Replica, setReplicas } from './transform/replicas.ts';
import { targetListType, type ValueAdd, valueAddTransformer } from './transform/value-add.ts';
import type { Transformer, TransformerContext } from './transformer.ts';

type Fields = Readonly<Record<string, Type>>;
type Config = Record<string, unknown> & { readonly fieldSpecs?: readonly FieldSpec[] };

interface TransformerPlugin {
  readonly fields: Fields;
  make(context: TransformerContext, config: Config): Transformer | Promise<Transformer>;
}

const fieldSpecs = list(fieldSpecType);
const metadata = struct('ObjectMeta', { name: 'string', namespace: 'string' });
const texts = map('string');

function demandSpecs({ fieldSpecs: specs }: Config): readonly FieldSpec[] {
  if (!specs) throw new KustomizeError('fieldSpecs is not expected to be nil');
  return specs;
}

const affixer = (config: Config, side: 'prefix' | 'suffix'): Transformer => {
  const specs = demandSpecs(config);
  return { run: (it) => affixNames(it, (config[side] as string | undefined) ?? '', side, specs) };
};

/** The transformers that a file may configure, by its `kind`. */
const transformers: Readonly<Record<string, TransformerPlugin>> = {
  AnnotationsTransformer: {
    fields: { annotations: texts, fieldSpecs },
    make: (_, { annotations, fieldSpecs: specs = [] }) => ({
      run: (it) => setEntries(it, (annotations as Map<string, string> | undefined) ?? new Map(), specs),
    }),
  },
  LabelTransformer: {
    fields: { labels: texts, fieldSpecs },
    make: (_, { labels, fieldSpecs: specs = [] }) => ({
      run: (it) => setEntries(it, (labels as Map<string, string> | undefined) ?? new Map(), specs),
    }),
  },
  NamespaceTransformer: {
    fields: { metadata, fieldSpecs, unsetOnly: 'bool', setRoleBindingSubjects: 'string' },
    make: (_, config) => ({
      run: (it) =>
        setNamespace(it, {
          namespace: (config['metadata'] as { namespace?: string } | undefined)?.namespace ?? '',
          fieldSpecs: config.fieldSpecs ?? [],
          unsetOnly: config['unsetOnly'] === true,
          setRoleBindingSubjects: (config['setRoleBindingSubjects'] as string | undefined) ?? '',
        }),
    }),
  },
  PrefixTransformer: { fields: { prefix: 'string', fieldSpecs }, make: (_, config) => affixer(config, 'prefix') },
  SuffixTransformer: { fields: { suffix: 'string', fieldSpecs }, make: (_, config) => affixer(config, 'suffix') },
  PrefixSuffixTransformer: {
    fields: { prefix: 'string', suffix: 'string', fieldSpecs },
    make(_, config) {
      const both = [affixer(config, 'prefix'), affixer(config, 'suffix')];
      return {
        run(it) {
          for (const transformer of both) transformer.run(it);
        },
      };
    },
  },
  HashTransformer: { fields: {}, make: () => ({ run: addHashSuffixes }) },
  ImageTagTransformer: {
    fields: { imageTag: imageType, fieldSpecs },
    make: (_, { imageTag, fieldSpecs: specs = [] }) => ({
      run: (it) => setImage(it, (imageTag as Image | undefined) ?? {}, specs),
    }),
  },
  ReplicaCountTransformer: {
    fields: { replica: replicaType, fieldSpecs },
    make: (_, { replica, fieldSpecs: specs = [] }) => ({
      run: (it) => setReplicas(it, (replica as Replica | undefined) ?? {}, specs),
    }),
  },
  PatchTransformer: { fields: patchFields, make: (context, config) => patchTransformer(context, config as Patch) },
  PatchJson6902Transformer: {
    fields: { target: selectorType, path: 'string', jsonOp: 'string' },
    make: (context, config) => json6902Transformer(context, config as Parameters<typeof json6902Transformer>[1]),
  },
  PatchStrategicMergeTransformer: {
    fields: { paths: list('string'), patches: 'string' },
    make: (context, config) =>
      strategicMergeTransformer(context, config as Parameters<typeof strategicMergeTransformer>[1]),
  },
  ReplacementTransformer: {
    fields: { replacements: list(replacementFieldType) },
    make: (context, { replacements }) =>
      replacementTransformer(context, (replacements as Parameters<typeof replacementTransformer>[1] | undefined) ?? []),
  },
  ValueAddTransformer: {
    fields: { value: 'string', targets: targetListType, targetFilePath: 'string' },
    make: (context, config) => valueAddTransformer(context, config as ValueAdd),
  },
};

const generators: Readonly<Record<string, 'ConfigMap' | 'Secret'>> = {
  ConfigMapGenerator: 'ConfigMap',
  SecretGenerator: 'Secret',
};

/** Only Kustomize's own plugins run: programs and containers are never started. */
function demandBuiltIn(config: Resource): void {
  if (config.apiVersion !== 'builtin')
    throw new KustomizeError(
      `external plugins disabled; unable to load external plugin '${config.originalId.kind}': only built-in ones can be used`,
      'Unsupported',
    );
}

const read = (config: Resource, fields: Fields): Config =>
  (decode(config.value, struct(config.kind, fields), { unknown: 'ignore', coerce: true }) ?? {}) as Config;

/** A transformer from the object that configures it. */
export async function loadTransformer(context: TransformerContext, config: Resource): Promise<Transformer> {
  demandBuiltIn(config);
  const plugin = transformers[config.kind];
  if (!plugin) throw new KustomizeError(unknownPlugin(config, 'a transformer'));
  return withinAsync(`plugin ${idText(config.originalId)} fails configuration`, async () =>
    plugin.make(context, read(config, plugin.fields)),
  );
}

/** What the generator that an object configures makes. */
export async function runGenerator(context: TransformerContext, config: Resource): Promise<Resource[]> {
  demandBuiltIn(config);
  if (config.kind === 'HelmChartInflationGenerator') {
    const chart = read(config, { ...helmChartFields, ...helmGlobalsFields }) as HelmChart & HelmGlobals;
    return inflateChart(context.loader, chart, chart, context.helm);
  }
  if (config.kind === 'IAMPolicyGenerator') return [gkeServiceAccount(read(config, iamPolicyFields) as IamPolicy)];
  const kind = generators[config.kind];
  if (!kind) throw new KustomizeError(unknownPlugin(config, 'a generator'));
  const args = read(config, { ...configMapFields, type: 'string' }) as GeneratorArgs;
  const resource = await generate(context.loader, kind, {
    ...args,
    name: args.name || config.name,
    namespace: args.namespace || config.namespace,
  });
  return [resource];
}

const unknownPlugin = (config: Resource, role: string): string =>
  config.kind === 'IAMPolicyGenerator' || config.kind in transformers || config.kind in generators
    ? `plugin ${idText(config.originalId)} not ${role}`
    : `unable to load builtin ${config.kind}`;
