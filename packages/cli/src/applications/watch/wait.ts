import type { Application, ResourceStatus } from '@fairlead/api';
import type { Clock } from '@fairlead/kube';
import { type Hopeless, isBehind, type WaitConditions, type Waiting, waitingFor } from './wait-conditions.ts';

/** How long a hopeless state must last: a fix takes a moment to become visible. */
export const hopelessMs = 5_000;
/** How long to wait for a status that is newer than the end of the last operation. */
const behindMs = 3_000;

export type WaitResult = 'waiting' | 'met' | Hopeless;

/** Decides after each change of one Application whether the wait is over. */
export class Waiter {
  readonly #conditions: WaitConditions;
  readonly #clock: Clock;
  readonly #objects: ((application: Application) => readonly ResourceStatus[]) | undefined;
  #behindSince: { readonly finishedAt: string; readonly at: number } | undefined;
  #hopelessSince: number | undefined;
  last: Waiting = { missing: [] };

  constructor(
    conditions: WaitConditions,
    clock: Clock,
    objects?: (application: Application) => readonly ResourceStatus[],
  ) {
    this.#conditions = conditions;
    this.#clock = clock;
    this.#objects = objects;
  }

  update(application: Application): WaitResult {
    const settled = this.#isSettled(application);
    const objects = this.#objects?.(application);
    this.last = waitingFor(application, this.#conditions, { settled, ...(objects ? { objects } : {}) });
    if (this.last.missing.length === 0) return 'met';
    const { hopeless } = this.last;
    if (!hopeless) {
      this.#hopelessSince = undefined;
      return 'waiting';
    }
    this.#hopelessSince ??= this.#clock.now();
    return this.#clock.now() - this.#hopelessSince >= hopelessMs ? hopeless : 'waiting';
  }

  #isSettled(application: Application): boolean {
    const finishedAt = application.status?.operationState?.finishedAt ?? '';
    if (!isBehind(application)) return true;
    const now = this.#clock.now();
    if (this.#behindSince?.finishedAt !== finishedAt) this.#behindSince = { finishedAt, at: now };
    return now - this.#behindSince.at >= behindMs || now - Date.parse(finishedAt) > 10 * behindMs;
  }
}
