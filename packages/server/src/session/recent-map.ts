import type { Clock } from '@fairlead/kube';

interface Entry<T> {
  readonly value: T;
  readonly until: number;
}

/** Values that are kept for a time. Beyond the limit, the one that was set first is forgotten. */
export class RecentMap<T> {
  readonly #clock: Clock;
  readonly #maxEntries: number;
  readonly #entries = new Map<string, Entry<T>>();

  constructor({ clock, maxEntries }: { readonly clock: Clock; readonly maxEntries: number }) {
    this.#clock = clock;
    this.#maxEntries = maxEntries;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (entry && entry.until > this.#clock.now()) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  set(key: string, value: T, ms: number): void {
    const now = this.#clock.now();
    this.#entries.delete(key);
    this.#entries.set(key, { value, until: now + ms });
    for (const [known, { until }] of this.#entries) {
      if (until > now && this.#entries.size <= this.#maxEntries) break;
      this.#entries.delete(known);
    }
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
