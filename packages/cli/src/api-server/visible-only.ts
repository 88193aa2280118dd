import { isForbidden, isNotFound } from '@fairlead/apimachinery';
import { CliError } from '../cli-error.ts';

/** Calls about something that must be there. The API does not say whether it is missing or may not be seen. */
export async function visibleOnly<T>(what: string, list: string, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!isForbidden(error) && !isNotFound(error)) throw error;
    throw new CliError(`${what} is not there, or you may not see it: ${list} lists them`, { cause: error });
  }
}
