import type { Arbitrary } from 'fast-check';

/** A parser or protocol with a property that holds for every input. */
export interface FuzzTarget<T = unknown> {
  /** Inputs are JSON, so that a finding can be kept in a file. Bytes are strings with a character for each (`latin1`). */
  readonly inputs: Arbitrary<T>;
  /** Throws, or rejects, if the property does not hold. */
  readonly check: (input: T) => unknown;
}

/** A target keeps the type of its inputs to itself: the runner only passes them on. */
export const fuzzTarget = <T>(target: FuzzTarget<T>): FuzzTarget<T> => target;

type ErrorType = abstract new (...args: never[]) => Error;

/** The result, or undefined if one of the errors was thrown that the parser documents. Any other error is a finding. */
export function unlessRefused<T>(errors: readonly ErrorType[], run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    return refused(errors, error);
  }
}

/** The same for a parser that returns a promise. */
export async function unlessRejected<T>(errors: readonly ErrorType[], run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run();
  } catch (error) {
    return refused(errors, error);
  }
}

function refused(errors: readonly ErrorType[], error: unknown): undefined {
  if (!errors.some((type) => error instanceof type)) throw error;
  return undefined;
}
