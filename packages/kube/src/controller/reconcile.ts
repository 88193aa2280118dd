import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';

/**
 * What one look at a key came to.
 *
 * - `done`: the world is as it should be, as far as this key goes, until something changes.
 * - `requeueAfter`: nothing is wrong, but look again after a time (a certificate ends, a window opens).
 * - `terminal`: it is wrong and trying again cannot help; the key rests until something changes.
 *
 * Throwing means that trying again may help: the key comes back after its backoff.
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
}

/**
 * Makes the world agree with what is wanted for one key. Level-based: the key says where to look, never what happened, so a
 * reconcile reads the present state and may run twice, late, or after its object is gone.
 */
export type Reconcile = (key: string, context: ReconcileContext) => Promise<Outcome>;
