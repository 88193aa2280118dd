import { type Clock, type Lanes, RecentActivity, sleep } from '@fairlead/kube';

/** From so many waiting keys on, a tenant's work is a flood. */
const floodAbove = 32;
/** How long a flooding tenant's place stays empty after each piece of its work. */
const pauseMs = 80;

/**
 * Holds a flooding tenant's place for a moment after each piece of its work, while others are at work too. KeyedMutex alone are not enough: the
 * processor, the database and the API are everybody's, and what one tenant has queued should not keep them busy for all.
 */
export class FloodThrottle {
  readonly #lanes: Pick<Lanes, 'laneOf' | 'lengthOf'>;
  readonly #clock: Clock;
  readonly #activity = new RecentActivity();

  constructor(lanes: Pick<Lanes, 'laneOf' | 'lengthOf'>, clock: Clock) {
    this.#lanes = lanes;
    this.#clock = clock;
  }

  /** To be called after a piece of work, while its place is still taken. */
  async after(key: string, signal: AbortSignal): Promise<void> {
    const isAlone = !this.#activity.record(this.#lanes.laneOf(key), this.#clock.now());
    if (isAlone || this.#lanes.lengthOf(key) <= floodAbove) return;
    await sleep(this.#clock, pauseMs, signal).catch(() => {});
  }
}
