import type { ApplicationSource } from '@fairlead/api';
import { holdsIn } from './recording-tree.ts';
import { type Rendered, renderSource } from './render-source.ts';
import type { Tree } from './tree.ts';

export interface ManifestCache {
  /**
   * The manifests of a source in a tree: rendered, or those of an earlier revision when nothing that they were made from has changed.
   * `repository` tells apart sources of different repositories under equal parameters.
   */
  render(repository: string, source: ApplicationSource, tree: Tree): Promise<Rendered>;
  /** Forgets, so that the next render is a real one. */
  forget(repository: string, source: ApplicationSource): void;
  /** How often a source was really rendered. */
  readonly renders: number;
}

/** What rendering depends on besides the tree. Where the revision came from does not matter: the tree says what is in it. */
function parametersOf(repository: string, source: ApplicationSource): string {
  const { repoURL: _, targetRevision: __, name: ___, ref: ____, ...parameters } = source;
  return JSON.stringify([repository, parameters]);
}

/** Keeps the last `capacity` sources used; each at the last `perSource` different states, so that branches do not evict each other. */
export function createManifestCache({ capacity = 20_000, perSource = 3 } = {}): ManifestCache {
  const cache = new Map<string, Rendered[]>();
  let renders = 0;
  return {
    get renders() {
      return renders;
    },
    async render(repository, source, tree) {
      const key = parametersOf(repository, source);
      const known = cache.get(key) ?? [];
      for (const rendered of known) {
        if (await holdsIn(rendered.record, tree)) {
          keep(key, rendered);
          return rendered;
        }
      }
      renders += 1;
      const rendered = await renderSource(source, tree);
      keep(key, rendered);
      return rendered;
    },
    forget(repository, source) {
      cache.delete(parametersOf(repository, source));
    },
  };

  function keep(key: string, rendered: Rendered): void {
    const others = (cache.get(key) ?? []).filter((other) => other !== rendered);
    cache.delete(key);
    cache.set(key, [rendered, ...others].slice(0, perSource));
    if (cache.size > capacity) cache.delete(cache.keys().next().value!);
  }
}
