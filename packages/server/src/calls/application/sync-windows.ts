import type { Application } from '@fairlead/api';
import { activeSyncWindows, assignedSyncWindows, syncWindowDecision } from '@fairlead/app-controller';
import { destinationCluster, type KnownCluster, knownClusters } from '../../applications/destination.ts';
import type { Calls } from '../../rpc/call.ts';
import type { Server } from '../../server.ts';
import { applicationAccess, refOf } from './requests.ts';

/** The cluster of an Application, as sync windows name it. */
export const clusterOf = ({ state }: Server, { spec }: Application): KnownCluster => {
  const cluster = destinationCluster(spec.destination, knownClusters(state.secrets.list()));
  return typeof cluster === 'string'
    ? { server: spec.destination.server ?? '', name: spec.destination.name ?? '' }
    : cluster;
};

export const syncWindowCalls = (server: Server): Calls => ({
  'Application.GetApplicationSyncWindows': async (context, request) => {
    const { application, project } = await applicationAccess(server).find(context.caller, 'get', refOf(request));
    const cluster = clusterOf(server, application);
    const assigned = assignedSyncWindows(project, application, cluster);
    const now = server.state.clock.now();
    const { open } = syncWindowDecision({ project, application, cluster, now, manual: true });
    return {
      assignedWindows: assigned.map(windowMessage),
      activeWindows: activeSyncWindows(assigned, now).map(windowMessage),
      canSync: open,
    };
  },
});

function windowMessage(window: { kind?: string; schedule?: string; duration?: string; manualSync?: boolean }): object {
  const { kind = '', schedule = '', duration = '', manualSync = false } = window;
  return { kind, schedule, duration, manualSync };
}
