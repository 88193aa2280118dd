import { setTimeout as timeout } from 'node:timers/promises';
import { type Clock, Heap } from '@fairlead/kube';

interface Timer {
  readonly at: number;
  readonly arrival: number;
  run: (() => void) | undefined;
}

/** Timers so close together run without a pause between them. */
const togetherMs = 20;
/** How many times without activity count as idle. */
const quietTurns = 3;

/**
 * A clock that stops while work is running, and jumps to the next timer when the process is idle. Waiting takes no real time, and no result
 * depends on the speed of the machine.
 *
 * - Work that needs no timer is either counted (`track`) or detected by `activity`, which returns a number that changes with it.
 * - Time passes only within `advance` and `during`.
 */
export class IdleClock implements Clock {
  readonly #timers = new Heap<Timer>((a, b) => (a.at === b.at ? a.arrival < b.arrival : a.at < b.at));
  readonly #activities: (() => number)[] = [];
  #now = Math.ceil(Date.now() / 1000) * 1000;
  #arrivals = 0;
  #working = 0;
  #finished = 0;

  now(): number {
    return this.#now;
  }

  after(ms: number, run: () => void): () => void {
    this.#arrivals += 1;
    const timer: Timer = { at: this.#now + Math.max(0, ms), arrival: this.#arrivals, run };
    this.#timers.push(timer);
    return () => {
      timer.run = undefined;
    };
  }

  /** Another activity whose change means that work is running. */
  observe(activity: () => number): void {
    this.#activities.push(activity);
  }

  /** Time does not advance before this work has ended. */
  async track<T>(work: () => Promise<T>): Promise<T> {
    this.#working += 1;
    try {
      return await work();
    } finally {
      this.#working -= 1;
      this.#finished += 1;
    }
  }

  /** Advances the time, and runs everything that is due. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await this.#quiet();
    while (this.#nextAt() <= end) {
      this.#runDue(Math.min(end, this.#nextAt() + togetherMs));
      await this.#quiet();
    }
    this.#now = end;
  }

  /** Advances the time until the work has ended. */
  async during<T>(work: Promise<T>): Promise<T> {
    let ended = false;
    const end = (): void => {
      ended = true;
    };
    work.then(end, end);
    while (!ended) await this.advance(togetherMs);
    return work;
  }

  async #quiet(): Promise<void> {
    let seen = this.#activity();
    for (let turns = 0; turns < quietTurns; ) {
      await timeout(1);
      const now = this.#activity();
      turns = this.#working === 0 && now === seen ? turns + 1 : 0;
      seen = now;
    }
  }

  #activity(): string {
    return [this.#finished, this.#arrivals, ...this.#activities.map((one) => one())].join();
  }

  #runDue(until: number): void {
    for (let next = this.#nextAt(); next <= until; next = this.#nextAt()) {
      const timer = this.#timers.pop();
      this.#now = Math.max(this.#now, next);
      timer?.run?.();
    }
  }

  #nextAt(): number {
    for (let next = this.#timers.peek(); next; next = this.#timers.peek()) {
      if (next.run) return next.at;
      this.#timers.pop();
    }
    return Number.POSITIVE_INFINITY;
  }
}
