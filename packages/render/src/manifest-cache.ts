import { createHash } from 'node:crypto';
import type { ApplicationSource } from '@fairlead/api';
import { bytesOf } from './plain-json.ts';
import { holdsIn, type TreeRecord } from './recording-tree.ts';
import { type RenderContext, variablesOf } from './render-context.ts';
import { type Rendered, type Renderer, renderSource } from './render-source.ts';
import type { Tree } from './tree.ts';

export interface ManifestCache {
  /**
   * The manifests of a source in a tree: rendered, or those of an earlier revision when nothing that they were made from has changed.
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
  readonly rendered: Rendered;
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
        if (!(await stillHolds(kept, source, tree, context))) continue;
        if (i === 0 && cache.get(key) === known) {
          cache.delete(key);
          cache.set(key, known);
        } else put(key, [kept, ...(cache.get(key) ?? []).filter((other) => other !== kept)].slice(0, perSource));
        return kept.rendered;
      }
      renders += 1;
      const rendered = await renderer(source, tree, context);
      const kept = { rendered, capabilities: capabilitiesOf(rendered, context), bytes: sizeOf(key, rendered) };
      put(key, [kept, ...(cache.get(key) ?? [])].slice(0, perSource));
      for (const [oldest] of cache) {
        if (bytes <= maxBytes) break;
        put(oldest, []);
      }
      return rendered;
    },
    forget(repository, source, context = {}) {
      put(parametersOf(repository, source, context), []);
    },
  };
}

async function stillHolds(
  { rendered, capabilities }: Kept,
  source: ApplicationSource,
  tree: Tree,
  context: RenderContext,
): Promise<boolean> {
  if (rendered.variables.size > 0) {
    const values = variablesOf(source, context);
    for (const [name, value] of rendered.variables) if ((values[name] ?? '') !== value) return false;
  }
  if (capabilitiesOf(rendered, context) !== capabilities) return false;
  if (!(await holdsIn(rendered.record, tree))) return false;
  for (const [name, record] of rendered.refs) {
    const other = context.refs?.get(name);
    if (!other || !(await holdsIn(record, other))) return false;
  }
  for (const [url, record] of rendered.remotes) {
    const other = await context.fetchRemote?.(url);
    if (!other || !(await holdsIn(record, other))) return false;
  }
  return true;
}

const digests = new WeakMap<readonly string[], string>();

/** A cluster's list of API versions is long and shared by all its Applications: its digest is made once. */
function capabilitiesOf({ type }: Rendered, { kubeVersion = '', apiVersions = [] }: RenderContext): string {
  if (type !== 'Helm' || (kubeVersion === '' && apiVersions.length === 0)) return '';
  let digest = digests.get(apiVersions);
  if (digest === undefined) {
    digest = createHash('sha256').update(JSON.stringify(apiVersions)).digest('base64');
    digests.set(apiVersions, digest);
  }
  return `${kubeVersion} ${digest}`;
}

const sizeOf = (key: string, { manifests, record, refs, remotes }: Rendered): number =>
  2 * key.length + bytesOf(manifests) + [record, ...refs.values(), ...remotes.values()].reduce(addRecord, 0);

const addRecord = (bytes: number, { reads, lists, stats }: TreeRecord): number =>
  bytes + 160 * (reads.size + lists.size + stats.size);
