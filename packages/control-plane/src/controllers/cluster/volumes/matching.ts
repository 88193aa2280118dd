import { compareQuantity, quantityValue } from '@fairlead/apimachinery';
import type { Claim, Node, StorageClass, Volume } from '../objects.ts';
import { meetsAnyTerm } from '../scheduler/node-affinity.ts';
import { compileSelector } from '../scheduler/selection.ts';

const classAnnotation = 'volume.beta.kubernetes.io/storage-class';

/** The annotation is older than the field and takes precedence. */
export const classOfClaim = (claim: Claim): string =>
  claim.metadata.annotations?.[classAnnotation] ?? claim.spec.storageClassName ?? '';
export const classOfVolume = (volume: Volume): string =>
  volume.metadata.annotations?.[classAnnotation] ?? volume.spec.storageClassName ?? '';

export const waitsForConsumer = (storageClass: StorageClass | undefined): boolean =>
  storageClass?.volumeBindingMode === 'WaitForFirstConsumer';

/** Whether a volume refers to the claim, by name alone or with its uid. */
export function isForClaim(volume: Volume, claim: Claim): boolean {
  const ref = volume.spec.claimRef;
  if (ref?.name !== claim.metadata.name || ref.namespace !== claim.metadata.namespace) return false;
  return !ref.uid || ref.uid === claim.metadata.uid;
}

export const isSameMode = (claim: Claim, volume: Volume): boolean =>
  (claim.spec.volumeMode ?? 'Filesystem') === (volume.spec.volumeMode ?? 'Filesystem');

export const hasAccessModes = (claim: Claim, volume: Volume): boolean =>
  (claim.spec.accessModes ?? []).every((mode) => volume.spec.accessModes?.includes(mode));

export const isReachable = (volume: Volume, node: Pick<Node, 'metadata'>): boolean => {
  const terms = volume.spec.nodeAffinity?.required?.nodeSelectorTerms;
  return !terms || meetsAnyTerm(terms, node);
};

export const sizeOf = (volume: Volume): string => volume.spec.capacity?.['storage'] ?? '0';
export const sizeAsked = (claim: Claim): string => claim.spec.resources?.requests?.['storage'] ?? '0';

export interface Search {
  /** Set by the scheduler: the volume must be accessible from the node and have the access modes. */
  readonly node?: Node;
  readonly taken?: ReadonlySet<string>;
  /** The claim waits for its consumer: only a volume reserved for it can be used until a node is known. */
  readonly waiting: boolean;
}

/** The volume reserved for the claim, otherwise the smallest that satisfies it. */
export function bestVolume(claim: Claim, volumes: Iterable<Volume>, search: Search): Volume | undefined {
  const asked = sizeAsked(claim);
  const desired = classOfClaim(claim);
  const labels = claim.spec.selector ? compileSelector(claim.spec.selector) : undefined;
  let best: Volume | undefined;
  for (const volume of volumes) {
    if (search.taken?.has(volume.metadata.name)) continue;
    const reserved = isForClaim(volume, claim);
    if (volume.spec.claimRef && !reserved) continue;
    if (compareQuantity(sizeOf(volume), asked) < 0 || !isSameMode(claim, volume)) continue;
    if ((claim.spec.volumeAttributesClassName ?? '') !== (volume.spec.volumeAttributesClassName ?? '')) continue;
    if (volume.metadata.deletionTimestamp) continue;
    const reachable = !search.node || isReachable(volume, search.node);
    if (reserved) return reachable ? volume : undefined;
    if ((!search.node && search.waiting) || !reachable) continue;
    if (volume.status?.phase !== 'Available' || classOfVolume(volume) !== desired) continue;
    if (labels && !labels.matches(volume.metadata.labels)) continue;
    if (search.node && !hasAccessModes(claim, volume)) continue;
    if (!best || compareQuantity(sizeOf(volume), sizeOf(best)) < 0) best = volume;
  }
  return best;
}

/** Why a volume that a claim requests cannot be used. */
export function mismatch(claim: Claim, volume: Volume): string | undefined {
  if (volume.metadata.deletionTimestamp)
    return `the volume is marked for deletion ${JSON.stringify(volume.metadata.name)}`;
  if (quantityValue(sizeOf(volume)) < quantityValue(sizeAsked(claim))) return 'requested PV is too small';
  if (classOfVolume(volume) !== classOfClaim(claim)) return 'storageClassName does not match';
  if ((claim.spec.volumeAttributesClassName ?? '') !== (volume.spec.volumeAttributesClassName ?? '')) {
    return 'volumeAttributesClassName does not match';
  }
  if (!isSameMode(claim, volume)) return 'incompatible volumeMode';
  return hasAccessModes(claim, volume) ? undefined : 'incompatible accessMode';
}
