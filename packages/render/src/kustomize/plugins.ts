import { type Decoded, type DecodedFields, decode, type Fields, list, map, struct } from './config/decode.ts';
import {
  configMapFields,
  imageType,
  patchFields,
  replacementFieldType,
  replicaType,
  selectorType,
} from './config/kustomization.ts';
import { fieldSpecsOf, fieldSpecType } from './config/transformer-config.ts';
import { generate } from './generators.ts';
import { helmChartFields, helmGlobalsFields, inflateChart } from './helm-charts.ts';
import { gkeServiceAccount, iamPolicyFields } from './iam-policy.ts';
import { KustomizeError, withinAsync } from './kustomize-error.ts';
import { gvkText, idText } from './resource/res-id.ts';
import type { Resource } from './resource/resource.ts';
import { addHashSuffixes } from './transform/hash.ts';
import { setImage } from './transform/images.ts';
import { setEntries } from './transform/metadata.ts';
import { affixNames } from './transform/name-affix.ts';
import { setNamespace } from './transform/namespace.ts';
import { json6902Transformer, patchTransformer, strategicMergeTransformer } from './transform/patch-transformers.ts';
import { replacementTransformer } from './transform/replacement-transformer.ts';
import { setReplicas } from './transform/replicas.ts';
import { targetListType, valueAddTransformer } from './transform/value-add.ts';
import type { Transformer, TransformerContext } from './transformer.ts';

type TransformerPlugin = (context: TransformerContext, config: Resource) => Transformer | Promise<Transformer>;

const fieldSpecs = list(fieldSpecType);
const metadata = struct('ObjectMeta', { name: 'string', namespace: 'string' });
const texts = map('string');

const read = <const F extends Fields>(config: Resource, fields: F): DecodedFields<F> =>
  decode(config.value, struct(config.kind, fields), { unknown: 'ignore', coerce: true }) ?? {};

const plugin =
  <const F extends Fields>(
    fields: F,
    make: (config: DecodedFields<F>, context: TransformerContext) => Transformer | Promise<Transformer>,
  ): TransformerPlugin =>
  (context, config) =>
    make(read(config, fields), context);

function affixer(side: 'prefix' | 'suffix', affix = '', specs?: Decoded<typeof fieldSpecs>): Transformer {
  if (!specs) throw new KustomizeError('fieldSpecs is not expected to be nil');
  return { run: (it) => affixNames(it, affix, side, fieldSpecsOf(specs)) };
}

/** The transformers that a file may configure, by its `kind`. */
const transformers: Readonly<Record<string, TransformerPlugin>> = {
  AnnotationsTransformer: plugin(
    { annotations: texts, fieldSpecs },
    ({ annotations = new Map(), fieldSpecs: specs }) => ({
      run: (it) => setEntries(it, annotations, fieldSpecsOf(specs)),
    }),
  ),
  LabelTransformer: plugin({ labels: texts, fieldSpecs }, ({ labels = new Map(), fieldSpecs: specs }) => ({
    run: (it) => setEntries(it, labels, fieldSpecsOf(specs)),
  })),
  NamespaceTransformer: plugin(
    { metadata, fieldSpecs, unsetOnly: 'bool', setRoleBindingSubjects: 'string' },
    (config) => ({
      run: (it) =>
        setNamespace(it, {
          namespace: config.metadata?.namespace ?? '',
          fieldSpecs: fieldSpecsOf(config.fieldSpecs),
          unsetOnly: config.unsetOnly ?? false,
          setRoleBindingSubjects: config.setRoleBindingSubjects ?? '',
        }),
    }),
  ),
  PrefixTransformer: plugin({ prefix: 'string', fieldSpecs }, (config) =>
    affixer('prefix', config.prefix, config.fieldSpecs),
  ),
  SuffixTransformer: plugin({ suffix: 'string', fieldSpecs }, (config) =>
    affixer('suffix', config.suffix, config.fieldSpecs),
  ),
  PrefixSuffixTransformer: plugin(
    { prefix: 'string', suffix: 'string', fieldSpecs },
    ({ prefix, suffix, fieldSpecs: specs }) => {
      const both = [affixer('prefix', prefix, specs), affixer('suffix', suffix, specs)];
      return {
        run(it) {
          for (const transformer of both) transformer.run(it);
        },
      };
    },
  ),
  HashTransformer: plugin({}, () => ({ run: addHashSuffixes })),
  ImageTagTransformer: plugin({ imageTag: imageType, fieldSpecs }, ({ imageTag = {}, fieldSpecs: specs }) => ({
    run: (it) => setImage(it, imageTag, fieldSpecsOf(specs)),
  })),
  ReplicaCountTransformer: plugin({ replica: replicaType, fieldSpecs }, ({ replica = {}, fieldSpecs: specs }) => ({
    run: (it) => setReplicas(it, replica, fieldSpecsOf(specs)),
  })),
  PatchTransformer: plugin(patchFields, (config, context) => patchTransformer(context, config)),
  PatchJson6902Transformer: plugin({ target: selectorType, path: 'string', jsonOp: 'string' }, (config, context) =>
    json6902Transformer(context, config),
  ),
  PatchStrategicMergeTransformer: plugin({ paths: list('string'), patches: 'string' }, (config, context) =>
    strategicMergeTransformer(context, config),
  ),
  ReplacementTransformer: plugin({ replacements: list(replacementFieldType) }, ({ replacements = [] }, context) =>
    replacementTransformer(context, replacements),
  ),
  ValueAddTransformer: plugin(
    { value: 'string', targets: targetListType, targetFilePath: 'string' },
    (config, context) => valueAddTransformer(context, config),
  ),
};

const generators: Readonly<Record<string, 'ConfigMap' | 'Secret'>> = {
  ConfigMapGenerator: 'ConfigMap',
  SecretGenerator: 'Secret',
};

/** Only built-in plugins run: programs and containers are never started. */
function demandBuiltIn(config: Resource): void {
  if (config.apiVersion !== 'builtin')
    throw new KustomizeError(
      `external plugins disabled; unable to load external plugin '${config.originalId.kind}': only built-in ones can be used`,
      'Unsupported',
    );
}

/** The transformer that an object configures. */
export async function loadTransformer(context: TransformerContext, config: Resource): Promise<Transformer> {
  demandBuiltIn(config);
  const make = transformers[config.kind];
  if (!make) throw new KustomizeError(unknownPlugin(config, 'a transformer'));
  return withinAsync(`plugin ${idText(config.originalId)} fails configuration`, async () => make(context, config));
}

/** Runs the generator that an object configures. */
export async function runGenerator(context: TransformerContext, config: Resource): Promise<Resource[]> {
  demandBuiltIn(config);
  if (config.kind === 'HelmChartInflationGenerator') {
    const chart = read(config, { ...helmChartFields, ...helmGlobalsFields });
    return inflateChart(context.loader, chart, chart, context.helm);
  }
  if (config.kind === 'IAMPolicyGenerator') return [gkeServiceAccount(read(config, iamPolicyFields))];
  const kind = generators[config.kind];
  if (!kind) throw new KustomizeError(unknownPlugin(config, 'a generator'));
  const args = read(config, { ...configMapFields, type: 'string' });
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
    : `unable to load builtin ${gvkText(config.originalId)}`;
