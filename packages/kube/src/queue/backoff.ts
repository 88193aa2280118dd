import type { Random } from '../random.ts';

export interface BackoffOptions {
  readonly baseMs: number;
  readonly maxMs: number;
  /** How much longer each wait is than the one before; 2 when not given. */
  readonly factor?: number;
  /** The share of a wait that is random on top of it; 1 when not given, so that many clients of one broken server spread out. */
  readonly jitter?: number;
}

/** The waits between tries of one thing that fails: ever longer, never the same for two clients. */
export class Backoff {
  readonly #options: BackoffOptions;
  readonly #random: Random;
  #failures = 0;

  constructor(random: Random, options: BackoffOptions) {
    this.#options = options;
    this.#random = random;
  }

  get failures(): number {
    return this.#failures;
  }

  /** The wait after one more failure, in ms. */
  next(): number {
    const { baseMs, maxMs, factor = 2, jitter = 1 } = this.#options;
    const wait = Math.min(maxMs, baseMs * factor ** Math.min(this.#failures, 64));
    this.#failures += 1;
    return wait * (1 + jitter * this.#random());
  }

  reset(): void {
    this.#failures = 0;
  }
}
