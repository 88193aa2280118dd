import type { PrePullImage } from '@fairlead/api';
import { inClusterName, inClusterServer } from '@fairlead/app-controller';
import type { CallContext } from '../../rpc/call.ts';
import type { Server } from '../../server.ts';
import type { PrePull } from '../api/installation-shapes.ts';
import type { InstallationState } from './installation-state.ts';
import { seesClusters, visibleApplications } from './visible-applications.ts';

/** Images that are pulled before a rollout: those in the namespaces that visible Applications deploy to, or all for who may get clusters. */
export function listPrePulls(
  server: Server,
  installation: InstallationState,
  context: CallContext,
): { items: PrePull[] } {
  const isVisible = seesClusters(server, context) ? () => true : inNamespacesOf(server, context);
  return {
    items: installation.prePullImages
      .list()
      .filter(({ metadata }) => isVisible(metadata.namespace ?? ''))
      .map(prePullOf)
      .sort((a, b) => (`${a.namespace}/${a.name}` < `${b.namespace}/${b.name}` ? -1 : 1)),
  };
}

/** PrePullImages are in the cluster of the installation. */
function inNamespacesOf(server: Server, context: CallContext): (namespace: string) => boolean {
  const namespaces = new Set(
    visibleApplications(server, context).flatMap(({ spec: { destination } }) =>
      destination.name === inClusterName || destination.server === inClusterServer ? (destination.namespace ?? '') : [],
    ),
  );
  return (namespace) => namespaces.has(namespace);
}

function prePullOf({ metadata, spec, status = {} }: PrePullImage): PrePull {
  const { summary, startTime, completionTime } = status;
  const policy = metadata.ownerReferences?.find(({ kind }) => kind === 'PrePullPolicy')?.name;
  return {
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    image: spec?.image ?? '',
    phase: status.phase ?? 'Pending',
    ...(startTime === undefined ? {} : { startedAt: startTime }),
    ...(completionTime === undefined ? {} : { finishedAt: completionTime }),
    total: summary?.total ?? 0,
    completed: summary?.completed ?? 0,
    failed: summary?.failed ?? 0,
    nodes: (status.nodeStatus ?? []).map(({ node, status: is, startedAt, completedAt, error }) => ({
      node,
      status: is,
      ...(startedAt === undefined ? {} : { startedAt }),
      ...(completedAt === undefined ? {} : { finishedAt: completedAt }),
      ...(error === undefined ? {} : { error }),
    })),
    ...(policy === undefined ? {} : { policy }),
  };
}
