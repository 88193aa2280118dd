import { isAlreadyExists, isNotFound } from '@fairlead/apimachinery';

/**
 * The outcome of a write that may come too late: what is gone, or is in a namespace that is going, needs nothing any more, and of
 * a twin that was faster the informers will tell. Undefined: it came too late.
 */
export async function forgiving<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write;
  } catch (error) {
    if (isNotFound(error) || isAlreadyExists(error) || isTerminating(error)) return undefined;
    throw error;
  }
}

const isTerminating = (error: unknown): boolean => /because it is being terminated/.test(String(error));
