import { configuring } from './built-in-config.ts';
import { mergeSpecs } from './config/field-spec.ts';
import type { Kustomization, Label } from './config/kustomization.ts';
import type { TransformerConfig } from './config/transformer-config.ts';
import type { ResMap } from './resource/res-map.ts';
import { setImage } from './transform/images.ts';
import { setEntries } from './transform/metadata.ts';
import { affixNames } from './transform/name-affix.ts';
import { setNamespace } from './transform/namespace.ts';
import { json6902Transformer, patchTransformer, strategicMergeTransformer } from './transform/patch-transformers.ts';
import { replacementTransformer } from './transform/replacement-transformer.ts';
import { setReplicas } from './transform/replicas.ts';
import type { Transformer, TransformerContext } from './transformer.ts';

export interface NamedTransformer {
  /** The name in Kustomize. */
  readonly kind: string;
  readonly run: (map: ResMap) => void;
}

/** The transformers of a kustomization's fields, in the order in which they run. */
export async function builtInTransformers(
  context: TransformerContext,
  kustomization: Kustomization,
  config: TransformerConfig,
): Promise<NamedTransformer[]> {
  const all: NamedTransformer[] = [];
  const add = (kind: string, run: (map: ResMap) => void): void => void all.push({ kind, run });
  const configure = async <T extends object>(
    kind: string,
    options: T,
    make: (options: T) => Promise<Transformer>,
  ): Promise<void> => {
    const transformer = await configuring(kind, options, () => make(options));
    add(kind, (map) => transformer.run(map));
  };
  const { patchesStrategicMerge, namespace, namePrefix, nameSuffix, commonAnnotations, replacements } = kustomization;

  if (patchesStrategicMerge?.length)
    await configure('PatchStrategicMergeTransformer', { paths: patchesStrategicMerge }, (options) =>
      strategicMergeTransformer(context, options),
    );
  for (const patch of kustomization.patches ?? [])
    await configure('PatchTransformer', patch, (options) => patchTransformer(context, options));
  if (namespace) add('NamespaceTransformer', (map) => setNamespace(map, { namespace, fieldSpecs: config.namespace }));
  if (namePrefix) add('PrefixTransformer', (map) => affixNames(map, namePrefix, 'prefix', config.namePrefix));
  if (nameSuffix) add('SuffixTransformer', (map) => affixNames(map, nameSuffix, 'suffix', config.nameSuffix));
  addLabels(kustomization, config, (run) => add('LabelTransformer', run));
  if (commonAnnotations?.size)
    add('AnnotationsTransformer', (map) => setEntries(map, commonAnnotations, config.commonAnnotations));
  for (const { patch, ...rest } of kustomization.patchesJson6902 ?? [])
    await configure('PatchJson6902Transformer', { ...rest, ...(patch ? { jsonOp: patch } : {}) }, (options) =>
      json6902Transformer(context, options),
    );
  for (const replica of kustomization.replicas ?? [])
    add('ReplicaCountTransformer', (map) => setReplicas(map, replica, config.replicas));
  for (const image of kustomization.images ?? [])
    add('ImageTagTransformer', (map) => setImage(map, image, config.images));
  if (replacements?.length)
    await configure('ReplacementTransformer', { Replacements: replacements }, () =>
      replacementTransformer(context, replacements),
    );
  return all;
}

function addLabels(
  { labels = [], commonLabels }: Kustomization,
  config: TransformerConfig,
  add: (run: (map: ResMap) => void) => void,
): void {
  if (labels.length === 0 && !commonLabels?.size) return;
  for (const label of labels) {
    const specs = labelSpecs(label, config);
    add((map) => setEntries(map, label.pairs ?? new Map(), specs));
  }
  add((map) => setEntries(map, commonLabels ?? new Map(), config.commonLabels));
}

function labelSpecs(label: Label, config: TransformerConfig): ReturnType<typeof mergeSpecs> {
  const specs = mergeSpecs(label.fields ?? [], config.labels);
  if (label.includeSelectors) return mergeSpecs(specs, config.commonLabels);
  const templates = label.includeTemplates ? mergeSpecs(specs, config.templateLabels) : specs;
  return mergeSpecs(templates, [{ path: 'metadata/labels', create: true }]);
}
