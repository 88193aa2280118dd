import type { ClusterConfig, ReadSecret } from './cluster-secret.ts';
import { inClusterName, inClusterServer } from './clusters.ts';

/** The cluster that Applications live in: always there, and restricted or renamed by a Secret that names its address. */
export function inClusterEntry(read: ReadSecret | undefined): ReadSecret {
  const config: ClusterConfig = {
    name: read?.name && read.name !== read.server ? read.name : inClusterName,
    server: inClusterServer,
    namespaces: read?.config?.namespaces ?? [],
    clusterResources: read?.config?.clusterResources ?? false,
    project: read?.config?.project ?? '',
    tls: {},
  };
  return {
    secret: read?.secret ?? '',
    name: config.name,
    server: inClusterServer,
    ...(read?.shard === undefined ? {} : { shard: read.shard }),
    config,
  };
}
