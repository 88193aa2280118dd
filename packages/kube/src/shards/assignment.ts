import { ownerOf, type ShardMap } from './shard-map.ts';

/** The group of a key, by which it may be pinned to a shard. */
export type GroupOf = (key: string) => string | undefined;

/**
 * What a member may work on: the keys that it owned in the last map that all members have acknowledged, and in every map since. A key that it
 * gains is not among them before all members have acknowledged the new map, because until then its former owner may still work on it.
 */
export class Assignment {
  readonly #self: string;
  readonly #groupOf: GroupOf;
  readonly #maps: readonly ShardMap[];

  /** `maps`: the acknowledged one first, then the newer ones. Without any, the member owns nothing. */
  constructor(self: string, groupOf: GroupOf, maps: readonly ShardMap[] = []) {
    this.#self = self;
    this.#groupOf = groupOf;
    this.#maps = maps;
  }

  readonly owns = (key: string): boolean => {
    if (this.#maps.length === 0) return false;
    const group = this.#groupOf(key);
    return this.#maps.every((map) => ownerOf(map, key, group) === this.#self);
  };

  equals(other: Assignment): boolean {
    const maps = other.#maps;
    return this.#maps.length === maps.length && this.#maps.every((map, index) => map === maps[index]);
  }
}
