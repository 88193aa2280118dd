import { isTransient } from '@fairlead/engine';
import { type Clock, sleep } from '@fairlead/kube';

const waitsMs = [200, 500, 1_000, 2_000, 4_000];
/** A call without an answer takes half a minute: after two of those, the caller must know that the server is unreachable. */
const maxElapsedMs = 45_000;

/**
 * Does something that can be done again without harm, and does it again where the server was merely busy or its answer was lost. What
 * fails for good, or for too long, is thrown.
 */
export async function retryTransient<T>(
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
  run: () => Promise<T>,
): Promise<T> {
  const began = clock.now();
  for (const wait of waitsMs) {
    try {
      return await run();
    } catch (error) {
      if (signal.aborted || !isTransient(error) || clock.now() - began > maxElapsedMs) throw error;
      await sleep(clock, wait, signal);
    }
  }
  return run();
}
