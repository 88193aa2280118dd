import type { Application } from '@fairlead/api';
import { type Cluster, clusterAs } from '../cluster/cluster.ts';
import { serviceAccountFor } from '../project/impersonation.ts';
import { projectOf, type ReconcileEnv } from '../reconcile-env.ts';

/**
 * The cluster with the permissions for deleting what a sync has created. Unlike a sync, a deletion does not need a service account: after the
 * project has lost the entry of a destination, its Applications can still be deleted. Throws if the entry is invalid.
 */
export function deletingCluster(env: ReconcileEnv, application: Application, cluster: Cluster): Cluster {
  if (!env.settings.impersonation?.enabled) return cluster;
  const project = projectOf(env)(application.spec.project || 'default');
  return project ? clusterAs(cluster, serviceAccountFor(project, cluster, application)) : cluster;
}
