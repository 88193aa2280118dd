import type { MetricsRegistry } from '@fairlead/kube';
import { metricDefinitions } from '../metric-definitions.ts';
import type { TagIndexMetrics } from './tag-index.ts';

export interface RegistryMetrics {
  /** One attempt of one request. */
  attempt(registry: string, status: number | undefined, ms: number, again: boolean): void;
  inFlight(registry: string, count: number): void;
  readonly index: TagIndexMetrics;
}

export function registryMetrics(metrics: MetricsRegistry): RegistryMetrics {
  const { requests, failedRequests, statuses, retries, inFlight, requestDuration, leaders, followers } =
    metrics.create(metricDefinitions);
  leaders.increase({}, 0);
  followers.increase({}, 0);
  return {
    attempt(registry, status, ms, again) {
      requests.increase({ registry });
      requestDuration.observe({ registry }, ms / 1000);
      if (status !== undefined) statuses.increase({ registry, code: String(status) });
      if (again) retries.increase({ registry });
      // A 401 without a token is a normal first response.
      else if (status === undefined || (status >= 400 && status !== 401)) failedRequests.increase({ registry });
    },
    inFlight: (registry, count) => inFlight.set({ registry }, count),
    index: { leader: () => leaders.increase({}), follower: () => followers.increase({}) },
  };
}
