import { type Clock, systemClock } from '../clock.ts';

/** The delay before a failed key is retried. */
export interface RateLimiter {
  /** The delay for this failure of the key, in ms. Each call counts as a failure. */
  when(key: string): number;
  /** The key has succeeded, or is not retried any more. */
  forget(key: string): void;
  /** Failures since it was last forgotten. */
  retries(key: string): number;
}

/** Doubles the delay with each failure of one key: 5 ms, 10 ms, … up to 1,000 s by default. */
export class ExponentialBackoff implements RateLimiter {
  readonly #baseMs: number;
  readonly #maxMs: number;
  readonly #failures = new Map<string, number>();

  constructor(options: { baseMs?: number; maxMs?: number } = {}) {
    this.#baseMs = options.baseMs ?? 5;
    this.#maxMs = options.maxMs ?? 1_000_000;
  }

  when(key: string): number {
    const failures = this.retries(key);
    this.#failures.set(key, failures + 1);
    return Math.min(this.#maxMs, this.#baseMs * 2 ** failures);
  }

  forget(key: string): void {
    this.#failures.delete(key);
  }

  retries(key: string): number {
    return this.#failures.get(key) ?? 0;
  }
}

/** At most `perSecond` retries over all keys, with a `burst`. A delay is a reservation: later ones wait longer. */
export class TokenBucket implements RateLimiter {
  readonly #clock: Clock;
  readonly #perMs: number;
  readonly #burst: number;
  #tokens: number;
  #at: number;

  constructor(options: { perSecond?: number; burst?: number; clock?: Clock } = {}) {
    this.#clock = options.clock ?? systemClock;
    this.#perMs = (options.perSecond ?? 10) / 1000;
    this.#burst = options.burst ?? 100;
    this.#tokens = this.#burst;
    this.#at = this.#clock.now();
  }

  when(): number {
    this.#fill();
    this.#tokens -= 1;
    return this.#tokens >= 0 ? 0 : -this.#tokens / this.#perMs;
  }

  /** Takes this many tokens if they are available, without waiting. */
  tryTake(count = 1): boolean {
    this.#fill();
    if (this.#tokens < count) return false;
    this.#tokens -= count;
    return true;
  }

  #fill(): void {
    const now = this.#clock.now();
    this.#tokens = Math.min(this.#burst, this.#tokens + Math.max(0, now - this.#at) * this.#perMs);
    this.#at = now;
  }

  forget(): void {}

  retries(): number {
    return 0;
  }
}

/** The longest delay of several limiters. */
export class MaxOf implements RateLimiter {
  readonly #limiters: readonly RateLimiter[];

  constructor(...limiters: RateLimiter[]) {
    this.#limiters = limiters;
  }

  when(key: string): number {
    return Math.max(...this.#limiters.map((limiter) => limiter.when(key)));
  }

  forget(key: string): void {
    for (const limiter of this.#limiters) limiter.forget(key);
  }

  retries(key: string): number {
    return Math.max(...this.#limiters.map((limiter) => limiter.retries(key)));
  }
}

/**
 * Per-key back-off, so that one failing key is retried less and less, and a token bucket, so that many failing keys together are bounded
 * too.
 */
export const defaultRateLimiter = (clock: Clock = systemClock): RateLimiter =>
  new MaxOf(new ExponentialBackoff(), new TokenBucket({ clock }));
