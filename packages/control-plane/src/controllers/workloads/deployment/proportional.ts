import type { Deployment, ReplicaSet } from '../kinds.ts';
import { countIn, desiredAnnotation, maxAnnotation } from './annotations.ts';
import { byAge, type Draft, totalReplicas } from './draft.ts';
import { isRolling, maxSurge } from './limits.ts';

/**
 * Scales outside of a rollout step: a single active ReplicaSet is scaled to the full size; several during a rollout are scaled
 * proportionally, so that the risk does not change.
 */
export function scaleInProportion(draft: Draft, newest: ReplicaSet | undefined): void {
  const { deployment } = draft;
  const { replicas } = deployment.spec;
  const only = activeOrLatest(draft, newest);
  if (only) {
    if (only.spec.replicas !== replicas) draft.scale(only, replicas);
    return;
  }
  if (newest && isSaturated(deployment, newest)) {
    for (const set of draft.old) if (set.spec.replicas > 0) draft.scale(set, 0);
    return;
  }
  if (!isRolling(deployment)) return;
  const active = draft.sets.filter((set) => set.spec.replicas > 0);
  const allowed = replicas > 0 ? replicas + maxSurge(deployment) : 0;
  for (const { set, size } of shares(deployment, active, allowed - totalReplicas(active))) draft.scale(set, size, true);
}

function activeOrLatest(draft: Draft, newest: ReplicaSet | undefined): ReplicaSet | undefined {
  const active = draft.sets.filter((set) => set.spec.replicas > 0);
  if (active.length > 1) return undefined;
  return active[0] ?? newest ?? draft.old.at(-1);
}

/** Spec and status agree that the newest should have all the pods, and all of them are available. */
function isSaturated({ spec }: Deployment, set: ReplicaSet): boolean {
  return (
    set.spec.replicas === spec.replicas &&
    countIn(set, desiredAnnotation) === spec.replicas &&
    (set.status?.availableReplicas ?? 0) === spec.replicas
  );
}

/** The larger first; of equal size the newer first when scaling up, the older when scaling down. */
function shares(
  deployment: Deployment,
  sets: readonly ReplicaSet[],
  toAdd: number,
): { set: ReplicaSet; size: number }[] {
  if (toAdd === 0) return sets.map((set) => ({ set, size: set.spec.replicas }));
  const ordered = [...sets].sort(
    (a, b) => b.spec.replicas - a.spec.replicas || (toAdd > 0 ? byAge(b, a) : byAge(a, b)),
  );
  let added = 0;
  const sized = ordered.map((set) => {
    const left = toAdd - added;
    const fraction = left === 0 ? 0 : fractionOf(deployment, set);
    const share = toAdd > 0 ? Math.min(fraction, left) : Math.max(fraction, left);
    added += share;
    return { set, size: set.spec.replicas + share };
  });
  if (sized[0]) sized[0].size = Math.max(0, sized[0].size + toAdd - added);
  return sized;
}

/** The growth of a ReplicaSet when the Deployment is scaled from its last recorded size to the current one. */
function fractionOf(deployment: Deployment, set: ReplicaSet): number {
  const { replicas } = deployment.spec;
  const size = set.spec.replicas;
  if (replicas === 0) return -size;
  const before = countIn(set, maxAnnotation) || (deployment.status?.replicas ?? 0);
  if (before === 0) return 0;
  return Math.trunc((size * (replicas + maxSurge(deployment))) / before + 0.5) - size;
}
