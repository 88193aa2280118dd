import { type KubeObject, keyOf } from '@fairlead/apimachinery';
import type { Informer } from '@fairlead/kube';

/**
 * Objects as this process knows them: from the watch, or from the answer to one of its own writes until the watch has it. Without this, a
 * reconcile right after a write would create what it has just created.
 */
export class OwnWrites<T extends KubeObject> {
  readonly #informer: Informer<T>;
  readonly #written = new Map<string, T>();
  readonly #indexOf: (object: T) => string | undefined;
  readonly #index: string;

  /** `indexOf` gives the value of an index that the informer has under the name. */
  constructor(informer: Informer<T>, index: string, indexOf: (object: T) => string | undefined) {
    this.#informer = informer;
    this.#index = index;
    this.#indexOf = indexOf;
    const seen = (object: T): void => {
      const written = this.#written.get(keyOf(object));
      if (written && !isNewer(written, object)) this.#written.delete(keyOf(object));
    };
    informer.addHandler({
      onAdd: seen,
      onUpdate: (_, object) => seen(object),
      onDelete: (object) => {
        const written = this.#written.get(keyOf(object));
        if (written?.metadata.uid === object.metadata.uid) this.#written.delete(keyOf(object));
      },
    });
  }

  get(key: string): T | undefined {
    return this.#written.get(key) ?? this.#informer.get(key);
  }

  byIndex(value: string): T[] {
    const found = this.#informer.byIndex(this.#index, value);
    if (this.#written.size === 0) return found;
    const objects = new Map(found.map((object) => [keyOf(object), object]));
    for (const [key, object] of this.#written) {
      if (this.#indexOf(object) === value) objects.set(key, object);
      else objects.delete(key);
    }
    return [...objects.values()];
  }

  /** The answer to a write of ours. */
  wrote(object: T): void {
    const seen = this.#informer.get(keyOf(object));
    if (!seen || isNewer(object, seen)) this.#written.set(keyOf(object), object);
  }
}

/** Resource versions of one object grow; where they are not numbers, the watch is trusted to be current. */
function isNewer(a: KubeObject, b: KubeObject): boolean {
  const [x = '', y = ''] = [a.metadata.resourceVersion, b.metadata.resourceVersion];
  return /^\d+$/u.test(x) && /^\d+$/u.test(y) && BigInt(x) > BigInt(y);
}
