import type { Clock, MetricsRegistry } from '@fairlead/kube';
import type { Cluster } from '../cluster/cluster.ts';
import type { Clusters } from '../cluster/clusters.ts';
import { metricDefinitions } from './metric-definitions.ts';

export interface ClusterMetricsOptions {
  readonly clusters: Pick<Clusters, 'onLiveChange'>;
  /** Clusters that are reachable. */
  readonly list: () => readonly Cluster[];
  /** Clusters that should be reachable but are not. */
  readonly unreachable?: () => readonly { readonly server: string; readonly name: string }[];
  readonly clock: Clock;
}

/** The metrics of the clusters that Applications deploy to, with the names of Argo CD. */
export function createClusterMetrics(registry: MetricsRegistry, options: ClusterMetricsOptions): void {
  const { clusters, list, unreachable = () => [], clock } = options;
  const { clusterInfo, clusterObjects, clusterKinds, clusterCacheAge, clusterConnection, clusterEvents } =
    registry.create(metricDefinitions);
  const since = new Map<string, number>();
  clusters.onLiveChange(({ server }, { id: { group, kind } }) => clusterEvents.increase({ server, group, kind }));
  registry.onRead(() => {
    for (const gauge of [clusterInfo, clusterConnection]) gauge.remove({});
    for (const gauge of [clusterObjects, clusterKinds, clusterCacheAge]) gauge.remove({});
    for (const { server, name, live, capabilities } of list()) {
      const version = capabilities.kubeVersion ?? '';
      const began = since.get(server) ?? clock.now();
      since.set(server, began);
      clusterInfo.set({ server, k8s_version: version, name }, 1);
      clusterConnection.set({ server, k8s_version: version }, 1);
      clusterObjects.set({ server }, live.size);
      clusterKinds.set({ server }, live.watchedKinds.length);
      clusterCacheAge.set({ server }, (clock.now() - began) / 1000);
    }
    for (const { server, name } of unreachable()) {
      since.delete(server);
      clusterInfo.set({ server, k8s_version: '', name }, 1);
      clusterConnection.set({ server, k8s_version: '' }, 0);
    }
  });
}
