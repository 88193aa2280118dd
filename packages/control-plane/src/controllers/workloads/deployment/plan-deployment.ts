import { same } from '../../../kinds/workloads/equality.ts';
import type { Deployment, DeploymentStatus, Pod, ReplicaSet } from '../kinds.ts';
import { isFinished } from '../pods.ts';
import { countIn, desiredAnnotation, rollbackAnnotation } from './annotations.ts';
import { conditionOf } from './conditions.ts';
import { countedStatus, isComplete, msToDeadline, rolloutStatus } from './deployment-status.ts';
import { type DeploymentEvent, Draft, type SetWrite } from './draft.ts';
import { hasProgressDeadline } from './limits.ts';
import { scaleInProportion } from './proportional.ts';
import { pruneHistory } from './prune-history.ts';
import { planRollback } from './rollback.ts';
import { stepRecreate, stepRolling } from './steps.ts';

export interface DeploymentView {
  readonly deployment: Deployment;
  /** All objects that it controls. */
  readonly sets: readonly ReplicaSet[];
  podsOf(set: ReplicaSet): readonly Pod[];
  readonly now: number;
}

/** The plan for a Deployment: first its ReplicaSets, then itself. */
export interface DeploymentPlan {
  readonly writes: readonly SetWrite[];
  readonly events: readonly DeploymentEvent[];
  /** The Deployment with a changed spec, by a rollback. */
  readonly replace?: Deployment;
  /** The Deployment with its new status and revision, if they changed. */
  readonly status?: Deployment;
  readonly requeueAfterMs?: number;
}

/**
 * One step towards the desired state of a Deployment. Steps are small deliberately: each waits for the effect of the last one, so that
 * availability never falls below the promised number.
 */
export function planDeployment(view: DeploymentView): DeploymentPlan {
  const { deployment } = view;
  const draft = new Draft(deployment, view.sets, view.now);
  if (deployment.metadata.deletionTimestamp !== undefined) {
    return planOf(draft, countedStatus(draft, draft.adoptNewest()));
  }
  notePause(draft);
  const rollback = rollbackTo(deployment);
  if (deployment.spec.paused) return planOf(draft, scaleOnly(draft, rollback === undefined));
  if (rollback !== undefined) return planRollback(draft, rollback);
  const newest = draft.adoptNewest();
  if (wasScaled(draft)) return planOf(draft, scaleOnly(draft, false));
  const current =
    deployment.spec.strategy.type === 'Recreate'
      ? stepRecreate(draft, newest, oldPodsRun(view, draft, newest))
      : stepRolling(draft);
  return planOf(draft, rolloutStatus(draft, current));
}

function planOf(draft: Draft, status: DeploymentStatus): DeploymentPlan {
  const { deployment, annotations, writes, events } = draft;
  const changed = !same(status, deployment.status) || !same(annotations, deployment.metadata.annotations ?? {});
  const requeueAfterMs = msToDeadline(draft, status);
  return {
    writes,
    events,
    ...(changed ? { status: { ...deployment, metadata: annotated(deployment.metadata, annotations), status } } : {}),
    ...(requeueAfterMs === undefined ? {} : { requeueAfterMs }),
  };
}

/** Without annotations the field is omitted instead of an empty map. */
function annotated(metadata: Deployment['metadata'], annotations: Draft['annotations']): Deployment['metadata'] {
  const { annotations: _, ...rest } = metadata;
  return Object.keys(annotations).length > 0 ? { ...rest, annotations } : rest;
}

/** A pause stops the progress deadline, and resuming restarts it. A missed deadline stays missed. */
function notePause(draft: Draft): void {
  const { deployment } = draft;
  const reason = conditionOf(draft.status, 'Progressing')?.reason;
  if (!hasProgressDeadline(deployment) || reason === 'ProgressDeadlineExceeded') return;
  if (deployment.spec.paused && reason !== 'DeploymentPaused') {
    draft.progress('Unknown', 'DeploymentPaused', 'Deployment is paused');
  } else if (!deployment.spec.paused && reason === 'DeploymentPaused') {
    draft.progress('Unknown', 'DeploymentResumed', 'Deployment is resumed');
  }
}

function scaleOnly(draft: Draft, prune: boolean): DeploymentStatus {
  scaleInProportion(draft, draft.adoptNewest());
  if (prune && draft.deployment.spec.paused) pruneHistory(draft);
  return countedStatus(draft, draft.newest);
}

/** Whether the number of replicas differs from the one last written to the replica sets. */
function wasScaled({ deployment, sets }: Draft): boolean {
  return sets.some((set) => {
    const recorded = countIn(set, desiredAnnotation);
    return set.spec.replicas > 0 && recorded !== undefined && recorded !== deployment.spec.replicas;
  });
}

function oldPodsRun(view: DeploymentView, draft: Draft, newest: ReplicaSet | undefined): () => boolean {
  return () =>
    draft.old.some(({ status }) => (status?.replicas ?? 0) > 0) ||
    view.sets
      .filter((set) => set.metadata.uid !== newest?.metadata.uid)
      .some((set) => view.podsOf(set).some((pod) => !isFinished(pod)));
}

function rollbackTo({ metadata }: Deployment): number | undefined {
  const text = metadata.annotations?.[rollbackAnnotation];
  return text && /^[+-]?\d+$/.test(text) ? Number(text) : undefined;
}

export { isComplete };
