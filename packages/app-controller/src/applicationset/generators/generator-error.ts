/** A generator cannot give its parameters, and says why. Existing Applications are left as they are. */
export class GeneratorError extends Error {}

/** The error with what was being done, in Argo CD's words, before it. */
export async function during<T>(what: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Error && isExpected(error)
      ? new GeneratorError(`${what}: ${error.message}`, { cause: error })
      : error;
  }
}

/** Errors of this program itself are not explained away. */
const isExpected = (error: Error): boolean => !(error instanceof TypeError || error instanceof ReferenceError);
