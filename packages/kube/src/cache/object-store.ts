import { type KubeObject, keyOf } from '@fairlead/apimachinery';
import { type Change, changesOfAll, changesOfGone, changesOfSeen } from './changes.ts';

/** The index values of an object. */
export type IndexFunction<T extends KubeObject> = (object: T) => Iterable<string>;

interface Index<T extends KubeObject> {
  readonly valuesOf: IndexFunction<T>;
  /** Keys by value. A value without keys has no entry. */
  readonly keys: Map<string, Set<string>>;
}

/**
 * Objects by key, with indexes. It changes only through `apply`, one `Change` at a time; the `changesOf…` methods return the changes for an
 * event, without applying them.
 */
export class ObjectStore<T extends KubeObject = KubeObject> {
  readonly #objects = new Map<string, T>();
  readonly #indexes = new Map<string, Index<T>>();

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  values(): Iterable<T> {
    return this.#objects.values();
  }

  /** Adds an index, also for existing objects. Adding the same function with the same name again has no effect. */
  addIndex(name: string, valuesOf: IndexFunction<T>): void {
    const known = this.#indexes.get(name);
    if (known?.valuesOf === valuesOf) return;
    if (known) throw new Error(`index '${name}' exists with another function`);
    const index: Index<T> = { valuesOf, keys: new Map() };
    this.#indexes.set(name, index);
    for (const object of this.#objects.values()) include(index, object);
  }

  byIndex(name: string, value: string): T[] {
    const index = this.#indexes.get(name);
    if (!index) throw new Error(`there is no index '${name}'`);
    return Array.from(index.keys.get(value) ?? [], (key) => this.#objects.get(key)!);
  }

  changesOfSeen(object: T): Change<T>[] {
    return changesOfSeen(this, object);
  }

  changesOfGone(object: T): Change<T>[] {
    return changesOfGone(this, object);
  }

  changesOfAll(objects: readonly T[]): Change<T>[] {
    return changesOfAll(this, objects);
  }

  apply(change: Change<T>): void {
    const key = keyOf(change.object);
    const old = this.#objects.get(key);
    if (old) for (const index of this.#indexes.values()) exclude(index, old);
    if (change.type === 'deleted') {
      this.#objects.delete(key);
      return;
    }
    this.#objects.set(key, change.object);
    for (const index of this.#indexes.values()) include(index, change.object);
  }
}

function include<T extends KubeObject>(index: Index<T>, object: T): void {
  for (const value of index.valuesOf(object)) {
    const keys = index.keys.get(value);
    if (keys) keys.add(keyOf(object));
    else index.keys.set(value, new Set([keyOf(object)]));
  }
}

function exclude<T extends KubeObject>(index: Index<T>, object: T): void {
  for (const value of index.valuesOf(object)) {
    const keys = index.keys.get(value);
    keys?.delete(keyOf(object));
    if (keys?.size === 0) index.keys.delete(value);
  }
}
