import type { Random } from '../random.ts';

export interface BackoffOptions {
  readonly baseMs: number;
  readonly maxMs: number;
  /** The factor between two delays; 2 by default. */
  readonly factor?: number;
  /** The random share added to a delay; 1 by default, so that many clients of one failing server spread out. */
  readonly jitter?: number;
}

/** The delays between attempts of one failing operation: increasing and jittered. */
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

  /** The delay after one more failure, in ms. */
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
