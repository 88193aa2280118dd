import { fieldError } from '@fairlead/apimachinery';
import type { Findings } from '../checks.ts';
import { podAnnotations, profilesAgree } from '../pod-spec/annotations.ts';
import { trimmedImage } from '../pod-spec/containers.ts';
import type { Leniency } from '../pod-spec/leniency.ts';
import { podSpec } from '../pod-spec/validate.ts';
import type { CompletePod } from './pod.ts';

export function* newPod(pod: CompletePod, leniency: Leniency): Findings {
  yield* anyPod(pod, leniency);
  if (pod.spec.ephemeralContainers?.length) {
    yield fieldError.forbidden('spec.ephemeralContainers', 'cannot be set on create');
  }
  if (pod.spec.nodeName && pod.spec.schedulingGates?.length) {
    yield fieldError.forbidden('spec.nodeName', 'cannot be set until all schedulingGates have been cleared');
  }
  yield* profilesAgree(pod.metadata.annotations, pod.spec, 'spec');
}

/** The rules for a pod at any time. */
export function* anyPod(pod: CompletePod, leniency: Leniency): Findings {
  const { metadata, spec } = pod;
  yield* podAnnotations(metadata.annotations, spec, 'metadata.annotations', leniency);
  yield* podSpec(spec, 'spec', leniency, metadata);
  if (!spec.serviceAccountName) yield* tokensWithoutAccount(pod);
  for (const list of ['containers', 'initContainers'] as const) {
    for (const [index, container] of (spec[list] ?? []).entries())
      yield* trimmedImage(container, `spec.${list}[${index}]`);
  }
}

function* tokensWithoutAccount({ spec }: CompletePod): Findings {
  for (const [index, volume] of (spec.volumes ?? []).entries()) {
    for (const [at, source] of (volume.projected?.sources ?? []).entries()) {
      if (!source.serviceAccountToken) continue;
      const field = `spec.volumes[${index}].projected.sources[${at}].serviceAccountToken`;
      yield fieldError.forbidden(field, 'must not be specified when serviceAccountName is not set');
    }
  }
}
