import { type Finding, type FlowState, reconciledAt, revisionOf } from './flow-state.ts';
import { tenantStatus } from './tenant-hops.ts';

/** Whether the status of the cluster has come back. */
export function statusHop(state: FlowState): Finding {
  const { application, agent } = state;
  const shared = revisionOf(application);
  if (!application.status?.sync) {
    return {
      state: 'unknown',
      reason: 'It has no status yet.',
      action: 'check that the application controller runs and watches its namespace',
    };
  }
  if (agent && agent.status?.transport !== 'Up') {
    const since = agent.status?.lastSeenTime ? { since: agent.status.lastSeenTime } : reconciledAt(application);
    return { ...shared, state: 'waiting', reason: 'The status is the last one that the agent has sent.', ...since };
  }
  const tenant = tenantStatus(state);
  if (tenant && tenant.state !== 'ok') return { ...shared, ...reconciledAt(application), ...tenant };
  return { ...shared, ...reconciledAt(application), ...tenant, state: 'ok' };
}
