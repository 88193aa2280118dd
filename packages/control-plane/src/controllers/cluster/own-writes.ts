import { type KubeObject, keyOf } from '@fairlead/apimachinery';

type Expected = { readonly version: number } | { readonly gone: string };

/**
 * Writes of a controller that its informer may not have received yet, in groups. A decision about a group that is based on a stale cache
 * would be repeated.
 */
export class OwnWrites {
  readonly #groups = new Map<string, Map<string, Expected>>();

  wrote(group: string, object: KubeObject): void {
    this.#note(group, keyOf(object), { version: Number(object.metadata.resourceVersion ?? 0) });
  }

  removed(group: string, object: KubeObject): void {
    this.#note(group, keyOf(object), { gone: object.metadata.uid ?? '' });
  }

  /** Whether the cache is stale; received writes are dropped. */
  isBehind(group: string, copyOf: (key: string) => KubeObject | undefined): boolean {
    const expected = this.#groups.get(group);
    if (!expected) return false;
    for (const [key, expectation] of expected) {
      const copy = copyOf(key);
      const reached =
        'gone' in expectation
          ? copy?.metadata.uid !== expectation.gone
          : Number(copy?.metadata.resourceVersion ?? 0) >= expectation.version;
      if (reached) expected.delete(key);
    }
    if (expected.size === 0) this.#groups.delete(group);
    return expected.size > 0;
  }

  forget(group: string): void {
    this.#groups.delete(group);
  }

  #note(group: string, key: string, expectation: Expected): void {
    const there = this.#groups.get(group);
    if (there) there.set(key, expectation);
    else this.#groups.set(group, new Map([[key, expectation]]));
  }
}
