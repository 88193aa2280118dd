import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';

/**
 * The result of one reconcile.
 *
 * - `done`: live state is as desired for this key, until something changes.
 * - `requeueAfter`: nothing is wrong, but reconcile again after a time (a certificate ends, a window opens).
 * - `terminal`: it failed and a retry cannot help; the key waits until something changes.
 *
 * Throwing means that a retry may help: the key comes back after its backoff.
 */
export type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'requeueAfter'; readonly ms: number }
  | { readonly kind: 'terminal'; readonly error: unknown };

export const done: Outcome = { kind: 'done' };
export const requeueAfter = (ms: number): Outcome => ({ kind: 'requeueAfter', ms });
export const terminal = (error: unknown): Outcome => ({ kind: 'terminal', error });

export interface ReconcileContext {
  /** Aborts when the controller stops or the reconcile has run out of its time. Give it to every call that waits. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly clock: Clock;
  /** Failures of this key before this try, since it last succeeded. */
  readonly retries: number;
  /**
   * Waits for something outside of this process, a repository for example, without holding a worker: a server that never answers stops
   * only the keys that need it. Several waits at once end when the last of them does. Rejects when the signal aborts, and when too many keys of the lane wait already.
   */
  waitFor<T>(promise: Promise<T>): Promise<T>;
}

/**
 * Makes live state agree with the desired state of one key. Level-based: the key says what to read, never what happened, so a
 * reconcile reads the present state and may run twice, late, or after its object is gone.
 */
export type Reconcile = (key: string, context: ReconcileContext) => Promise<Outcome>;
