import { isRunning, type RoleStatus as ReportedRole } from '@fairlead/kube';
import type { CallContext } from '../../rpc/call.ts';
import type { Server } from '../../server.ts';
import type { Queue, RoleStatus } from '../api/installation-shapes.ts';
import type { InstallationState } from './installation-state.ts';

/** What roles report of themselves, for who may get all clusters. */
export function listQueues(
  server: Server,
  installation: InstallationState,
  context: CallContext,
): { items: Queue[]; roles: RoleStatus[] } {
  server.require(context, 'clusters', 'get', '*');
  const now = server.state.clock.now();
  const roles = [...(installation.roles() ?? [])].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  return {
    items: roles.flatMap((one) =>
      one.queues.map((queue) => ({ role: one.role, instance: one.instance, ...queue, reportedAt: timeOf(one) })),
    ),
    roles: roles.map((one) => ({
      role: one.role,
      instance: one.instance,
      ...(one.version === undefined ? {} : { version: one.version }),
      reportedAt: timeOf(one),
      live: isRunning(one, now),
      ...(one.problem === undefined ? {} : { problem: one.problem }),
    })),
  };
}

const sortKey = ({ role, instance }: ReportedRole): string => `${role} ${instance}`;
const timeOf = ({ reportedAt }: ReportedRole): string => new Date(reportedAt).toISOString();
