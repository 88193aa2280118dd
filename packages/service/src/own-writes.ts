import { type KubeObject, keyOf } from '@fairlead/apimachinery';
import type { Informer } from '@fairlead/kube';

/** The response to a write arrives long before this many other objects are deleted. */
const maxGone = 1_000;

/**
 * Objects as this process knows them: from the watch, or from the response to an own write until the watch has caught up with it.
 * Without this, a reconcile right after a write would decide on the state before it.
 */
export class OwnWrites<T extends KubeObject> {
  readonly #informer: Pick<Informer<T>, 'get'>;
  readonly #written = new Map<string, T>();
  /** The uids of recently deleted objects: the response to a write may arrive later, and must not bring the object back. */
  readonly #gone = new Set<string>();

  constructor(informer: Informer<T>) {
    this.#informer = informer;
    const caughtUp = (object: T): void => {
      const written = this.#written.get(keyOf(object));
      if (written && !isOlder(object, written)) this.#written.delete(keyOf(object));
    };
    informer.addHandler({
      onAdd: caughtUp,
      onUpdate: (_, object) => caughtUp(object),
      onDelete: (object) => {
        this.#written.delete(keyOf(object));
        this.#gone.add(object.metadata.uid ?? '');
        const [oldest] = this.#gone;
        if (this.#gone.size > maxGone && oldest !== undefined) this.#gone.delete(oldest);
      },
    });
  }

  get(key: string): T | undefined {
    const seen = this.#informer.get(key);
    const written = this.#written.get(key);
    return written && (!seen || isOlder(seen, written)) ? written : seen;
  }

  wrote(object: T): void {
    if (this.#gone.has(object.metadata.uid ?? '')) return;
    const seen = this.#informer.get(keyOf(object));
    if (!seen || isOlder(seen, object)) this.#written.set(keyOf(object), object);
  }

  /** The object was deleted. */
  gone(key: string): void {
    this.#written.delete(key);
  }
}

/** Resource versions of one object increase; if they are not numbers, the watch is trusted. */
function isOlder(a: KubeObject, b: KubeObject): boolean {
  const [x = '', y = ''] = [a.metadata.resourceVersion, b.metadata.resourceVersion];
  return /^\d+$/u.test(x) && /^\d+$/u.test(y) && BigInt(x) < BigInt(y);
}
