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
 * Ids contain a name of this process: an id of another one, or of the time before a restart, is unknown. They also contain the resource version of the
 * last Application that this process has seen: another process knows by it whether its lists are as new.
 */
export class EventLog {
  readonly #name: string;
  readonly #capacity: number;
  readonly #changes: (FleetChange | undefined)[] = [];
  readonly #listeners = new Set<() => void>();
  readonly #seeListeners = new Set<() => void>();
  #last = 0;
  #seen = 0n;

  constructor(name: string, capacity: number) {
    this.#name = name;
    this.#capacity = capacity;
  }

  /** The number of the last change; 0 if there was none. */
  get last(): number {
    return this.#last;
  }

  /** This process has the Application of this resource version. */
  see(resourceVersion: string | undefined): void {
    const seen = versionOf(resourceVersion ?? '');
    if (seen !== undefined && seen > this.#seen) this.#seen = seen;
    for (const listener of this.#seeListeners) listener();
  }

  /** Whether the state of this process includes what the process of an id had seen. Unknown ids are of no process. */
  includes(id: string): boolean {
    const [, , digits = ''] = id.split('-');
    return (versionOf(digits) ?? 0n) <= this.#seen;
  }

  /** Returns a function that ends it. */
  onSee(listener: () => void): () => void {
    this.#seeListeners.add(listener);
    return () => void this.#seeListeners.delete(listener);
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
    return `${this.#name}-${number}-${this.#seen}`;
  }

  /** The number in an id, if the stream can continue after it. */
  positionOf(id: string): number | undefined {
    const [name, digits = '', , ...more] = id.split('-');
    if (name !== this.#name || more.length > 0 || !/^\d{1,15}$/u.test(digits)) return undefined;
    return this.isCovered(Number(digits)) ? Number(digits) : undefined;
  }

  /** Returns a function that ends it. */
  onAppend(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

/** Resource versions are numbers that grow, in every API server that keeps objects in etcd, and in the embedded one. */
const versionOf = (text: string): bigint | undefined => (/^\d{1,20}$/u.test(text) ? BigInt(text) : undefined);
