import { must } from '@fairlead/apimachinery';
import type { ReplicaSet } from '../kinds.ts';
import { isComplete } from './deployment-status.ts';
import { byAge, type Draft, roomForNew, totalReplicas } from './draft.ts';
import { maxUnavailable } from './limits.ts';
import { pruneHistory } from './prune-history.ts';

/** Scales the new one up as far as the surge permits, otherwise the old ones down as far as availability permits, otherwise done. */
export function stepRolling(draft: Draft): ReplicaSet {
  const newest = draft.requireNewest();
  const { replicas } = draft.deployment.spec;
  const { name } = newest.metadata;
  const current = () =>
    must(
      draft.sets.find((set) => set.metadata.name === name),
      name,
    );
  const size = newest.spec.replicas;
  const target = size >= replicas ? replicas : roomForNew(draft.deployment, draft.sets, size);
  const isNew = newest.metadata.uid === undefined;
  if ((!isNew && draft.scale(newest, target)) || shrinkOld(draft, current())) return current();
  if (isComplete(draft.deployment, draft.status)) pruneHistory(draft);
  return current();
}

/** Counts only pods that will be kept: the status of a recently scaled ReplicaSet may be stale. */
const availableIn = ({ spec, status }: ReplicaSet): number => Math.min(spec.replicas, status?.availableReplicas ?? 0);

/** The unhealthy ones first: this does not reduce availability. */
function shrinkOld(draft: Draft, newest: ReplicaSet): boolean {
  const { deployment, sets } = draft;
  const active = () => draft.old.filter((set) => set.spec.replicas > 0).sort(byAge);
  if (active().length === 0) return false;
  const least = deployment.spec.replicas - maxUnavailable(deployment);
  const newUnavailable = newest.spec.replicas - availableIn(newest);
  let room = totalReplicas(sets) - least - newUnavailable;
  if (room <= 0) return false;
  let scaled = false;
  for (const set of active()) {
    const unhealthy = Math.min(room, set.spec.replicas - availableIn(set));
    if (unhealthy <= 0) continue;
    scaled = draft.scale(set, set.spec.replicas - unhealthy) || scaled;
    room -= unhealthy;
  }
  const available = [...active(), newest].reduce((sum, set) => sum + availableIn(set), 0);
  let spare = available - least;
  for (const set of active()) {
    if (spare <= 0) break;
    const less = Math.min(set.spec.replicas, spare);
    scaled = draft.scale(set, set.spec.replicas - less) || scaled;
    spare -= less;
  }
  return scaled;
}

/** First scales all old ones down; only when none of their pods runs, the new one up. */
export function stepRecreate(
  draft: Draft,
  newest: ReplicaSet | undefined,
  oldPodsRun: () => boolean,
): ReplicaSet | undefined {
  const running = draft.old.filter((set) => set.spec.replicas > 0);
  for (const set of running) draft.scale(set, 0);
  if (running.length > 0 || oldPodsRun()) return newest;
  const next = newest ?? draft.requireNewest();
  if (next.metadata.uid !== undefined) draft.scale(next, draft.deployment.spec.replicas);
  if (isComplete(draft.deployment, draft.status)) pruneHistory(draft);
  return draft.newest;
}
