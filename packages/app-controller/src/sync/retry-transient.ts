import { isTransient } from '@fairlead/engine';
import { type Clock, sleep } from '@fairlead/kube';

const waitsMs = [200, 500, 1_000, 2_000, 4_000];
/** A call without a response takes half a minute: after two of those, the server counts as unreachable. */
const maxElapsedMs = 45_000;

/**
 * Runs something idempotent, and repeats it if the server was busy or its response was lost. Permanent errors, and errors that last too
 * long, are thrown.
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
