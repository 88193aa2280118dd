import { fieldError } from '@fairlead/apimachinery';
import { internalDifference } from '../../internal-form.ts';
import type { Findings } from '../checks.ts';
import { same } from '../equality.ts';
import { mirrorPod } from '../pod-spec/annotations.ts';
import type { Leniency } from '../pod-spec/leniency.ts';
import type { CompletePod } from './pod.ts';
import { annotationUpdate } from './update.ts';
import { anyPod } from './validate.ts';

/** Ephemeral containers can be added to a running pod, never removed or changed. */
export function* ephemeralContainersUpdate(pod: CompletePod, old: CompletePod, leniency: Leniency): Findings {
  if (old.metadata.annotations?.[mirrorPod] !== undefined) {
    return yield fieldError.forbidden('', 'static pods do not support ephemeral containers');
  }
  yield* anyPod(pod, leniency);
  yield* annotationUpdate(pod, old, leniency);
  const path = 'spec.ephemeralContainers';
  for (const container of old.spec.ephemeralContainers ?? []) {
    const now = pod.spec.ephemeralContainers?.find((each) => each.name === container.name);
    const which = `existing ephemeral containers ${JSON.stringify(container.name ?? '')} may not be`;
    if (!now) yield fieldError.forbidden(path, `${which} removed\n`);
    else if (!same(now, container)) {
      const difference = internalDifference(container, now, 'core.v1.EphemeralContainer');
      yield fieldError.forbidden(path, `${which} changed\n${difference}`);
    }
  }
}
