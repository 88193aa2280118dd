import { hostname } from 'node:os';
import type { SyncGate } from '@fairlead/app-controller';
import type { ImageGate } from '@fairlead/images';
import { type ApiClient, type Logger, type MetricsRegistry, systemClock, systemRandom } from '@fairlead/kube';
import { createImageGate, createPrepull, createSyncGate, type PullLimits } from '@fairlead/prepull';

export interface PrepullRoleOptions {
  readonly client: ApiClient;
  readonly registry: MetricsRegistry;
  readonly limits?: PullLimits;
  readonly log: Logger;
}

export interface PrepullRole {
  /** Hold updates and syncs back until their images are there. */
  readonly imageGate: ImageGate;
  readonly syncGate: SyncGate;
  readonly stopped: Promise<void>;
}

/** The controllers of pre-pulling. They work from now on; `stopped` resolves when they have ended after the signal. */
export function startPrepull(options: PrepullRoleOptions, signal: AbortSignal): PrepullRole {
  const { client, registry, limits, log } = options;
  const prepull = createPrepull({
    client,
    registry,
    ...(limits ? { limits } : {}),
    instance: `${hostname()}-${process.pid}`,
    clock: systemClock,
    random: systemRandom,
    log,
  });
  const stopped = prepull.run(signal).catch((error: unknown) => {
    if (!signal.aborted) log.error('pre-pulling has stopped', { error });
  });
  const opened = (seconds: number): void => prepull.metrics.saved(seconds);
  return {
    imageGate: createImageGate(client, systemClock, { opened }),
    syncGate: createSyncGate(systemClock, { opened }),
    stopped,
  };
}
