const firstMs = 1_000;
const longestMs = 15 * 60_000;

interface Entry {
  readonly ms: number;
  readonly at: number;
}

/** The back-off for replacing a pod that fails on a node: 1 s, 2 s, 4 s … 15 minutes. */
export class FailureBackoff {
  readonly #entries = new Map<string, Entry>();

  /** The remaining delay; undefined if it may be replaced now, which is recorded. */
  take(key: string, now: number): number | undefined {
    const entry = this.#entries.get(key);
    if (entry && now - entry.at < entry.ms) return entry.ms - (now - entry.at);
    const forgotten = !entry || now - entry.at > 2 * longestMs;
    this.#entries.set(key, { ms: forgotten ? firstMs : Math.min(entry.ms * 2, longestMs), at: now });
    if (this.#entries.size > 10_000) this.#forgetOld(now);
    return undefined;
  }

  #forgetOld(now: number): void {
    for (const [key, { at }] of this.#entries) if (now - at > 2 * longestMs) this.#entries.delete(key);
  }
}
