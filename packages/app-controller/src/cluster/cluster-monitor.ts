import { type Clock, sleep } from '@fairlead/kube';

export interface MonitorOptions {
  /** Sends a small request to the server. */
  readonly ask: () => Promise<unknown>;
  readonly clock: Clock;
  readonly everyMs?: number;
  /** A request that takes longer counts as failed. */
  readonly timeoutMs?: number;
  readonly lost: (error: Error) => void;
  readonly found: () => void;
}

/** A server that misses one request may be busy; one that misses two in a row is unreachable. */
const missesUntilLost = 2;

/** Reports when a server becomes unreachable, and when it is reachable again, until the signal aborts. */
export async function monitor(options: MonitorOptions, signal: AbortSignal): Promise<void> {
  const { ask, clock, everyMs = 10_000, timeoutMs = 10_000, lost, found } = options;
  let misses = 0;
  let away = false;
  while (!signal.aborted) {
    await sleep(clock, misses === 0 ? everyMs : Math.min(1_000 * 2 ** (misses - 1), 30_000), signal).catch(() => {});
    if (signal.aborted) return;
    try {
      await within(ask(), clock, timeoutMs);
      misses = 0;
      if (away) found();
      away = false;
    } catch (error) {
      misses += 1;
      if (misses === missesUntilLost && !signal.aborted) {
        away = true;
        lost(error instanceof Error ? error : new Error(String(error)));
      }
    }
  }
}

function within<T>(promise: Promise<T>, clock: Clock, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => reject(new Error(`no response within ${ms / 1000} s`)));
    promise.then(resolve, reject).finally(cancel);
  });
}
