import type { Pod, StatefulSet, StatefulSetStatus } from '../kinds.ts';
import { isAvailable, isDeleted } from '../pods.ts';
import { revisionOf } from './members.ts';
import { isHealthy } from './plan-members.ts';

export interface Revisions {
  readonly current: string;
  readonly update: string;
  readonly collisions: number;
}

/** The status of a set. When all members are of the update revision and ready, it becomes the current revision. */
export function statefulSetStatus(
  set: StatefulSet,
  pods: readonly Pod[],
  revisions: Revisions,
  now: number,
): StatefulSetStatus {
  const { replicas: desired, minReadySeconds = 0, updateStrategy } = set.spec;
  const present = pods.filter((pod) => pod.status?.phase);
  const lasting = present.filter((pod) => !isDeleted(pod));
  const ready = pods.filter(isHealthy);
  const updated = lasting.filter((pod) => revisionOf(pod) === revisions.update).length;
  const complete =
    updateStrategy.type === 'RollingUpdate' &&
    updated === desired &&
    ready.length === desired &&
    present.length === desired;
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
