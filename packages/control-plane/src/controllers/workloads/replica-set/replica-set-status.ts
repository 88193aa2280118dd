import type { Condition } from '@fairlead/apimachinery';
import { formatTime } from '@fairlead/apimachinery';
import type { Pod, ReplicaSet, ReplicaSetStatus } from '../kinds.ts';
import { isAvailable, isReady } from '../pods.ts';

export interface Replicas {
  readonly active: readonly Pod[];
  /** Undefined if the kind does not report it. */
  readonly terminating: readonly Pod[] | undefined;
  /** Why pods could not be created or deleted, if so. */
  readonly failure?: { readonly reason: 'FailedCreate' | 'FailedDelete'; readonly message: string } | undefined;
}

const failureType = 'ReplicaFailure';

/** The status of a replica set, computed from its pods. */
export function replicaSetStatus(replicaSet: ReplicaSet, replicas: Replicas, now: number): ReplicaSetStatus {
  const { template, minReadySeconds = 0 } = replicaSet.spec;
  const desired = Object.entries(template.metadata?.labels ?? {});
  let [labelled, ready, available] = [0, 0, 0];
  for (const pod of replicas.active) {
    const labels = pod.metadata.labels ?? {};
    if (desired.every(([key, value]) => labels[key] === value)) labelled += 1;
    if (isReady(pod)) ready += 1;
    if (isAvailable(pod, minReadySeconds, now)) available += 1;
  }
  const { generation } = replicaSet.metadata;
  const conditions = conditionsOf(replicaSet.status?.conditions ?? [], replicas.failure, now);
  return {
    replicas: replicas.active.length,
    ...(labelled > 0 ? { fullyLabeledReplicas: labelled } : {}),
    ...(ready > 0 ? { readyReplicas: ready } : {}),
    ...(available > 0 ? { availableReplicas: available } : {}),
    ...(replicas.terminating ? { terminatingReplicas: replicas.terminating.length } : {}),
    ...(generation ? { observedGeneration: generation } : {}),
    ...(conditions.length > 0 ? { conditions } : {}),
  };
}

/** An existing failure condition is not changed. */
function conditionsOf(before: readonly Condition[], failure: Replicas['failure'], now: number): Condition[] {
  const others = before.filter(({ type }) => type !== failureType);
  if (!failure) return others;
  if (others.length < before.length) return [...before];
  const lastTransitionTime = formatTime(now);
  return [...others, { type: failureType, status: 'True', lastTransitionTime, ...failure }];
}
