import type { PodFields, PodSpecFields, PodStatus } from '@fairlead/apimachinery/fields';

/** A pod whose parts are all there. */
export interface CompletePod extends PodFields {
  spec: PodSpecFields;
  status: PodStatus;
}

/** The same pod, with an empty spec and status where it had none. */
export function podOf(pod: PodFields): CompletePod {
  complete(pod);
  return pod;
}

function complete(pod: PodFields): asserts pod is CompletePod {
  pod.spec ??= {};
  pod.status ??= {};
}
