import { ApiError, isAlreadyExists, isConflict, isNotFound } from '@fairlead/apimachinery';

/** What became of a message. */
export type Outcome =
  | { readonly is: 'done' }
  /** Not now: the peer will say it again. */
  | { readonly is: 'later'; readonly reason: string }
  /** As it is, never: the peer should know why. */
  | { readonly is: 'refused'; readonly reason: string }
  /** The answer is on its way in another form. */
  | { readonly is: 'answered' };

export const done: Outcome = { is: 'done' };
export const later = (reason: string): Outcome => ({ is: 'later', reason });
export const refused = (reason: string): Outcome => ({ is: 'refused', reason });

/** Refusals that the same request will meet again, for as long as nobody changes something. */
const final = new Set([400, 403, 405, 413, 415, 422]);

export function outcomeOf(error: unknown): Outcome {
  if (error instanceof ApiError && (final.has(error.code) || isNotFound(error))) {
    return refused(`the cluster refuses it: ${error.message}`);
  }
  return later(error instanceof Error ? error.message : String(error));
}

/** The object was no longer what the decision was made on. */
export const isOutdated = (error: unknown): boolean => isConflict(error) || isAlreadyExists(error) || isNotFound(error);
