import { isAlreadyExists, isNotFound } from '@fairlead/apimachinery';

/**
 * The result of a write that may be too late: if the object or its namespace is deleted, nothing is needed, and a concurrent create is
 * reported by the informers. Undefined: it was too late.
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
