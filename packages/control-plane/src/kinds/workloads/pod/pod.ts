import type { PodFields, PodSpecFields, PodStatus } from '@fairlead/apimachinery/fields';

/** A pod with all parts present. */
export interface CompletePod extends PodFields {
  spec: PodSpecFields;
  status: PodStatus;
}

/** The same pod, with an empty spec and status if they are absent. */
export function podOf(pod: PodFields): CompletePod {
  complete(pod);
  return pod;
}

function complete(pod: PodFields): asserts pod is CompletePod {
  pod.spec ??= {};
  pod.status ??= {};
}
