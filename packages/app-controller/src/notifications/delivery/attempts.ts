import { Backoff, type Clock, type Random } from '@fairlead/kube';

/** Where the delivery of one notification stands. */
export type Attempt =
  | { readonly phase: 'sending'; readonly tries: number }
  | { readonly phase: 'delivered'; readonly at: number; readonly tries: number }
  | {
      readonly phase: 'failed';
      readonly at: number;
      readonly tries: number;
      readonly nextAt: number;
      readonly error: string;
    };

interface Entry {
  attempt: Attempt;
  readonly backoff: Backoff;
}

const backoffOptions = { baseMs: 30_000, maxMs: 30 * 60_000, jitter: 0.1 };

/** The attempts of one Application, by the key of their mark: what is being sent, what is to be marked, and when to try again. */
export class Attempts {
  readonly #entries = new Map<string, Entry>();
  readonly #clock: Clock;
  readonly #random: Random;

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  get(key: string): Attempt | undefined {
    return this.#entries.get(key)?.attempt;
  }

  list(): [key: string, attempt: Attempt][] {
    return [...this.#entries].map(([key, { attempt }]) => [key, attempt]);
  }

  /** Whether to send now: nothing was tried, or it is time to try again. */
  isDue(key: string): boolean {
    const attempt = this.get(key);
    return !attempt || (attempt.phase === 'failed' && attempt.nextAt <= this.#clock.now());
  }

  /** When the next one is to be tried again. */
  get nextAt(): number | undefined {
    const times = this.list().flatMap(([, attempt]) => (attempt.phase === 'failed' ? [attempt.nextAt] : []));
    return times.length === 0 ? undefined : Math.min(...times);
  }

  begin(key: string): { delivered(): void; failed(error: string): void } {
    const entry = this.#entries.get(key) ?? {
      attempt: { phase: 'sending', tries: 0 },
      backoff: new Backoff(this.#random, backoffOptions),
    };
    const tries = entry.attempt.tries + 1;
    entry.attempt = { phase: 'sending', tries };
    this.#entries.set(key, entry);
    const end = (attempt: (now: number) => Attempt): void => {
      // A condition that has turned false since then has ended the attempt.
      if (this.#entries.get(key) === entry) entry.attempt = attempt(this.#clock.now());
    };
    return {
      delivered: () => end((at) => ({ phase: 'delivered', at, tries })),
      failed: (error) => end((at) => ({ phase: 'failed', at, tries, nextAt: at + entry.backoff.next(), error })),
    };
  }

  forget(key: string): void {
    this.#entries.delete(key);
  }

  /** Tries everything that has failed again at the next reconcile: the configuration has changed. */
  retryNow(): void {
    for (const entry of this.#entries.values()) {
      if (entry.attempt.phase === 'failed') entry.attempt = { ...entry.attempt, nextAt: this.#clock.now() };
    }
  }

  /** Keeps only what is still asked for. */
  retain(keys: ReadonlySet<string>): void {
    for (const key of this.#entries.keys()) if (!keys.has(key)) this.#entries.delete(key);
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }
}
