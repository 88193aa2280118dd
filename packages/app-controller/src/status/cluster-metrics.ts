import type { Clock, MetricsRegistry } from '@fairlead/kube';
import type { Cluster } from '../cluster/cluster.ts';
import type { Clusters } from '../cluster/clusters.ts';

export interface ClusterMetricsOptions {
  readonly clusters: Pick<Clusters, 'onLiveChange'>;
  /** Those that answer. */
  readonly list: () => readonly Cluster[];
  /** Those that do not, and should. */
  readonly unreachable?: () => readonly { readonly server: string; readonly name: string }[];
  readonly clock: Clock;
}

/** The figures of the clusters that Applications deploy to, under Argo CD's names. */
export function createClusterMetrics(registry: MetricsRegistry, options: ClusterMetricsOptions): void {
  const { clusters, list, unreachable = () => [], clock } = options;
  const info = registry.gauge('argocd_cluster_info', 'Information about cluster.', ['server', 'k8s_version', 'name']);
  const objects = registry.gauge(
    'argocd_cluster_api_resource_objects',
    'Number of k8s resource objects in the cache.',
    ['server'],
  );
  const kinds = registry.gauge('argocd_cluster_api_resources', 'Number of monitored kubernetes API resources.', [
    'server',
  ]);
  const age = registry.gauge('argocd_cluster_cache_age_seconds', 'Cluster cache age in seconds.', ['server']);
  const connected = registry.gauge('argocd_cluster_connection_status', 'The k8s cluster current connection status.', [
    'server',
    'k8s_version',
  ]);
  const events = registry.counter('argocd_cluster_events_total', 'Number of processes k8s resource events.', [
    'server',
    'group',
    'kind',
  ]);
  const since = new Map<string, number>();
  clusters.onLiveChange(({ server }, { id: { group, kind } }) => events.increase({ server, group, kind }));
  registry.onRead(() => {
    for (const gauge of [info, connected]) gauge.remove({});
    for (const gauge of [objects, kinds, age]) gauge.remove({});
    for (const { server, name, live, capabilities } of list()) {
      const version = capabilities.kubeVersion ?? '';
      const began = since.get(server) ?? clock.now();
      since.set(server, began);
      info.set({ server, k8s_version: version, name }, 1);
      connected.set({ server, k8s_version: version }, 1);
      objects.set({ server }, live.size);
      kinds.set({ server }, live.watchedKinds.length);
      age.set({ server }, (clock.now() - began) / 1000);
    }
    for (const { server, name } of unreachable()) {
      since.delete(server);
      info.set({ server, k8s_version: '', name }, 1);
      connected.set({ server, k8s_version: '' }, 0);
    }
  });
}
