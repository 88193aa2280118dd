import { Heap } from './heap.ts';
import { type Order, PriorityOrder } from './order.ts';

export interface LaneLimits {
  /** The share of turns relative to other lanes with work; 1 by default. */
  readonly weight?: number;
  /** The maximum number of keys in flight; unlimited by default. */
  readonly maxInFlight?: number;
}

export interface LanesOptions {
  /** The lane of a key: a tenant, an agent, a registry. It must not change while the key is in the queue. */
  readonly laneOf: (key: string) => string;
  /** Called each time a lane gets its first key after it was empty. */
  readonly limits?: (lane: string) => LaneLimits;
  /** The order within a lane; priority and then arrival by default. */
  readonly within?: () => Order;
  /** A lane has neither waiting keys nor keys in flight, and is removed: its metric series can be dropped. */
  readonly onIdle?: (lane: string) => void;
}

interface Lane {
  readonly name: string;
  readonly order: Order;
  readonly weight: number;
  readonly maxInFlight: number;
  inFlight: number;
  /** The virtual time of its next turn: grows by 1/weight per turn, so lanes with work get turns in the ratio of their weights. */
  turn: number;
  /** Breaks ties by arrival. */
  ticket: number;
  /** Whether it is in `#ready`. True exactly if it has a waiting key and is below its limit. */
  ready: boolean;
}

/**
 * Fair scheduling between lanes.
 *
 * - Lanes with work take turns by weight, regardless of the number of keys in each: a flood in one lane delays only that lane.
 * - At most `maxInFlight` keys of a lane are processed at once, so slow work in one lane cannot take all workers.
 * - A lane that was empty joins at the current turn: it neither waits for earlier work of others, nor saves up turns.
 * - A turn costs the logarithm of the number of lanes that have work.
 */
export class Lanes implements Order {
  readonly #options: LanesOptions;
  readonly #lanes = new Map<string, Lane>();
  readonly #ready = new Heap<Lane>((a, b) => (a.turn === b.turn ? a.ticket < b.ticket : a.turn < b.turn));
  /** Turns that removed lanes are ahead of `#turn`: a lane that empties after each key must not get its next turn for free. */
  readonly #ahead = new Map<string, number>();
  #length = 0;
  #turn = 0;
  #tickets = 0;

  constructor(options: LanesOptions) {
    this.#options = options;
  }

  get length(): number {
    return this.#length;
  }

  laneOf(key: string): string {
    return this.#options.laneOf(key);
  }

  lengthOf(key: string): number {
    return this.#lanes.get(this.laneOf(key))?.order.length ?? 0;
  }

  push(key: string, priority: number): void {
    const lane = this.#lane(this.laneOf(key));
    lane.order.push(key, priority);
    this.#length += 1;
    this.#enter(lane);
  }

  touch(key: string, priority: number): void {
    this.#lanes.get(this.laneOf(key))?.order.touch(key, priority);
  }

  pop(): string | undefined {
    for (let lane = this.#ready.pop(); lane; lane = this.#ready.pop()) {
      lane.ready = false;
      const key = lane.order.pop();
      if (key === undefined) continue;
      this.#turn = lane.turn;
      lane.turn += 1 / lane.weight;
      lane.inFlight += 1;
      this.#length -= 1;
      this.#enter(lane);
      return key;
    }
    return undefined;
  }

  done(key: string): void {
    const lane = this.#lanes.get(this.laneOf(key));
    if (!lane) return;
    lane.inFlight -= 1;
    lane.order.done(key);
    this.#enter(lane);
    if (lane.inFlight > 0 || lane.order.length > 0) return;
    this.#forget(lane);
    this.#options.onIdle?.(lane.name);
  }

  #forget(lane: Lane): void {
    this.#lanes.delete(lane.name);
    if (this.#lanes.size === 0) this.#ahead.clear();
    else if (lane.turn > this.#turn) this.#ahead.set(lane.name, lane.turn);
    if (this.#ahead.size <= 2 * this.#lanes.size + 16) return;
    for (const [name, turn] of this.#ahead) if (turn <= this.#turn) this.#ahead.delete(name);
  }

  #enter(lane: Lane): void {
    if (lane.ready || lane.order.length === 0 || lane.inFlight >= lane.maxInFlight) return;
    lane.ready = true;
    lane.turn = Math.max(lane.turn, this.#turn);
    this.#tickets += 1;
    lane.ticket = this.#tickets;
    this.#ready.push(lane);
  }

  #lane(name: string): Lane {
    const known = this.#lanes.get(name);
    if (known) return known;
    const { weight = 1, maxInFlight = Number.POSITIVE_INFINITY } = this.#options.limits?.(name) ?? {};
    if (!(weight > 0) || !(maxInFlight >= 1))
      throw new Error(`lane '${name}': weight must be above 0 and maxInFlight at least 1`);
    const order = this.#options.within?.() ?? new PriorityOrder();
    const turn = this.#ahead.get(name) ?? this.#turn;
    const lane = { name, order, weight, maxInFlight, inFlight: 0, turn, ticket: 0, ready: false };
    this.#ahead.delete(name);
    this.#lanes.set(name, lane);
    return lane;
  }
}
