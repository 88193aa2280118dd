import type { Clock } from '../clock.ts';
import { limits } from '../limits/limit-table.ts';

interface Penalty {
  readonly exceeded: number;
  /** When the next task may start. */
  readonly until: number;
}

const firstPauseMs = 1_000;
const forgetAfterMs = 600_000;

/**
 * Delays lanes whose tasks exceed limits. The first time has no penalty; after that, the pauses of a lane grow, and it runs one task at a
 * time. Each task that succeeds reduces the penalty by one step.
 */
export class LanePenalties {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #penalties = new Map<string, Penalty>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  exceeded(lane: string): void {
    const now = this.#clock.now();
    for (const [name, { until }] of this.#penalties) if (now > until + forgetAfterMs) this.#penalties.delete(name);
    const exceeded = (this.#penalties.get(lane)?.exceeded ?? 0) + 1;
    const pauseMs = exceeded < 2 ? 0 : Math.min(limits.sandboxPauseMs, firstPauseMs * 2 ** Math.min(exceeded - 2, 16));
    this.#penalties.set(lane, { exceeded, until: now + pauseMs });
  }

  succeeded(lane: string): void {
    const penalty = this.#penalties.get(lane);
    if (!penalty) return;
    if (penalty.exceeded > 1) this.#penalties.set(lane, { ...penalty, exceeded: penalty.exceeded - 1 });
    else this.#penalties.delete(lane);
  }

  has(lane: string): boolean {
    return this.#penalties.has(lane);
  }

  /** How long the lane must wait before its next task. */
  pauseMs(lane: string): number {
    return Math.max(0, (this.#penalties.get(lane)?.until ?? 0) - this.#clock.now());
  }
}
