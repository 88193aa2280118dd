import type { Clock } from '@fairlead/kube';

/** A value that is expensive to compute and need not be exact: computed at most every `ms`. */
export function cachedFor<T>(clock: Clock, ms: number, count: () => T): () => T {
  let last: { readonly at: number; readonly value: T } | undefined;
  return () => {
    const now = clock.now();
    if (!last || now < last.at || now - last.at >= ms) last = { at: now, value: count() };
    return last.value;
  };
}
