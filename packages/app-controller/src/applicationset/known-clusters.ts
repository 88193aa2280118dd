import { type Secret, secretValue } from '@fairlead/apimachinery';
import { clusterError, inClusterName, inClusterServer, notFound } from '../cluster/clusters.ts';

export interface KnownCluster {
  readonly name: string;
  readonly server: string;
}

/** The clusters of Secrets, and the one that Applications live in. */
export function knownClusters(secrets: readonly Secret[]): KnownCluster[] {
  const clusters = secrets.map((secret) => {
    const server = (secretValue(secret, 'server') ?? '').replace(/\/+$/u, '');
    return { name: secretValue(secret, 'name') ?? '', server };
  });
  if (clusters.some(({ server }) => server === inClusterServer)) return clusters;
  return [...clusters, { name: inClusterName, server: inClusterServer }];
}

export type FoundDestination = { readonly cluster: KnownCluster } | { readonly problem: string };

/** The cluster of a destination, or in Argo CD's words why there is none. Whether it answers does not count. */
export function findDestination(
  destination: { readonly server?: string; readonly name?: string } | undefined,
  clusters: readonly KnownCluster[],
  inCluster: boolean,
): FoundDestination {
  const { server = '', name = '' } = destination ?? {};
  if (server !== '' && name !== '') {
    return { problem: `application destination can't have both name and server defined: ${name} ${server}` };
  }
  const usable = clusters.filter((cluster) => inCluster || cluster.server !== inClusterServer);
  if (server !== '') {
    const address = server.replace(/\/+$/u, '');
    if (address === inClusterServer && !inCluster) return { problem: clusterError(server, 'is disabled') };
    const cluster = usable.find((one) => one.server === address);
    return cluster ? { cluster } : { problem: notFound({ server }).message };
  }
  const named = usable.filter((one) => name !== '' && one.name === name);
  const [cluster, ...others] = named;
  if (!cluster) return { problem: notFound({ name }).message };
  if (others.length === 0) return { cluster };
  const servers = named.map((one) => one.server).join(' ');
  return { problem: `there are ${named.length} clusters with the same name: [${servers}]` };
}
