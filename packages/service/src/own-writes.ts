import { type KubeObject, keyOf } from '@fairlead/apimachinery';
import type { Informer } from '@fairlead/kube';

/** A write is answered long before so many others are gone. */
const maxGone = 1_000;

/**
 * Objects as this process knows them: from the watch, or from the answer to one of its own writes while the watch has not caught up with
 * it. Without this, a look right after a write would decide on what was before it.
 */
export class OwnWrites<T extends KubeObject> {
  readonly #informer: Pick<Informer<T>, 'get'>;
  readonly #written = new Map<string, T>();
  /** The uids that went of late: the answer to a write may come after that, and must not bring its object back. */
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

  /** It was deleted by us, or found to be gone. */
  gone(key: string): void {
    this.#written.delete(key);
  }
}

/** Resource versions of one object grow; where they are no numbers, the watch is believed. */
function isOlder(a: KubeObject, b: KubeObject): boolean {
  const [x = '', y = ''] = [a.metadata.resourceVersion, b.metadata.resourceVersion];
  return /^\d+$/u.test(x) && /^\d+$/u.test(y) && BigInt(x) < BigInt(y);
}
