import { at, type KubeObject, numberAt, textAt } from '@fairlead/apimachinery';
import { type Health, health } from '../../health.ts';

const isThere = (object: KubeObject, ...path: string[]): boolean => (at(object, ...path) ?? undefined) !== undefined;

/** A Rollout of a version before 1.0, which has no phase, with all its replicas: whether the new version is the stable one. */
export function rolloutSteps(rollout: KubeObject): Health | undefined {
  const current = textAt(rollout, 'status', 'currentPodHash');
  const stable = textAt(rollout, 'status', 'stableRS') || textAt(rollout, 'status', 'canary', 'stableRS');
  if (isThere(rollout, 'spec', 'strategy', 'blueGreen')) {
    if (textAt(rollout, 'status', 'blueGreen', 'activeSelector') !== current)
      return health('Progressing', 'active service cutover pending');
    return stable !== '' && stable !== current ? health('Progressing', 'waiting for analysis to complete') : undefined;
  }
  if (!isThere(rollout, 'spec', 'strategy', 'canary')) return undefined;
  if (numberAt(rollout, 'status', 'replicas') > numberAt(rollout, 'status', 'updatedReplicas'))
    return health('Progressing', 'Waiting for roll out to finish: old replicas are pending termination');
  return stable === current ? undefined : health('Progressing', 'Waiting for rollout to finish steps');
}
