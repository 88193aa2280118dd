import { type Clock, sleep, TokenBucket } from '@fairlead/kube';
import { limiter } from '@fairlead/source';

/** Limits the rate and the concurrency of requests to one registry. */
export function requestGate(options: {
  readonly clock: Clock;
  /** Per second; 0 means no limit. */
  readonly limit: number;
  readonly maxInFlight: number;
  readonly inFlight?: (count: number) => void;
}): <T>(send: () => Promise<T>) => Promise<T> {
  const { clock, limit, inFlight } = options;
  const places = limiter(options.maxInFlight);
  const bucket = limit > 0 ? new TokenBucket({ clock, perSecond: limit, burst: limit }) : undefined;
  let running = 0;
  return (send) =>
    places(async () => {
      const wait = bucket?.when() ?? 0;
      if (wait > 0) await sleep(clock, wait);
      inFlight?.(++running);
      try {
        return await send();
      } finally {
        inFlight?.(--running);
      }
    });
}
