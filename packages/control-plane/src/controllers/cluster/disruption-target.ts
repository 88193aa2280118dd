import { isNotFound, podType } from '@fairlead/apimachinery';
import type { ApiClient } from '@fairlead/kube';
import { isFinished, type Pod, podCondition } from './objects.ts';

export interface Disruption {
  readonly reason: string;
  readonly message: string;
  readonly now: string;
  /** No kubelet ends it: it counts as failed and is deleted at once. */
  readonly force?: boolean;
}

/** Sets the DisruptionTarget condition on a pod and deletes it. */
export async function removePod(client: ApiClient, pod: Pod, disruption: Disruption | { force: true }): Promise<void> {
  const { uid, generation } = pod.metadata;
  const observed = generation ? { observedGeneration: generation } : {};
  const before = podCondition(pod, 'DisruptionTarget');
  const conditions =
    'reason' in disruption
      ? [
          {
            type: 'DisruptionTarget',
            ...observed,
            status: 'True',
            reason: disruption.reason,
            message: disruption.message,
            lastTransitionTime: before?.status === 'True' ? before.lastTransitionTime : disruption.now,
          },
        ]
      : [];
  const failed = disruption.force && !isFinished(pod) ? { phase: 'Failed', ...observed } : {};
  const status = {
    ...failed,
    ...(conditions.length > 0 && !(disruption.force && isFinished(pod)) ? { conditions } : {}),
  };
  try {
    if (Object.keys(status).length > 0) {
      await client.patch(podType, pod.metadata, 'strategic', { metadata: { uid }, status }, { subresource: 'status' });
    }
    await client.delete(podType, pod.metadata, {
      ...(uid ? { preconditions: { uid } } : {}),
      ...(disruption.force ? { gracePeriodSeconds: 0 } : {}),
    });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
