import type { Application, ResourceStatus } from '@fairlead/api';
import type { Clock } from '@fairlead/kube';
import { isBehind, type Waiting, type Wanted, waitingFor } from './wait-conditions.ts';

/** How long Degraded must last to be believed: what was just mended takes a moment to show. */
export const degradedMs = 5_000;
/** How long a state is awaited that is newer than the end of the last operation. */
const behindMs = 3_000;

export type Verdict = 'waiting' | 'met' | 'degraded';

/** Judges the states of one Application as they come. */
export class Waiter {
  readonly #wanted: Wanted;
  readonly #clock: Clock;
  readonly #objects: ((application: Application) => readonly ResourceStatus[]) | undefined;
  #behindSince: { readonly finishedAt: string; readonly at: number } | undefined;
  #degradedSince: number | undefined;
  last: Waiting = { missing: [], degraded: false };

  constructor(wanted: Wanted, clock: Clock, objects?: (application: Application) => readonly ResourceStatus[]) {
    this.#wanted = wanted;
    this.#clock = clock;
    this.#objects = objects;
  }

  judge(application: Application): Verdict {
    const settled = this.#isSettled(application);
    const objects = this.#objects?.(application);
    this.last = waitingFor(application, this.#wanted, { settled, ...(objects ? { objects } : {}) });
    if (this.last.missing.length === 0) return 'met';
    if (!this.last.degraded) {
      this.#degradedSince = undefined;
      return 'waiting';
    }
    this.#degradedSince ??= this.#clock.now();
    return this.#clock.now() - this.#degradedSince >= degradedMs ? 'degraded' : 'waiting';
  }

  #isSettled(application: Application): boolean {
    const finishedAt = application.status?.operationState?.finishedAt ?? '';
    if (!isBehind(application)) return true;
    const now = this.#clock.now();
    if (this.#behindSince?.finishedAt !== finishedAt) this.#behindSince = { finishedAt, at: now };
    return now - this.#behindSince.at >= behindMs || now - Date.parse(finishedAt) > 10 * behindMs;
  }
}
