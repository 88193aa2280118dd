import { getOrCreate } from '@fairlead/apimachinery';
import { type Clock, systemClock } from '../clock.ts';
import { type Order, PriorityOrder } from './order.ts';

/** The metrics of a queue. `lane` is `''` if there are no lanes. */
export interface QueueMetrics {
  depth(lane: string, keys: number): void;
  added(lane: string): void;
  /** From the add of a key to the start of its processing. */
  waited(lane: string, ms: number): void;
  worked(lane: string, ms: number): void;
  retried(lane: string): void;
}

export interface WorkQueueOptions {
  readonly clock?: Clock;
  readonly order?: Order;
  readonly metrics?: QueueMetrics;
}

export interface AddOptions {
  /** Higher is first; 0 by default. */
  readonly priority?: number;
}

/** Above every priority that callers use. */
const resumedPriority = Number.MAX_SAFE_INTEGER;

/**
 * Keys that wait to be reconciled.
 *
 * - Fair: keys are returned in the order of their adds, unless an `Order` overrides it.
 * - Stingy: a key waits at most once, however often it is added, and is never processed by two workers. A key that is added while it is
 *   processed is returned again afterwards.
 * - Many producers and many workers; every `get` that returns a key is followed by one `done`.
 * - Clean shutdown: waiting keys are still returned, then `get` returns undefined; no new keys are accepted.
 *
 * Keys are strings because JavaScript compares objects by identity, and two names of one thing must be one key.
 */
export class WorkQueue {
  readonly #clock: Clock;
  readonly #order: Order;
  readonly #metrics: QueueMetrics | undefined;
  /** Every key that needs processing, with the time and the priority of its add. One that is not in `#processing` is in `#order`. */
  readonly #dirty = new Map<string, { since: number; priority: number }>();
  /** Every key that a worker holds, with the time it was taken. It may be dirty too, and is then not in `#order`. */
  readonly #processing = new Map<string, number>();
  /** Keys in process that no worker holds, by lane. */
  readonly #parked = new Map<string, Set<string>>();
  /** Keys in process that wait in `#order` for a worker to resume them. */
  readonly #resumed = new Set<string>();
  /** Workers that wait for a key, longest first. Empty whenever `#order` has a key that may start. */
  readonly #waiting: ((key: string | undefined) => void)[] = [];
  readonly #drained: (() => void)[] = [];
  #shutDown = false;

  constructor(options: WorkQueueOptions = {}) {
    this.#clock = options.clock ?? systemClock;
    this.#order = options.order ?? new PriorityOrder();
    this.#metrics = options.metrics;
  }

  /** Waiting keys, without those in process. */
  get length(): number {
    return this.#order.length;
  }

  get inFlight(): number {
    return this.#processing.size;
  }

  /** Since when the key that was added first waits; undefined if none does. */
  get waitingSince(): number | undefined {
    const [first] = this.#dirty.values();
    return first?.since;
  }

  get isShutDown(): boolean {
    return this.#shutDown;
  }

  /** Parked keys of the lane of this key. */
  parkedBeside(key: string): number {
    return this.#parked.get(this.laneOf(key))?.size ?? 0;
  }

  laneOf(key: string): string {
    return this.#order.laneOf?.(key) ?? '';
  }

  add(key: string, options: AddOptions = {}): void {
    if (this.#shutDown) return;
    const priority = options.priority ?? 0;
    const dirty = this.#dirty.get(key);
    if (dirty) {
      if (priority > dirty.priority) dirty.priority = priority;
      if (!this.#processing.has(key)) this.#order.touch(key, dirty.priority);
      return;
    }
    this.#dirty.set(key, { since: this.#clock.now(), priority });
    this.#metrics?.added(this.laneOf(key));
    if (this.#processing.has(key)) return;
    this.#order.push(key, priority);
    this.#reportDepth(key);
    this.#handOut();
  }

  /** The next key, once there is one; undefined if the queue is shut down and empty. */
  get(): Promise<string | undefined> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#handOut();
    });
  }

  done(key: string): void {
    const since = this.#processing.get(key);
    if (since === undefined) throw new Error(`done('${key}') without get`);
    this.#processing.delete(key);
    this.#metrics?.worked(this.laneOf(key), this.#clock.now() - since);
    this.#order.done(key);
    const dirty = this.#dirty.get(key);
    if (dirty) {
      this.#order.push(key, dirty.priority);
      this.#reportDepth(key);
    }
    this.#handOut();
  }

  /**
   * The worker releases a key that waits for something else, and may `get` another one. The key stays in process, so that no second worker
   * starts with it, until it is resumed, returned again and done.
   */
  park(key: string): void {
    if (!this.#processing.has(key)) throw new Error(`park('${key}') without get`);
    getOrCreate(this.#parked, this.laneOf(key), () => new Set<string>()).add(key);
    this.#order.done(key);
    this.#handOut();
  }

  /** Returns a parked key again, before the waiting keys of its lane: its work has started, and uses memory. */
  resume(key: string): void {
    const lane = this.laneOf(key);
    const parked = this.#parked.get(lane);
    if (!parked?.delete(key)) throw new Error(`resume('${key}') without park`);
    if (parked.size === 0) this.#parked.delete(lane);
    this.#resumed.add(key);
    this.#order.push(key, resumedPriority);
    this.#handOut();
  }

  /** No key is accepted from now on. Resolves when every queued key has been processed. */
  shutDown(): Promise<void> {
    this.#shutDown = true;
    return new Promise((resolve) => {
      this.#drained.push(resolve);
      this.#handOut();
    });
  }

  #handOut(): void {
    while (this.#waiting.length > 0) {
      const key = this.#order.pop();
      if (key === undefined) break;
      if (this.#resumed.delete(key)) {
        this.#waiting.shift()!(key);
        continue;
      }
      const now = this.#clock.now();
      this.#metrics?.waited(this.laneOf(key), now - this.#dirty.get(key)!.since);
      this.#dirty.delete(key);
      this.#processing.set(key, now);
      this.#reportDepth(key);
      this.#waiting.shift()!(key);
    }
    if (!this.#shutDown || this.#order.length > 0) return;
    // A key in process that was added again or is parked returns to the order, so workers are released only without one.
    if (this.#dirty.size > 0 || this.#parked.size > 0) return;
    for (const resolve of this.#waiting.splice(0)) resolve(undefined);
    if (this.#processing.size === 0) for (const resolve of this.#drained.splice(0)) resolve();
  }

  #reportDepth(key: string): void {
    const order = this.#order;
    this.#metrics?.depth(this.laneOf(key), order.lengthOf?.(key) ?? order.length);
  }
}
