import type { Random, RateLimiter } from '@fairlead/kube';

/** 100 ms after the first failure of a key, doubled after each further one, at most a minute, with jitter. */
export class RetryLimiter implements RateLimiter {
  readonly #random: Random;
  readonly #failures = new Map<string, number>();

  constructor(random: Random) {
    this.#random = random;
  }

  when(key: string): number {
    const failures = this.retries(key);
    this.#failures.set(key, failures + 1);
    return Math.min(60_000, 100 * 2 ** Math.min(failures, 20) * (0.75 + this.#random() / 2));
  }

  forget(key: string): void {
    this.#failures.delete(key);
  }

  retries(key: string): number {
    return this.#failures.get(key) ?? 0;
  }
}
