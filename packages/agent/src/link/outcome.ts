import { ApiError, isAlreadyExists, isConflict, isNotFound } from '@fairlead/apimachinery';

/** The result of a message. */
export type Outcome =
  | { readonly is: 'done' }
  /** Not now: the peer will send it again. */
  | { readonly is: 'later'; readonly reason: string }
  /** Not as it is: the peer must know why. */
  | { readonly is: 'refused'; readonly reason: string }
  /** The answer is sent in another form. */
  | { readonly is: 'answered' };

export const done: Outcome = { is: 'done' };
export const later = (reason: string): Outcome => ({ is: 'later', reason });
export const refused = (reason: string): Outcome => ({ is: 'refused', reason });

/** Errors that the same request will get again until someone changes something. */
const final = new Set([400, 403, 405, 413, 415, 422]);

export function outcomeOf(error: unknown): Outcome {
  if (error instanceof ApiError && (final.has(error.code) || isNotFound(error))) {
    return refused(`the cluster refuses it: ${error.message}`);
  }
  return later(error instanceof Error ? error.message : String(error));
}

/** The object changed after the decision was made. */
export const isOutdated = (error: unknown): boolean => isConflict(error) || isAlreadyExists(error) || isNotFound(error);
