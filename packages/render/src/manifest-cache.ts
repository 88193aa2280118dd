import { createHash } from 'node:crypto';
import type { ApplicationSource } from '@fairlead/api';
import { bytesOf } from './plain-json.ts';
import { type Basis, stillHolds } from './recording.ts';
import type { TreeRecord } from './recording-tree.ts';
import type { RenderContext } from './render-context.ts';
import { RenderError } from './render-error.ts';
import { type Rendered, type Renderer, renderSource } from './render-source.ts';
import type { Tree } from './tree.ts';

export interface ManifestCache {
  /**
   * The manifests of a source in a tree: rendered, or those of an earlier revision when nothing that they were made from has changed.
   * A render that failed fails again without being tried, as long as what it came to look at is the same.
   * `repository` tells apart sources of different repositories under equal parameters.
   */
  render(repository: string, source: ApplicationSource, tree: Tree, context?: RenderContext): Promise<Rendered>;
  /** Forgets, so that the next render is a real one. */
  forget(repository: string, source: ApplicationSource, context?: RenderContext): void;
  /** How often a source was really rendered. */
  readonly renders: number;
  /** About how much memory the manifests kept take. */
  readonly bytes: number;
}

export interface ManifestCacheOptions {
  /** Where renders run: in this thread unless told. */
  readonly renderer?: Renderer;
  /** Manifests used longest ago are dropped beyond this. */
  readonly maxBytes?: number;
  /** How many states of one source are kept, so that branches do not evict each other. */
  readonly perSource?: number;
}

interface Kept {
  readonly outcome: Rendered | RenderError;
  readonly basis: Basis;
  /** What the cluster was said to be and have; charts alone look at it. */
  readonly capabilities: string;
  readonly bytes: number;
}

/** What rendering always depends on besides the tree. Where the revision came from does not matter: the tree says what is in it. */
function parametersOf(repository: string, source: ApplicationSource, context: RenderContext): string {
  const { repoURL: _, targetRevision: __, name: ___, ref: ____, ...parameters } = source;
  const { name, namespace, kustomizeBuildOptions, helmVersion } = context;
  return JSON.stringify([repository, parameters, name, namespace, kustomizeBuildOptions, helmVersion]);
}

export function createManifestCache(options: ManifestCacheOptions = {}): ManifestCache {
  const { renderer = renderSource, maxBytes = 256 * 1024 ** 2, perSource = 3 } = options;
  const cache = new Map<string, Kept[]>();
  let renders = 0;
  let bytes = 0;

  function put(key: string, states: readonly Kept[]): void {
    for (const { bytes: size } of cache.get(key) ?? []) bytes -= size;
    cache.delete(key);
    if (states.length > 0) cache.set(key, [...states]);
    for (const { bytes: size } of states) bytes += size;
  }

  function keep(key: string, outcome: Kept['outcome'], basis: Basis, context: RenderContext): void {
    const kept = { outcome, basis, capabilities: capabilitiesOf(basis, context), bytes: sizeOf(key, outcome, basis) };
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
        if (capabilitiesOf(kept.basis, context) !== kept.capabilities) continue;
        if (!(await stillHolds(kept.basis, source, tree, context))) continue;
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
        if (error instanceof RenderError && error.basis) keep(key, error, error.basis, context);
        throw error;
      }
    },
    forget(repository, source, context = {}) {
      put(parametersOf(repository, source, context), []);
    },
  };
}

const digests = new WeakMap<readonly string[], string>();

/** A cluster's list of API versions is long and shared by all its Applications: its digest is made once. */
function capabilitiesOf({ seesCluster }: Basis, { kubeVersion = '', apiVersions = [] }: RenderContext): string {
  if (!seesCluster || (kubeVersion === '' && apiVersions.length === 0)) return '';
  let digest = digests.get(apiVersions);
  if (digest === undefined) {
    digest = createHash('sha256').update(JSON.stringify(apiVersions)).digest('base64');
    digests.set(apiVersions, digest);
  }
  return `${kubeVersion} ${digest}`;
}

const sizeOf = (key: string, outcome: Kept['outcome'], { record, refs, remotes }: Basis): number =>
  2 * key.length +
  (outcome instanceof RenderError ? 2 * outcome.message.length : bytesOf(outcome.manifests)) +
  [record, ...refs.values(), ...remotes.values()].reduce(addRecord, 0);

const addRecord = (bytes: number, record: TreeRecord | string): number =>
  bytes +
  (typeof record === 'string' ? 2 * record.length : 160 * (record.reads.size + record.lists.size + record.stats.size));
