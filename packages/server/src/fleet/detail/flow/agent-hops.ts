import type { Agent } from '@fairlead/api';
import { type Finding, type FlowState, roleFinding, sentence } from './flow-state.ts';

const absent: Finding = { state: 'absent' };

/** Whether the principal sends the Application to its agent. */
export function principalHop(state: FlowState): Finding {
  const { agent } = state;
  if (!agent) return absent;
  const { pending } = agent.status ?? {};
  const shared = pending === undefined ? {} : { queue: { depth: pending } };
  const found = roleFinding(state, ['principal'], 'principal');
  const action = 'start the principal: its Deployment, or fairlead up';
  if (found.is === 'stopped') return { ...shared, state: 'broken', reason: found.problem, action, since: found.since };
  if (found.is === 'silent') {
    return { ...shared, state: 'broken', reason: 'No principal reports that it runs.', action };
  }
  if (found.is === 'running' && found.problem !== undefined) {
    return { ...shared, state: 'broken', reason: sentence(found.problem) };
  }
  if (agent.spec.drained) {
    return {
      ...shared,
      state: 'broken',
      reason: `The agent ${agent.metadata.name} is drained: no changes are sent to it.`,
    };
  }
  return { ...shared, state: found.is === 'unknown' ? 'unknown' : 'ok' };
}

/** Whether the agent is connected, and accepts the Application. */
export function agentHop({ agent, application }: FlowState): Finding {
  if (!agent) return absent;
  const { name } = agent.metadata;
  const { status, spec } = agent;
  const shared = {
    resource: refOf(agent),
    ...(status?.pending === undefined ? {} : { queue: { depth: status.pending } }),
  };
  if (spec.blocked) {
    return {
      ...shared,
      state: 'broken',
      reason: `The agent ${name} is blocked.`,
      action: `fairlead agent block ${name} --undo`,
    };
  }
  if (status?.transport !== 'Up') {
    const why = status?.reason ?? 'it has never connected';
    return {
      ...shared,
      state: 'broken',
      reason: sentence(`The agent ${name} is not connected: ${why}`),
      action: `check that the agent runs and reaches the principal: fairlead agent status ${name}`,
      ...(status?.lastSeenTime ? { since: status.lastSeenTime } : {}),
    };
  }
  const refused = status.quarantined?.find(
    (one) => one.kind === 'Application' && isNamed(one.name, application.metadata.name),
  );
  if (refused) return { ...shared, state: 'broken', reason: sentence(`The agent rejects it: ${refused.reason ?? ''}`) };
  if (status.brake) {
    const { deletions = 0, of = 0, token = '' } = status.brake;
    const reason = `${deletions} of ${of} deletions are held until somebody confirms them.`;
    return { ...shared, state: 'broken', reason, action: `fairlead agent confirm ${token}` };
  }
  const since = status.connectedAt ? { since: status.connectedAt } : {};
  if ((status.pending ?? 0) > 0) {
    return { ...shared, state: 'working', reason: `${status.pending} events are not acknowledged yet.`, ...since };
  }
  return { ...shared, state: 'ok', ...since };
}

/** Names of quarantined objects may have a namespace. */
const isNamed = (shown = '', name: string | undefined): boolean => shown === name || shown.endsWith(`/${name}`);

const refOf = ({ metadata: { namespace = '', name } }: Agent) => ({
  group: 'fairlead.dev',
  kind: 'Agent',
  namespace,
  name,
});
