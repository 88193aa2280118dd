import type { Pod, StatefulSet, StatefulSetStatus } from '../kinds.ts';
import { isAvailable, isDeleted } from '../pods.ts';
import { revisionOf } from './members.ts';
import { isHealthy } from './plan-members.ts';

export interface Revisions {
  readonly current: string;
  readonly update: string;
  readonly collisions: number;
}

/** What a set tells of its members. When all are of the new revision and ready, that is the current one. */
export function statefulSetStatus(
  set: StatefulSet,
  pods: readonly Pod[],
  revisions: Revisions,
  now: number,
): StatefulSetStatus {
  const { replicas: wanted, minReadySeconds = 0, updateStrategy } = set.spec;
  const present = pods.filter((pod) => pod.status?.phase);
  const lasting = present.filter((pod) => !isDeleted(pod));
  const ready = pods.filter(isHealthy);
  const updated = lasting.filter((pod) => revisionOf(pod) === revisions.update).length;
  const complete =
    updateStrategy.type === 'RollingUpdate' &&
    updated === wanted &&
    ready.length === wanted &&
    present.length === wanted;
  const current = complete ? updated : lasting.filter((pod) => revisionOf(pod) === revisions.current).length;
  const { generation } = set.metadata;
  return {
    ...(generation ? { observedGeneration: generation } : {}),
    replicas: present.length,
    ...(ready.length > 0 ? { readyReplicas: ready.length } : {}),
    ...(current > 0 ? { currentReplicas: current } : {}),
    ...(updated > 0 ? { updatedReplicas: updated } : {}),
    currentRevision: complete ? revisions.update : revisions.current,
    updateRevision: revisions.update,
    collisionCount: revisions.collisions,
    availableReplicas: ready.filter((pod) => isAvailable(pod, minReadySeconds, now)).length,
  };
}
