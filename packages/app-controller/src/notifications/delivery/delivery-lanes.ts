import { limits } from '@fairlead/kube';

const { notificationsPerDestination: perDestination, notifications: inAll, notificationsWaiting: maxWaiting } = limits;

interface Lane {
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * Deliveries in a lane for each destination: one that is slow delays its own deliveries only.
 *
 * - A lane runs a few deliveries at once, in the order of their arrival.
 * - A lane that is full refuses more, so that a receiver that is down does not fill the memory.
 */
export class DeliveryLanes {
  readonly #lanes = new Map<string, Lane>();
  readonly #blocked = new Set<string>();
  #running = 0;

  /** Deliveries that run or wait. */
  get pending(): number {
    return [...this.#lanes.values()].reduce((sum, { running, waiting }) => sum + running + waiting.length, 0);
  }

  async run<T>(name: string, deliver: () => Promise<T>): Promise<T> {
    const lane = this.#lanes.get(name) ?? { running: 0, waiting: [] };
    this.#lanes.set(name, lane);
    if (lane.waiting.length >= maxWaiting)
      throw new Error(`${maxWaiting} notifications wait for this destination already`);
    const turn = new Promise<void>((resolve) => lane.waiting.push(resolve));
    this.#start(name, lane);
    await turn;
    try {
      return await deliver();
    } finally {
      lane.running -= 1;
      this.#running -= 1;
      this.#start(name, lane);
      if (lane.running === 0 && lane.waiting.length === 0) this.#lanes.delete(name);
      this.#startBlocked();
    }
  }

  /** Lanes that wait for room get it in the order in which they began to wait. */
  #startBlocked(): void {
    for (const name of [...this.#blocked]) {
      if (this.#running >= inAll) return;
      const lane = this.#lanes.get(name);
      if (lane) this.#start(name, lane);
    }
  }

  #start(name: string, lane: Lane): void {
    this.#blocked.delete(name);
    while (lane.running < perDestination && lane.waiting.length > 0) {
      if (this.#running >= inAll) {
        this.#blocked.add(name);
        return;
      }
      lane.running += 1;
      this.#running += 1;
      lane.waiting.shift()?.();
    }
  }
}
