import { createHash } from 'node:crypto';
import type { ApplicationSource } from '@fairlead/api';
import { RenderError } from './render-error.ts';
import { withoutWaitingForRemotes } from './source/late-remotes.ts';
import type { RenderContext } from './source/render-context.ts';
import { inputsUnchanged, type RenderInputs } from './source/render-inputs.ts';
import { type Rendered, type Renderer, renderSource } from './source/render-source.ts';
import type { TreeRecord } from './tree/recording-tree.ts';
import type { Tree } from './tree/tree.ts';
import { bytesOf } from './util/plain-json.ts';

export interface ManifestCache {
  /**
   * The manifests of a source in a tree: rendered, or cached from an earlier revision if none of their inputs changed. A failed render
   * fails again without a new attempt, as long as its inputs are unchanged. `repository` distinguishes repositories with equal parameters.
   */
  render(repository: string, source: ApplicationSource, tree: Tree, context?: RenderContext): Promise<Rendered>;
  /** Removes the cached manifests of a source, so that the next call renders. */
  forget(repository: string, source: ApplicationSource, context?: RenderContext): void;
  /** How many renders were not answered from the cache. */
  readonly renders: number;
  /** Approximate memory of the cached manifests. */
  readonly bytes: number;
}

export interface ManifestCacheOptions {
  /** The default renders in this thread. */
  readonly renderer?: Renderer;
  /** Beyond this, the least recently used manifests are removed. */
  readonly maxBytes?: number;
  /** How many results of one source are cached, so that branches do not evict each other. */
  readonly perSource?: number;
}

interface CachedRender {
  readonly outcome: Rendered | RenderError;
  readonly inputs: RenderInputs;
  /** The version and APIs of the cluster, on which only charts depend. */
  readonly capabilities: string;
  readonly bytes: number;
}

/** The parameters that are part of the cache key. The revision is not: the tree's contents are compared instead. */
function parametersOf(repository: string, source: ApplicationSource, context: RenderContext): string {
  const { repoURL: _, targetRevision: __, name: ___, ref: ____, ...parameters } = source;
  const { name, namespace, kustomizeBuildOptions, kustomizeVersions, disabledTypes, helmVersion } = context;
  const { valuesFileSchemes } = context;
  return JSON.stringify([
    repository,
    parameters,
    name,
    namespace,
    kustomizeBuildOptions,
    kustomizeVersions,
    disabledTypes,
    valuesFileSchemes,
    helmVersion,
  ]);
}

export function createManifestCache(options: ManifestCacheOptions = {}): ManifestCache {
  const { maxBytes = 256 * 1024 ** 2, perSource = 3 } = options;
  const renderer = withoutWaitingForRemotes(options.renderer ?? renderSource);
  const cache = new Map<string, CachedRender[]>();
  let renders = 0;
  let bytes = 0;

  function put(key: string, states: readonly CachedRender[]): void {
    for (const { bytes: size } of cache.get(key) ?? []) bytes -= size;
    cache.delete(key);
    if (states.length > 0) cache.set(key, [...states]);
    for (const { bytes: size } of states) bytes += size;
  }

  function keep(key: string, outcome: CachedRender['outcome'], inputs: RenderInputs, context: RenderContext): void {
    const kept = {
      outcome,
      inputs,
      capabilities: capabilitiesOf(inputs, context),
      bytes: sizeOf(key, outcome, inputs),
    };
    put(key, [kept, ...(cache.get(key) ?? [])].slice(0, perSource));
    for (const [oldest] of cache) {
      if (bytes <= maxBytes) break;
      put(oldest, []);
    }
  }

  return {
    get renders() {
      return renders;
    },
    get bytes() {
      return bytes;
    },
    async render(repository, source, tree, context = {}) {
      const key = parametersOf(repository, source, context);
      const known = cache.get(key) ?? [];
      for (const [i, kept] of known.entries()) {
        if (capabilitiesOf(kept.inputs, context) !== kept.capabilities) continue;
        if (!(await inputsUnchanged(kept.inputs, source, tree, context))) continue;
        if (i === 0 && cache.get(key) === known) {
          cache.delete(key);
          cache.set(key, known);
        } else put(key, [kept, ...(cache.get(key) ?? []).filter((other) => other !== kept)].slice(0, perSource));
        if (kept.outcome instanceof RenderError) throw kept.outcome;
        return kept.outcome;
      }
      renders += 1;
      try {
        const rendered = await renderer(source, tree, context);
        keep(key, rendered, rendered, context);
        return rendered;
      } catch (error) {
        if (error instanceof RenderError && error.inputs) keep(key, error, error.inputs, context);
        throw error;
      }
    },
    forget(repository, source, context = {}) {
      put(parametersOf(repository, source, context), []);
    },
  };
}

const digests = new WeakMap<readonly string[], string>();

/** A cluster's list of API versions is long and shared by its Applications, so its digest is computed once. */
function capabilitiesOf({ usesCluster }: RenderInputs, { kubeVersion = '', apiVersions = [] }: RenderContext): string {
  if (!usesCluster || (kubeVersion === '' && apiVersions.length === 0)) return '';
  let digest = digests.get(apiVersions);
  if (digest === undefined) {
    digest = createHash('sha256').update(JSON.stringify(apiVersions)).digest('base64');
    digests.set(apiVersions, digest);
  }
  return `${kubeVersion} ${digest}`;
}

const sizeOf = (key: string, outcome: CachedRender['outcome'], { record, refs, remotes }: RenderInputs): number =>
  2 * key.length +
  (outcome instanceof RenderError ? 2 * outcome.message.length : bytesOf(outcome.manifests)) +
  [record, ...refs.values(), ...remotes.values()].reduce(addRecord, 0);

const addRecord = (bytes: number, record: TreeRecord | string): number =>
  bytes +
  (typeof record === 'string' ? 2 * record.length : 160 * (record.reads.size + record.lists.size + record.stats.size));
