import { compareQuantity } from '@fairlead/apimachinery';
import { type Claim, claimNames, type Node, type Pod, type StorageClass, type Volume } from '../objects.ts';
import { bindCompleted, noProvisioner, selectedNode } from '../volumes/annotations.ts';
import { bestVolume, classOfClaim, isReachable, sizeAsked, waitsForConsumer } from '../volumes/matching.ts';

/** Claims, volumes and classes for the scheduler, with reservations that are not written yet. */
export interface VolumeView {
  claim(namespace: string, name: string): Claim | undefined;
  volume(name: string): Volume | undefined;
  storageClass(name: string): StorageClass | undefined;
  volumesOfClass(name: string): Iterable<Volume>;
  /** Volumes that are reserved for other pods. */
  readonly promised: ReadonlySet<string>;
}

export interface PodClaims {
  readonly bound: readonly Claim[];
  /** Not bound, and only bound by the volume controller. */
  readonly unbound: readonly Claim[];
  /** To be bound, or provisioned, on the node of the pod. */
  readonly waiting: readonly Claim[];
}

export const isFullyBound = (claim: Claim): boolean =>
  Boolean(claim.spec.volumeName) && claim.metadata.annotations?.[bindCompleted] !== undefined;

/** The problem of a claim of a pod, independent of the node. */
export function claimProblem(pod: Pod, view: VolumeView): string | undefined {
  for (const { name, ephemeral } of claimNames(pod)) {
    const claim = view.claim(pod.metadata.namespace ?? '', name);
    const quoted = JSON.stringify(name);
    if (!claim) {
      return ephemeral
        ? `waiting for ephemeral volume controller to create the persistentvolumeclaim ${quoted}`
        : `persistentvolumeclaim ${quoted} not found`;
    }
    if (claim.status?.phase === 'Lost') {
      return `persistentvolumeclaim ${quoted} bound to non-existent persistentvolume ${JSON.stringify(claim.spec.volumeName ?? '')}`;
    }
    if (claim.metadata.deletionTimestamp) return `persistentvolumeclaim ${quoted} is being deleted`;
    if (ephemeral && !claim.metadata.ownerReferences?.some(({ uid }) => uid === pod.metadata.uid)) {
      return `PVC ${pod.metadata.namespace}/${name} was not created for pod ${pod.metadata.namespace}/${pod.metadata.name} (pod is not owner)`;
    }
  }
  return undefined;
}

export function claimsOf(pod: Pod, view: VolumeView): PodClaims {
  const claims: { bound: Claim[]; unbound: Claim[]; waiting: Claim[] } = { bound: [], unbound: [], waiting: [] };
  for (const { name } of claimNames(pod)) {
    const claim = view.claim(pod.metadata.namespace ?? '', name);
    if (!claim) continue;
    if (isFullyBound(claim)) claims.bound.push(claim);
    else if (!claim.spec.volumeName && waitsForConsumer(view.storageClass(classOfClaim(claim)))) {
      claims.waiting.push(claim);
    } else claims.unbound.push(claim);
  }
  return claims;
}

/** The writes that bind the claims of a pod on its node. */
export interface VolumePlan {
  readonly bind: readonly { readonly claim: Claim; readonly volume: Volume }[];
  readonly provision: readonly Claim[];
}

export type PlannedVolumes = { readonly plan: VolumePlan } | { readonly reasons: readonly string[] };

const elsewhere = "node(s) didn't match PersistentVolume's node affinity";
const noneToBind = "node(s) didn't find available persistent volumes to bind";
const volumeGone = 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)';

/** Whether the claims can be bound on a node, and how. */
export function planVolumes(claims: PodClaims, node: Node, view: VolumeView): PlannedVolumes {
  const reasons: string[] = [];
  const bound = boundVolumes(claims.bound, node, view);
  if (bound) reasons.push(bound);
  const plan = planWaiting(claims.waiting, node, view);
  if (!plan) reasons.push(noneToBind);
  return plan && reasons.length === 0 ? { plan } : { reasons };
}

function boundVolumes(claims: readonly Claim[], node: Node, view: VolumeView): string | undefined {
  for (const claim of claims) {
    const volume = view.volume(claim.spec.volumeName!);
    if (!volume) return volumeGone;
    if (!isReachable(volume, node)) return elsewhere;
  }
  return undefined;
}

function planWaiting(claims: readonly Claim[], node: Node, view: VolumeView): VolumePlan | undefined {
  const bind: { claim: Claim; volume: Volume }[] = [];
  const provision: Claim[] = [];
  const taken = new Set(view.promised);
  const smallestFirst = [...claims].sort((a, b) => compareQuantity(sizeAsked(a), sizeAsked(b)));
  for (const claim of smallestFirst) {
    const chosen = claim.metadata.annotations?.[selectedNode];
    if (chosen !== undefined && chosen !== node.metadata.name) return undefined;
    const volume =
      chosen === undefined
        ? bestVolume(claim, view.volumesOfClass(classOfClaim(claim)), { node, taken, waiting: true })
        : undefined;
    if (volume) {
      taken.add(volume.metadata.name);
      bind.push({ claim, volume });
    } else if (canProvision(view.storageClass(classOfClaim(claim)), node)) provision.push(claim);
    else return undefined;
  }
  return { bind, provision };
}

function canProvision(storageClass: StorageClass | undefined, node: Node): boolean {
  if (!storageClass?.provisioner || storageClass.provisioner === noProvisioner) return false;
  const topologies = storageClass.allowedTopologies ?? [];
  const labels = node.metadata.labels ?? {};
  return (
    topologies.length === 0 ||
    topologies.some(({ matchLabelExpressions = [] }) =>
      matchLabelExpressions.every(({ key = '', values = [] }) => values.includes(labels[key] ?? '\u0000')),
    )
  );
}
