import { type Clock, Heap, type Random } from '@fairlead/kube';

interface Timer {
  readonly at: number;
  /** Orders timers of the same time. */
  readonly rank: number;
  readonly arrival: number;
  run: (() => void) | undefined;
}

/**
 * Time that advances only on request, to the next timer.
 *
 * - Timers run one at a time, in order, and between two of them everything that needs no time (promises, async iterators) runs until it is
 *   idle.
 * - Timers of the same time run in the order of creation, or, with a random source, in a random order, as on a real machine.
 */
export class VirtualClock implements Clock {
  readonly #timers = new Heap<Timer>((a, b) => {
    if (a.at !== b.at) return a.at < b.at;
    return a.rank === b.rank ? a.arrival < b.arrival : a.rank < b.rank;
  });
  readonly #ties: Random | undefined;
  #now: number;
  #arrivals = 0;
  #cancelled = 0;

  constructor(options: { readonly start?: number; readonly ties?: Random } = {}) {
    this.#now = options.start ?? Date.UTC(2030, 0, 1);
    this.#ties = options.ties;
  }

  now(): number {
    return this.#now;
  }

  /** Timers that are set and not cancelled. */
  get pending(): number {
    return this.#timers.size - this.#cancelled;
  }

  after(ms: number, run: () => void): () => void {
    this.#arrivals += 1;
    const at = this.#now + Math.max(0, Math.ceil(ms));
    const timer: Timer = { at, rank: this.#ties?.() ?? 0, arrival: this.#arrivals, run };
    this.#timers.push(timer);
    return () => {
      if (!timer.run) return;
      timer.run = undefined;
      this.#cancelled += 1;
    };
  }

  /** Runs everything that is due within the next `ms`. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settle();
    while (this.#nextAt() <= end) await this.#runNext();
    this.#now = end;
  }

  /** Runs timers until none remains, for `limitMs` at most. Returns whether none remains. */
  async runUntilIdle(limitMs?: number): Promise<boolean> {
    return this.runUntil(() => this.pending === 0, limitMs);
  }

  /** Runs timers until the condition is true, for `limitMs` at most. Returns whether it is. */
  async runUntil(condition: () => boolean, limitMs = Number.POSITIVE_INFINITY): Promise<boolean> {
    const end = this.#now + limitMs;
    await settle();
    while (!condition()) {
      const at = this.#nextAt();
      if (at > end || at === Number.POSITIVE_INFINITY) {
        if (limitMs !== Number.POSITIVE_INFINITY) this.#now = end;
        return false;
      }
      await this.#runNext();
    }
    return true;
  }

  #nextAt(): number {
    for (let next = this.#timers.peek(); next; next = this.#timers.peek()) {
      if (next.run) return next.at;
      this.#timers.pop();
      this.#cancelled -= 1;
    }
    return Number.POSITIVE_INFINITY;
  }

  async #runNext(): Promise<void> {
    const timer = this.#timers.pop();
    if (!timer?.run) return;
    const { run } = timer;
    timer.run = undefined;
    this.#now = timer.at;
    run();
    await settle();
  }
}

/** Resolves when every promise that needs neither time nor I/O has settled: immediates run after all microtasks. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
