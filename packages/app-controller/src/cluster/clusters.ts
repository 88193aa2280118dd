import type { LiveChange } from '@fairlead/engine';
import type { DestinationCluster } from '../project/project.ts';
import type { Cluster } from './cluster.ts';

/** How an Application refers to its cluster. */
export interface DestinationName {
  readonly server?: string;
  readonly name?: string;
}

/** Why a cluster cannot be used. */
export interface ClusterProblem {
  /**
   * - `NotFound`: the cluster is not known, so no object of an Application can exist there.
   * - `Invalid`: its Secret is invalid.
   * - `Unavailable`: it does not respond at the moment.
   */
  readonly problem: 'NotFound' | 'Invalid' | 'Unavailable';
  /** For a user: what failed, why, and what to do. */
  readonly message: string;
}

export const isClusterProblem = (found: Cluster | ClusterProblem): found is ClusterProblem => 'problem' in found;

/** The clusters that Applications deploy to. An unreachable one delays only its own Applications. */
export interface Clusters {
  find(destination: DestinationName): Cluster | ClusterProblem;
  /** An object was added, changed or deleted. */
  onLiveChange(listener: (cluster: Cluster, change: LiveChange) => void): () => void;
  /** A cluster was added or removed, or its availability changed: results for its Applications are stale. */
  onClusterChange(listener: (cluster: DestinationCluster) => void): () => void;
}

/** The address that Applications use for the cluster that they live in. */
export const inClusterServer = 'https://kubernetes.default.svc';
export const inClusterName = 'in-cluster';

/** Addresses are equal whether or not they end with a slash. */
export const sameServer = (a: string, b: string): boolean => a.replace(/\/+$/u, '') === b.replace(/\/+$/u, '');

export const isDestination = ({ server = '', name = '' }: DestinationName, cluster: DestinationCluster): boolean =>
  server !== '' ? sameServer(server, cluster.server) : name === cluster.name;

/** The same message as Argo CD. */
export function notFound({ server = '', name = '' }: DestinationName): ClusterProblem {
  if (server !== '') return { problem: 'NotFound', message: clusterError(server, 'not found') };
  const message =
    name === '' ? 'Destination server missing from app spec' : `there are no clusters with this name: ${name}`;
  return { problem: 'NotFound', message };
}

export const clusterError = (server: string, what: 'not found' | 'is disabled'): string =>
  `error getting cluster by server "${server}": rpc error: code = NotFound desc = cluster "${server}" ${what}`;
