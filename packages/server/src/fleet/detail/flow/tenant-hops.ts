import type { GitOpsDeployment } from '@fairlead/api';
import { type Finding, type FlowState, queueOf, type RoleFinding, roleFinding, sentence } from './flow-state.ts';

const absent: Finding = { state: 'absent' };
const startService = 'start the multi-tenant service: its Deployment, or fairlead up';

/** Whether the GitOpsDeployment is stored in the database. */
export function tenantHop(state: FlowState): Finding {
  const { deployment } = state;
  if (!state.isTenant) return absent;
  const backend = roleFinding(state, ['service', 'service-backend'], 'multi-tenant service');
  const queue = queueOf(backend, ['deployments', 'connections']);
  if (!deployment) return { state: 'unknown', ...queue, reason: 'Its GitOpsDeployment does not exist.' };
  const shared = { ...queue, resource: refOf(deployment) };
  const down = whyDown(backend);
  if (down) return { ...shared, ...down };
  const problem = problemOf(deployment);
  if (problem && problem.reason !== 'OperationFailed') {
    return {
      ...shared,
      state: 'broken',
      reason: sentence(problem.message),
      ...actionFor(problem.reason),
      ...problem.since,
    };
  }
  return { ...shared, state: 'ok', ...(generationOf(deployment) ?? {}) };
}

/** Whether the Application is as the row in the database says. */
export function operationHop(state: FlowState): Finding {
  const { deployment, application } = state;
  if (!state.isTenant) return absent;
  const agent = roleFinding(state, ['service', 'service-agent'], 'multi-tenant service');
  const shared = queueOf(agent, ['operations']);
  const down = whyDown(agent);
  if (down) return { ...shared, ...down };
  if (!deployment) return { ...shared, state: 'unknown' };
  const problem = problemOf(deployment);
  if (problem?.reason === 'OperationFailed') {
    return { ...shared, state: 'broken', reason: sentence(problem.message), ...problem.since };
  }
  if (isDelivered(deployment, application.spec.source)) return { ...shared, state: 'ok' };
  return {
    ...shared,
    state: 'working',
    reason: 'The Application does not have the source of its GitOpsDeployment yet.',
  };
}

/** Whether the GitOpsDeployment has the status of the Application. */
export function tenantStatus(state: FlowState): Finding | undefined {
  const { deployment, application } = state;
  if (!state.isTenant || !deployment) return undefined;
  const service = roleFinding(state, ['service', 'service-backend', 'service-agent'], 'multi-tenant service');
  const shared = { ...queueOf(service, ['status']), resource: refOf(deployment) };
  const [shown, actual] = [deployment.status, application.status];
  const isSame =
    (shown?.sync?.status ?? '') === (actual?.sync?.status ?? '') &&
    (shown?.sync?.revision ?? '') === (actual?.sync?.revision ?? '') &&
    (shown?.health?.status ?? '') === (actual?.health?.status ?? '');
  if (isSame) return { ...shared, state: 'ok' };
  const down = whyDown(service);
  if (down) return { ...shared, ...down };
  return {
    ...shared,
    state: 'working',
    reason: 'The GitOpsDeployment does not show the status of the Application yet.',
  };
}

function whyDown(found: RoleFinding): Finding | undefined {
  if (found.is === 'stopped') {
    return { state: 'broken', reason: found.problem, action: startService, since: found.since };
  }
  if (found.is === 'running' && found.problem !== undefined) {
    const action = 'check that the database runs and that the service can reach it (DATABASE_URL)';
    return { state: 'broken', reason: sentence(found.problem), ...(/database/u.test(found.problem) ? { action } : {}) };
  }
  return undefined;
}

const refOf = ({ metadata: { namespace = '', name } }: GitOpsDeployment) => ({
  group: 'managed-gitops.redhat.com',
  kind: 'GitOpsDeployment',
  namespace,
  name,
});

function problemOf({ status }: GitOpsDeployment) {
  const found = status?.conditions?.find(({ type, status: is }) => type === 'ErrorOccurred' && is === 'True');
  if (!found) return undefined;
  const { reason = '', message = 'no reason was reported', lastTransitionTime } = found;
  return { reason, message, since: lastTransitionTime ? { since: lastTransitionTime } : {} };
}

const actionFor = (reason: string): Pick<Finding, 'action'> =>
  reason === 'Retrying' ? { action: 'check the service and its database' } : { action: 'correct the GitOpsDeployment' };

const generationOf = ({ metadata }: GitOpsDeployment): Pick<Finding, 'since'> | undefined =>
  metadata.creationTimestamp ? { since: metadata.creationTimestamp } : undefined;

/** Whether the Application has the source that the tenant has asked for. */
function isDelivered(
  { spec }: GitOpsDeployment,
  source: { readonly repoURL?: string; readonly path?: string; readonly targetRevision?: string } | undefined,
): boolean {
  const desired = spec.source;
  const plain = (url: string | undefined): string => (url ?? '').replace(/\/$/u, '').replace(/\.git$/u, '');
  return (
    plain(desired.repoURL ?? desired.repository) === plain(source?.repoURL) &&
    desired.path === (source?.path ?? '') &&
    (desired.targetRevision ?? desired.revision ?? '') === (source?.targetRevision ?? '')
  );
}
