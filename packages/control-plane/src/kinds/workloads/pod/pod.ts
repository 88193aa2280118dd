import type { Draft } from '../../../resource.ts';
import type { PodSpec, PodStatus } from '../pod-spec/types.ts';

/** A pod as its rules see it. */
export interface Pod {
  metadata: Draft['metadata'];
  spec: PodSpec;
  status: PodStatus;
}

/** The same object under a type that names its parts. */
export function podOf(draft: Draft): Pod {
  const pod = draft as unknown as Pod;
  pod.spec ??= {};
  pod.status ??= {};
  return pod;
}
