import type { Agent } from '@fairlead/api';
import type { CallContext } from '../../rpc/call.ts';
import type { Server } from '../../server.ts';
import type { AgentSummary } from '../api/installation-shapes.ts';
import type { InstallationState } from './installation-state.ts';
import { seesClusters } from './visible-applications.ts';

/** The agents of the hub. An agent is a cluster: the caller needs the right to get clusters, with the name of the agent as object. */
export const listAgents = (
  server: Server,
  installation: InstallationState,
  context: CallContext,
): { items: AgentSummary[] } => ({
  items: installation.agents
    .list()
    .filter(({ metadata }) => seesClusters(server, context, metadata.name))
    .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
    .map(agentSummary),
});

export function agentSummary({ metadata, spec, status = {} }: Agent): AgentSummary {
  const { data, reason, lastSeenTime, connectedAt, comparedAt, version, certificate, brake } = status;
  return {
    name: metadata.name,
    mode: spec.mode,
    connected: status.transport === 'Up',
    ...(data === undefined ? {} : { data }),
    liveAccess: status.live === 'Up',
    ...(reason === undefined ? {} : { reason }),
    ...(lastSeenTime === undefined ? {} : { lastSeenTime }),
    ...(connectedAt === undefined ? {} : { connectedAt }),
    ...(comparedAt === undefined ? {} : { comparedAt }),
    ...(version === undefined ? {} : { version }),
    backlog: status.pending ?? 0,
    ...(certificate?.expires === undefined ? {} : { certificateExpiry: certificate.expires }),
    applications: status.applications ?? 0,
    ...(spec.blocked ? { blocked: true } : {}),
    ...(spec.drained ? { drained: true } : {}),
    ...(brake?.deletions === undefined ? {} : { heldDeletions: brake.deletions }),
    quarantined: (status.quarantined ?? []).map((one) => ({ ...one })),
  };
}
