import type { MetricsRegistry } from '@fairlead/kube';
import type { TagIndexMetrics } from './tag-index.ts';

export interface RegistryMetrics {
  /** One try of one request. */
  attempt(registry: string, status: number | undefined, ms: number, again: boolean): void;
  inFlight(registry: string, count: number): void;
  readonly index: TagIndexMetrics;
}

const prefix = 'argocd_image_updater';

export function registryMetrics(metrics: MetricsRegistry): RegistryMetrics {
  const requests = metrics.counter(`${prefix}_registry_requests_total`, 'Requests to a registry', ['registry']);
  const failed = metrics.counter(`${prefix}_registry_requests_failed_total`, 'Requests to a registry that failed', [
    'registry',
  ]);
  const statuses = metrics.counter(`${prefix}_registry_http_status_total`, 'Answers of a registry by status', [
    'registry',
    'code',
  ]);
  const retries = metrics.counter(
    `${prefix}_registry_request_retries_total`,
    'Requests to a registry that were tried again',
    ['registry'],
  );
  const inFlight = metrics.gauge(`${prefix}_registry_in_flight_requests`, 'Requests to a registry under way', [
    'registry',
  ]);
  const durations = metrics.histogram(
    `${prefix}_registry_request_duration_seconds`,
    'How long a registry takes to answer',
    ['registry'],
  );
  const leaders = metrics.counter(`${prefix}_singleflight_leaders_total`, 'Answers of registries that were asked for');
  const followers = metrics.counter(`${prefix}_singleflight_followers_total`, 'Answers of registries that were shared');
  leaders.increase({}, 0);
  followers.increase({}, 0);
  return {
    attempt(registry, status, ms, again) {
      requests.increase({ registry });
      durations.observe({ registry }, ms / 1000);
      if (status !== undefined) statuses.increase({ registry, code: String(status) });
      if (again) retries.increase({ registry });
      // A 401 without a token is how every conversation begins.
      else if (status === undefined || (status >= 400 && status !== 401)) failed.increase({ registry });
    },
    inFlight: (registry, count) => inFlight.set({ registry }, count),
    index: { leader: () => leaders.increase({}), follower: () => followers.increase({}) },
  };
}
