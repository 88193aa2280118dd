import {
  apiVersionOf,
  type KubeObject,
  type OwnerReference,
  podType,
  type ResourceType,
  statefulSetType,
} from '@fairlead/apimachinery';
import type { Claim, Pod, Retention, StatefulSet } from '../kinds.ts';
import { controllerReference } from '../owners.ts';
import { isDesired } from './members.ts';

function policyOf({ spec }: StatefulSet): { whenDeleted: Retention; whenScaled: Retention } {
  const { whenDeleted = 'Retain', whenScaled = 'Retain' } = spec.persistentVolumeClaimRetentionPolicy ?? {};
  return { whenDeleted, whenScaled };
}

const names = (reference: OwnerReference, type: ResourceType, object: KubeObject): boolean =>
  reference.apiVersion === apiVersionOf(type) &&
  reference.kind === type.kind &&
  reference.name === object.metadata.name;

const isStale = (claim: KubeObject, type: ResourceType, owner: KubeObject): boolean => {
  const reference = claim.metadata.ownerReferences?.find((each) => names(each, type, owner));
  return reference !== undefined && reference.uid !== owner.metadata.uid;
};

/** The claim still belongs to an earlier pod of the name and will be deleted with it: the next pod must wait for that. */
export const waitsForCollection = (claim: Claim, set: StatefulSet, pod: Pod): boolean =>
  policyOf(set).whenScaled === 'Delete' && isStale(claim, podType, pod);

/** Another controller owns the claim, so the policy of the StatefulSet cannot apply to it. */
export function hasForeignController(claim: Claim, set: StatefulSet, pod: Pod): boolean {
  const { whenDeleted, whenScaled } = policyOf(set);
  if (whenDeleted === 'Retain' && whenScaled === 'Retain') return false;
  return (claim.metadata.ownerReferences ?? []).some((reference) => {
    if (names(reference, statefulSetType, set)) return reference.uid !== set.metadata.uid;
    if (names(reference, podType, pod)) return reference.uid !== pod.metadata.uid;
    return reference.controller === true;
  });
}

/**
 * The owner of a claim, by the retention policy: the StatefulSet, a pod that was scaled down, or none. Undefined if its owners are correct,
 * or managed by others.
 */
export function plannedOwners(claim: Claim, set: StatefulSet, pod: Pod): OwnerReference[] | undefined {
  if (isStale(claim, statefulSetType, set) || isStale(claim, podType, pod)) return undefined;
  const present = claim.metadata.ownerReferences ?? [];
  const others = present.filter((each) => !names(each, statefulSetType, set) && !names(each, podType, pod));
  if (hasForeignController(claim, set, pod)) return others.length < present.length ? others : undefined;
  const { whenDeleted, whenScaled } = policyOf(set);
  const scaledAway = !isDesired(set, pod);
  const withPod = whenScaled === 'Delete' && scaledAway;
  const withSet = whenDeleted === 'Delete' && !withPod;
  const planned = [
    ...others,
    ...(withPod ? [controllerReference(podType, pod)] : []),
    ...(withSet ? [controllerReference(statefulSetType, set)] : []),
  ];
  const has = (reference: OwnerReference) =>
    present.some(
      ({ uid, controller }) => uid === reference.uid && Boolean(controller) === Boolean(reference.controller),
    );
  return planned.length === present.length && planned.every(has) ? undefined : planned;
}
