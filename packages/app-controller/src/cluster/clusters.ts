import type { LiveChange } from '@fairlead/engine';
import type { DestinationCluster } from '../project/project.ts';
import type { Cluster } from './cluster.ts';

/** How an Application names its cluster. */
export interface DestinationName {
  readonly server?: string;
  readonly name?: string;
}

/** Why there is no cluster to work with. */
export interface ClusterProblem {
  /**
   * - `NotFound`: nobody knows such a cluster, so nothing of an Application can be there.
   * - `Invalid`: what is said of it (its Secret) cannot be used.
   * - `Unavailable`: it does not answer, now.
   */
  readonly problem: 'NotFound' | 'Invalid' | 'Unavailable';
  /** For a person: what is wrong, where, and what helps. */
  readonly message: string;
}

export const isClusterProblem = (found: Cluster | ClusterProblem): found is ClusterProblem => 'problem' in found;

/** The clusters that Applications deploy to. One that does not answer holds up nobody but its own Applications. */
export interface Clusters {
  find(destination: DestinationName): Cluster | ClusterProblem;
  /** An object came, changed or went. */
  onLiveChange(listener: (cluster: Cluster, change: LiveChange) => void): () => void;
  /** A cluster came or went, answers again or no longer: what was found out about its Applications is out of date. */
  onClusterChange(listener: (cluster: DestinationCluster) => void): () => void;
}

/** The address by which Applications call the cluster that they live in. */
export const inClusterServer = 'https://kubernetes.default.svc';
export const inClusterName = 'in-cluster';

/** Addresses are equal whether or not they end with a slash. */
export const sameServer = (a: string, b: string): boolean => a.replace(/\/+$/u, '') === b.replace(/\/+$/u, '');

export const isDestination = ({ server = '', name = '' }: DestinationName, cluster: DestinationCluster): boolean =>
  server !== '' ? sameServer(server, cluster.server) : name === cluster.name;

/** In Argo CD's words. */
export function notFound({ server = '', name = '' }: DestinationName): ClusterProblem {
  if (server !== '') return { problem: 'NotFound', message: clusterError(server, 'not found') };
  const message =
    name === '' ? 'Destination server missing from app spec' : `there are no clusters with this name: ${name}`;
  return { problem: 'NotFound', message };
}

export const clusterError = (server: string, what: 'not found' | 'is disabled'): string =>
  `error getting cluster by server "${server}": rpc error: code = NotFound desc = cluster "${server}" ${what}`;
