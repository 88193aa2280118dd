import type { Cluster } from '../../src/cluster/cluster.ts';
import { type Clusters, isDestination, notFound } from '../../src/cluster/clusters.ts';

/** A set of one cluster that is always available. */
export function onlyCluster(cluster: Cluster): Clusters {
  return {
    find: (destination) => (isDestination(destination, cluster) ? cluster : notFound(destination)),
    onLiveChange: (listener) => cluster.onLiveChange((change) => listener(cluster, change)),
    onClusterChange: () => () => {},
  };
}
