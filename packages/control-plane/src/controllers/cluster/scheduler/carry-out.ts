import { formatTime, isNotFound, type KubeObject, podType } from '@fairlead/apimachinery';
import type { ApiClient, Clock, Logger } from '@fairlead/kube';
import type { RecordEvent } from '../../parts.ts';
import { removePod } from '../disruption-target.ts';
import { type Pod, podCondition } from '../objects.ts';
import { schedulerName } from './follow-cluster.ts';

export interface Writer {
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly log: Logger;
  readonly record: RecordEvent;
}

/** Notes of an event are truncated to this length. */
const longestNote = 1024;
const cut = (message: string): string =>
  message.length <= longestNote ? message : `${message.slice(0, longestNote - 4)} ...`;

export async function bind({ client, record }: Writer, pod: Pod, node: string): Promise<void> {
  const { name, namespace, uid } = pod.metadata;
  const binding = {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name, namespace, uid },
    target: { kind: 'Node', name: node },
  };
  await client.create(podType, binding as unknown as KubeObject, { subresource: 'binding' });
  record(pod, 'Normal', 'Scheduled', `Successfully assigned ${namespace}/${name} to ${node}`);
}

/** Writes the reason why a pod has no node to the pod's conditions. Writes nothing if the conditions are up to date. */
export async function reportRefusal(
  { client, clock, log, record }: Writer,
  pod: Pod,
  message: string,
  nominatedNodeName?: string,
): Promise<void> {
  record(pod, 'Warning', 'FailedScheduling', cut(message));
  const before = podCondition(pod, 'PodScheduled');
  const { generation } = pod.metadata;
  const nominated = (pod.status?.nominatedNodeName ?? '') !== (nominatedNodeName ?? '');
  const known =
    before?.status === 'False' &&
    before.reason === 'Unschedulable' &&
    before.message === message &&
    before.observedGeneration === generation;
  if (known && !nominated) return;
  const condition = {
    type: 'PodScheduled',
    status: 'False',
    reason: 'Unschedulable',
    message,
    ...(generation ? { observedGeneration: generation } : {}),
    lastTransitionTime: before?.status === 'False' ? before.lastTransitionTime : formatTime(clock.now()),
  };
  const status = {
    conditions: [condition],
    ...(nominated ? { nominatedNodeName: nominatedNodeName ?? null } : {}),
  };
  try {
    const body = { metadata: { uid: pod.metadata.uid }, status };
    await client.patch(podType, pod.metadata, 'strategic', body, { subresource: 'status' });
  } catch (error) {
    if (!isNotFound(error)) log.warn('a refusal could not be written', { error, pod: pod.metadata.name });
  }
}

/** Preempts: each victim gets a condition with the reason, and is deleted gracefully. */
export async function evictVictims(
  { client, clock, log, record }: Writer,
  preemptor: Pod,
  node: string,
  victims: readonly Pod[],
): Promise<void> {
  for (const victim of victims) {
    if (victim.metadata.deletionTimestamp) continue;
    try {
      await removePod(client, victim, {
        reason: 'PreemptionByScheduler',
        message: `${schedulerName}: preempting to accommodate a higher priority pod`,
        now: formatTime(clock.now()),
      });
      record(victim, 'Normal', 'Preempted', `Preempted by pod ${preemptor.metadata.uid} on node ${node}`);
    } catch (error) {
      log.warn('a pod could not be preempted', { error, pod: victim.metadata.name });
    }
  }
}
