import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';

/**
 * The result of one reconcile.
 *
 * - `done`: live state equals desired state for this key, until something changes.
 * - `requeueAfter`: nothing is wrong, but reconcile again after a delay (a certificate expires, a window opens).
 * - `terminal`: it failed and a retry cannot help; the key waits until something changes.
 *
 * Throwing means that a retry may help: the key is retried with a back-off.
 */
export type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'requeueAfter'; readonly ms: number }
  | { readonly kind: 'terminal'; readonly error: unknown };

export const done: Outcome = { kind: 'done' };
export const requeueAfter = (ms: number): Outcome => ({ kind: 'requeueAfter', ms });
export const terminal = (error: unknown): Outcome => ({ kind: 'terminal', error });

export interface ReconcileContext {
  /** Aborts when the controller stops or the reconcile times out. Pass it to every call that waits. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly clock: Clock;
  /** Failures of this key since its last success. */
  readonly retries: number;
  /**
   * Waits for something outside of this process, a repository for example, without holding a worker: a server that never responds blocks
   * only the keys that need it. Concurrent waits end with the last of them. Rejects if the signal aborts, or if too many keys of the lane
   * are already waiting.
   */
  waitFor<T>(promise: Promise<T>): Promise<T>;
}

/**
 * Makes the live state equal to the desired state of one key. Level-based: the key names the object, not the event, so a reconcile reads
 * the current state and may run twice, late, or after its object is deleted.
 */
export type Reconcile = (key: string, context: ReconcileContext) => Promise<Outcome>;

/** A reconcile cannot wait without a worker, because too many of its lane do. It says nothing about what was to be reconciled. */
export class TooManyWaits extends Error {
  constructor(lane: string, waiting: number) {
    super(`${waiting} keys of ${lane} wait already: this one is retried`);
    this.name = 'TooManyWaits';
  }
}
