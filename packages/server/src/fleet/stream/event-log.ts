import type { AgentSummary } from '../api/installation-shapes.ts';
import type { ApplicationRecord } from '../applications/summary.ts';

/** A change of an Application: created without `before`, deleted without `after`. */
export interface ApplicationChange {
  readonly kind: 'application';
  readonly before?: ApplicationRecord;
  readonly after?: ApplicationRecord;
}

/** A change of an agent. */
export interface AgentChange {
  readonly kind: 'agent';
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly agent: AgentSummary;
}

export type FleetChange = ApplicationChange | AgentChange;

/**
 * The last changes, each with a number. Clients of streams have a position in it and no queue: who is behind costs no memory, and reloads when
 * the change after its position is no longer kept.
 *
 * Ids contain a name of this process: an id of another one, or of the time before a restart, is unknown.
 */
export class EventLog {
  readonly #name: string;
  readonly #capacity: number;
  readonly #changes: (FleetChange | undefined)[] = [];
  readonly #listeners = new Set<() => void>();
  #last = 0;

  constructor(name: string, capacity: number) {
    this.#name = name;
    this.#capacity = capacity;
  }

  /** The number of the last change; 0 if there was none. */
  get last(): number {
    return this.#last;
  }

  append(change: FleetChange): void {
    this.#last += 1;
    this.#changes[this.#last % this.#capacity] = change;
    for (const listener of this.#listeners) listener();
  }

  /** Undefined if it is no longer kept, or does not exist yet. */
  at(number: number): FleetChange | undefined {
    if (number <= this.#last - this.#capacity || number > this.#last || number < 1) return undefined;
    return this.#changes[number % this.#capacity];
  }

  /** Whether all changes after this one are kept. */
  isCovered(number: number): boolean {
    return number >= this.#last - this.#capacity && number <= this.#last;
  }

  idOf(number: number): string {
    return `${this.#name}-${number}`;
  }

  /** The number in an id, if the stream can continue after it. */
  positionOf(id: string): number | undefined {
    const [name, digits = '', ...more] = id.split('-');
    if (name !== this.#name || more.length > 0 || !/^\d{1,15}$/u.test(digits)) return undefined;
    return this.isCovered(Number(digits)) ? Number(digits) : undefined;
  }

  /** Returns a function that ends it. */
  onAppend(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
