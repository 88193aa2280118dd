import type { Tree } from '@fairlead/render';
import { BoundedCache } from '../cache/bounded-cache.ts';
import { sharedTask } from '../tasks/shared-task.ts';
import type { Unpacked } from './unpack.ts';

/** Unpacked archives, up to a memory limit. */
export class TreeCache {
  readonly #trees: BoundedCache<Tree>;
  readonly #share = sharedTask<Unpacked>();

  constructor(maxBytes: number) {
    this.#trees = new BoundedCache(maxBytes);
  }

  async get(key: string, load: () => Promise<Unpacked>): Promise<Tree> {
    const known = this.#trees.get(key);
    if (known) return known;
    const { tree, bytes } = await this.#share(key, load);
    this.#trees.set(key, tree, bytes);
    return tree;
  }
}
