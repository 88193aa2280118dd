import { same } from '../../../kinds/workloads/equality.ts';
import type { Deployment, DeploymentStatus, ReplicaSet } from '../kinds.ts';
import { condition, conditionOf, withCondition, withoutCondition } from './conditions.ts';
import { type Draft, totalReplicas } from './draft.ts';
import { hasProgressDeadline, maxUnavailable } from './limits.ts';

const sum = (sets: readonly ReplicaSet[], count: (set: ReplicaSet) => number | undefined): number =>
  sets.reduce((total, set) => total + (count(set) ?? 0), 0);

/** Counts over all ReplicaSets, and whether enough pods are available. */
export function countedStatus(draft: Draft, newest: ReplicaSet | undefined): DeploymentStatus {
  const { deployment, sets, now } = draft;
  const available = sum(sets, ({ status }) => status?.availableReplicas);
  const counts: DeploymentStatus = {
    observedGeneration: deployment.metadata.generation ?? 0,
    replicas: sum(sets, ({ status }) => status?.replicas),
    updatedReplicas: newest?.status?.replicas ?? 0,
    readyReplicas: sum(sets, ({ status }) => status?.readyReplicas),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, totalReplicas(sets) - available),
  };
  const { collisionCount, conditions } = draft.status;
  const status: DeploymentStatus = {
    ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0)),
    terminatingReplicas: sum(sets, ({ status }) => status?.terminatingReplicas),
    ...(collisionCount === undefined ? {} : { collisionCount }),
    ...(conditions ? { conditions } : {}),
  };
  return withCondition(
    status,
    available >= deployment.spec.replicas - maxUnavailable(deployment)
      ? condition('Available', 'True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.', now)
      : condition(
          'Available',
          'False',
          'MinimumReplicasUnavailable',
          'Deployment does not have minimum availability.',
          now,
        ),
  );
}

/** All pods are of the newest ReplicaSet and available, and no old pod remains. */
export function isComplete({ spec, metadata }: Deployment, status: DeploymentStatus): boolean {
  return (
    (status.updatedReplicas ?? 0) === spec.replicas &&
    (status.replicas ?? 0) === spec.replicas &&
    (status.availableReplicas ?? 0) === spec.replicas &&
    (status.observedGeneration ?? 0) >= (metadata.generation ?? 0)
  );
}

function hasMoved(before: DeploymentStatus, after: DeploymentStatus): boolean {
  const old = ({ replicas = 0, updatedReplicas = 0 }: DeploymentStatus) => replicas - updatedReplicas;
  return (
    (after.updatedReplicas ?? 0) > (before.updatedReplicas ?? 0) ||
    old(after) < old(before) ||
    (after.readyReplicas ?? 0) > (before.readyReplicas ?? 0) ||
    (after.availableReplicas ?? 0) > (before.availableReplicas ?? 0)
  );
}

function hasTimedOut({ spec }: Deployment, status: DeploymentStatus, now: number): boolean {
  const progressing = conditionOf(status, 'Progressing');
  if (!progressing || progressing.reason === 'NewReplicaSetAvailable') return false;
  if (progressing.reason === 'ProgressDeadlineExceeded') return true;
  return Date.parse(progressing.lastUpdateTime ?? '') + (spec.progressDeadlineSeconds ?? 0) * 1000 < now;
}

/** The status of a rollout: the counts, its progress, and why its ReplicaSets cannot create pods. */
export function rolloutStatus(draft: Draft, newest: ReplicaSet | undefined): DeploymentStatus {
  const { deployment } = draft;
  let status = countedStatus(draft, newest);
  if (!hasProgressDeadline(deployment)) status = withoutCondition(status, 'Progressing');
  else status = withProgress(draft, newest, status);
  const failure = [newest, ...draft.sets]
    .flatMap((set) => set?.status?.conditions ?? [])
    .find(({ type }) => type === 'ReplicaFailure');
  if (!failure) return withoutCondition(status, 'ReplicaFailure');
  const { lastTransitionTime } = failure;
  return withCondition(status, { ...failure, ...(lastTransitionTime ? { lastUpdateTime: lastTransitionTime } : {}) });
}

function withProgress(draft: Draft, newest: ReplicaSet | undefined, status: DeploymentStatus): DeploymentStatus {
  const { deployment, now } = draft;
  const current = conditionOf(draft.status, 'Progressing');
  const settled = (status.replicas ?? 0) === (status.updatedReplicas ?? 0);
  if (settled && current?.reason === 'NewReplicaSetAvailable') return status;
  const { name } = deployment.metadata;
  const subject = newest ? `ReplicaSet "${newest.metadata.name}"` : `Deployment "${name}"`;
  const progress = (state: 'True' | 'False', reason: string, message: string) =>
    condition('Progressing', state, reason, `${subject} ${message}`, now);
  if (isComplete(deployment, status)) {
    return withCondition(status, progress('True', 'NewReplicaSetAvailable', 'has successfully progressed.'));
  }
  if (hasMoved(deployment.status ?? {}, status)) {
    const moving = progress('True', 'ReplicaSetUpdated', 'is progressing.');
    const since = current?.status === 'True' ? current.lastTransitionTime : undefined;
    // Updated each time, so that the deadline counts from the last progress.
    return withCondition(withoutCondition(status, 'Progressing'), {
      ...moving,
      ...(since ? { lastTransitionTime: since } : {}),
    });
  }
  return hasTimedOut(deployment, status, now)
    ? withCondition(status, progress('False', 'ProgressDeadlineExceeded', 'has timed out progressing.'))
    : status;
}

/** When a stalled rollout must be reconciled again; undefined if never. */
export function msToDeadline(draft: Draft, status: DeploymentStatus): number | undefined {
  const { deployment, now } = draft;
  const current = conditionOf(deployment.status ?? {}, 'Progressing');
  if (!hasProgressDeadline(deployment) || !current || !same(status, deployment.status)) return undefined;
  if (isComplete(deployment, status) || current.reason === 'ProgressDeadlineExceeded') return undefined;
  const deadline = Date.parse(current.lastUpdateTime ?? '') + (deployment.spec.progressDeadlineSeconds ?? 0) * 1000;
  return Math.max(0, deadline - now) + 5;
}
