import { Heap } from './heap.ts';

/**
 * Decides which of the waiting keys is next. The work queue guarantees that a key is queued once and processed once at a time; an order
 * only decides between keys, so orders compose: lanes of priorities of arrival.
 */
export interface Order {
  /** Waiting keys, whether or not they may start now. */
  readonly length: number;
  push(key: string, priority: number): void;
  /** A waiting key was added again, with this priority. */
  touch(key: string, priority: number): void;
  /** The next key that may start, or undefined if none waits or every waiting key is blocked. */
  pop(): string | undefined;
  /** A popped key is done. */
  done(key: string): void;
  /** The lane of a key in metrics. */
  laneOf?(key: string): string;
  /** The number of waiting keys in the lane of this key. */
  lengthOf?(key: string): number;
}

interface Entry {
  readonly key: string;
  readonly priority: number;
  readonly arrival: number;
}

/**
 * Higher priority first, and in order of arrival within one priority. A key that is added again keeps its position, or moves up if the new
 * priority is higher; it never moves down. With a single priority this is first in, first out.
 */
export class PriorityOrder implements Order {
  #arrivals = 0;
  readonly #heap = new Heap<Entry>((a, b) =>
    a.priority === b.priority ? a.arrival < b.arrival : a.priority > b.priority,
  );
  /** The one valid entry of each waiting key: a raised key leaves its old entry in the heap, which is skipped. */
  readonly #valid = new Map<string, Entry>();

  get length(): number {
    return this.#valid.size;
  }

  push(key: string, priority: number): void {
    this.#arrivals += 1;
    this.#enter({ key, priority, arrival: this.#arrivals });
  }

  touch(key: string, priority: number): void {
    const entry = this.#valid.get(key);
    if (entry && priority > entry.priority) this.#enter({ ...entry, priority });
  }

  pop(): string | undefined {
    for (let entry = this.#heap.pop(); entry; entry = this.#heap.pop()) {
      if (this.#valid.get(entry.key) !== entry) continue;
      this.#valid.delete(entry.key);
      return entry.key;
    }
    return undefined;
  }

  done(): void {}

  #enter(entry: Entry): void {
    this.#valid.set(entry.key, entry);
    this.#heap.push(entry);
  }
}
