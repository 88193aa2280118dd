import { getOrCreate } from '@fairlead/apimachinery';
import { type Clock, systemClock } from '../clock.ts';
import { type Order, PriorityOrder } from './order.ts';

/** The metrics of a queue. `lane` is `''` where there are no lanes. */
export interface QueueMetrics {
  depth(lane: string, keys: number): void;
  added(lane: string): void;
  /** From when a key was added to when work on it began. */
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
  /** Higher goes first; 0 when not given. */
  readonly priority?: number;
}

/** Above every priority that callers use. */
const resumedPriority = Number.MAX_SAFE_INTEGER;

/**
 * Keys that wait to be reconciled.
 *
 * - Fair: keys are handed out in the order they came, unless an `Order` says otherwise.
 * - Stingy: a key waits at most once, however often it is added, and is never in the hands of two workers. A key that is added
 *   while it is worked on is handed out again afterwards.
 * - Many producers and many workers; every `get` that gives a key is answered by one `done`.
 * - Clean shutdown: what waits is still handed out, then `get` gives undefined; nothing new comes in.
 *
 * Keys are strings because JavaScript compares objects by identity, and two names of one thing must be one key.
 */
export class WorkQueue {
  readonly #clock: Clock;
  readonly #order: Order;
  readonly #metrics: QueueMetrics | undefined;
  /** Every key that needs work, with the time and the priority it was added at. One that is not in `#processing` is in `#order`. */
  readonly #dirty = new Map<string, { since: number; priority: number }>();
  /** Every key in the hands of a worker, with the time it was taken. It may be dirty too, and is then not in `#order`. */
  readonly #processing = new Map<string, number>();
  /** Keys in process that no worker holds, by lane. */
  readonly #parked = new Map<string, Set<string>>();
  /** Keys in process that wait in `#order` for a worker to go on with them. */
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

  /** Keys that wait, without those in process. */
  get length(): number {
    return this.#order.length;
  }

  get inFlight(): number {
    return this.#processing.size;
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

  /** The next key, once there is one; undefined when the queue is shut down and empty. */
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
   * The worker lets go of a key that waits for something else, and may `get` another one. The key stays in process, so that no second
   * worker starts with it, until it was resumed, handed out again and done.
   */
  park(key: string): void {
    if (!this.#processing.has(key)) throw new Error(`park('${key}') without get`);
    getOrCreate(this.#parked, this.laneOf(key), () => new Set<string>()).add(key);
    this.#order.done(key);
    this.#handOut();
  }

  /** Hands a parked key out again, before the waiting keys of its lane: its work has started, and takes memory. */
  resume(key: string): void {
    const lane = this.laneOf(key);
    const parked = this.#parked.get(lane);
    if (!parked?.delete(key)) throw new Error(`resume('${key}') without park`);
    if (parked.size === 0) this.#parked.delete(lane);
    this.#resumed.add(key);
    this.#order.push(key, resumedPriority);
    this.#handOut();
  }

  /** No key comes in from now on. Resolves when every key that was in has been worked on. */
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
    // A key in process that was added again or is parked comes back into the order, so workers are let go only without one.
    if (this.#dirty.size > 0 || this.#parked.size > 0) return;
    for (const resolve of this.#waiting.splice(0)) resolve(undefined);
    if (this.#processing.size === 0) for (const resolve of this.#drained.splice(0)) resolve();
  }

  #reportDepth(key: string): void {
    const order = this.#order;
    this.#metrics?.depth(this.laneOf(key), order.lengthOf?.(key) ?? order.length);
  }
}
