import { type Clock, type Lanes, RecentActivity, sleep } from '@fairlead/kube';

/** A tenant with more waiting keys than this is flooding. */
const floodAbove = 32;
/** How long the slot of a flooding tenant stays empty after each reconcile. */
const pauseMs = 80;

/**
 * Keeps the slot of a flooding tenant empty for a moment after each reconcile, while other tenants are active. Fair lanes are not enough:
 * all tenants share the processor, the database and the API, and the backlog of one should not keep them busy.
 */
export class FloodThrottle {
  readonly #lanes: Pick<Lanes, 'laneOf' | 'lengthOf'>;
  readonly #clock: Clock;
  readonly #activity = new RecentActivity();

  constructor(lanes: Pick<Lanes, 'laneOf' | 'lengthOf'>, clock: Clock) {
    this.#lanes = lanes;
    this.#clock = clock;
  }

  /** Called after a reconcile, before its slot is released. */
  async after(key: string, signal: AbortSignal): Promise<void> {
    const isAlone = !this.#activity.record(this.#lanes.laneOf(key), this.#clock.now());
    if (isAlone || this.#lanes.lengthOf(key) <= floodAbove) return;
    await sleep(this.#clock, pauseMs, signal).catch(() => {});
  }
}
