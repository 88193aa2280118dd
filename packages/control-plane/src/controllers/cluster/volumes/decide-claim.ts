import type { Claim, StorageClass, Volume } from '../objects.ts';
import { bindCompleted, selectedNode } from './annotations.ts';
import { bestVolume, classOfClaim, hasAccessModes, isForClaim, mismatch, waitsForConsumer } from './matching.ts';

export interface VolumeEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** The action for a claim. */
export type ClaimDecision =
  | { readonly kind: 'bind'; readonly volume: Volume }
  /** It is unchanged, for the given reason. */
  | { readonly kind: 'wait'; readonly event?: VolumeEvent }
  | { readonly kind: 'provision'; readonly provisioner: string }
  /** It has no class, and there is a default class now. */
  | { readonly kind: 'take-class'; readonly name: string }
  | { readonly kind: 'lost'; readonly event: VolumeEvent };

export interface ClaimView {
  volume(name: string): Volume | undefined;
  volumesOfClass(name: string): readonly Volume[];
  /** Volumes that refer to the claim, of any class. */
  volumesFor(claim: Claim): readonly Volume[];
  storageClass(name: string): StorageClass | undefined;
  defaultClass(): string | undefined;
  /** Names of the pods that use the claim and have no node yet. */
  waitingPods(claim: Claim): readonly string[];
}

const warning = (reason: string, message: string): VolumeEvent => ({ type: 'Warning', reason, message });
const normal = (reason: string, message: string): VolumeEvent => ({ type: 'Normal', reason, message });

export function decideClaim(claim: Claim, view: ClaimView): ClaimDecision {
  if (claim.metadata.annotations?.[bindCompleted] !== undefined) return decideBound(claim, view);
  return claim.spec.volumeName ? decideRequested(claim, claim.spec.volumeName, view) : decideUnbound(claim, view);
}

function decideBound(claim: Claim, view: ClaimView): ClaimDecision {
  const lost = (reason: string, message: string): ClaimDecision => ({ kind: 'lost', event: warning(reason, message) });
  const { volumeName } = claim.spec;
  if (!volumeName) {
    return lost('ClaimLost', 'Bound claim has lost reference to PersistentVolume. Data on the volume is lost!');
  }
  const volume = view.volume(volumeName);
  if (!volume) return lost('ClaimLost', 'Bound claim has lost its PersistentVolume. Data on the volume is lost!');
  const holder = volume.spec.claimRef;
  if (!holder || holder.uid === claim.metadata.uid) return { kind: 'bind', volume };
  return lost('ClaimMisbound', 'Two claims are bound to the same volume, this one is bound incorrectly');
}

/** The claim requests a volume by name. */
function decideRequested(claim: Claim, name: string, view: ClaimView): ClaimDecision {
  const volume = view.volume(name);
  if (!volume) return { kind: 'wait' };
  if (!volume.spec.claimRef) {
    const problem = mismatch(claim, volume);
    if (!problem) return { kind: 'bind', volume };
    const message = `Cannot bind to requested volume ${JSON.stringify(name)}: ${problem}`;
    return { kind: 'wait', event: warning('VolumeMismatch', message) };
  }
  if (isForClaim(volume, claim)) return { kind: 'bind', volume };
  const message = `volume ${JSON.stringify(name)} already bound to a different claim.`;
  return { kind: 'wait', event: warning('FailedBinding', message) };
}

function decideUnbound(claim: Claim, view: ClaimView): ClaimDecision {
  const className = classOfClaim(claim);
  const storageClass = className ? view.storageClass(className) : undefined;
  const waiting = waitsForConsumer(storageClass);
  const volume = closestVolume(claim, view, waiting);
  if (volume) return { kind: 'bind', volume };

  const asked = claim.spec.storageClassName !== undefined || className !== '';
  const fallback = asked ? undefined : view.defaultClass();
  if (fallback) return { kind: 'take-class', name: fallback };
  if (waiting && claim.metadata.annotations?.[selectedNode] === undefined) {
    return { kind: 'wait', event: consumerEvent(view.waitingPods(claim)) };
  }
  if (className === '') {
    const message = 'no persistent volumes available for this claim and no storage class is set';
    return { kind: 'wait', event: normal('FailedBinding', message) };
  }
  if (!storageClass) {
    const message = `storageclass.storage.k8s.io ${JSON.stringify(className)} not found`;
    return { kind: 'wait', event: warning('ProvisioningFailed', message) };
  }
  const provisioner = storageClass.provisioner ?? '';
  const driver = driverOf.get(provisioner) ?? provisioner;
  if (!driver.startsWith('kubernetes.io/')) return { kind: 'provision', provisioner: driver };
  const message = `no volume plugin matched name: ${provisioner}`;
  return { kind: 'wait', event: warning('ProvisioningFailed', message) };
}

/** Former in-tree provisioners, and the CSI drivers that replaced them. */
const driverOf: ReadonlyMap<string, string> = new Map([
  ['kubernetes.io/aws-ebs', 'ebs.csi.aws.com'],
  ['kubernetes.io/gce-pd', 'pd.csi.storage.gke.io'],
  ['kubernetes.io/azure-disk', 'disk.csi.azure.com'],
  ['kubernetes.io/azure-file', 'file.csi.azure.com'],
  ['kubernetes.io/cinder', 'cinder.csi.openstack.org'],
  ['kubernetes.io/vsphere-volume', 'csi.vsphere.vmware.com'],
  ['kubernetes.io/portworx-volume', 'pxd.portworx.com'],
]);

/** Volumes without additional access modes are first. */
function closestVolume(claim: Claim, view: ClaimView, waiting: boolean): Volume | undefined {
  const candidates = new Set([...view.volumesFor(claim), ...view.volumesOfClass(classOfClaim(claim))]);
  const usable = [...candidates].filter((volume) => hasAccessModes(claim, volume));
  const byModes = Map.groupBy(usable, ({ spec }) => [...(spec.accessModes ?? [])].sort().join());
  const closestFirst = [...byModes].sort(([a], [b]) => a.split(',').length - b.split(',').length);
  for (const [, volumes] of closestFirst) {
    const found = bestVolume(claim, volumes, { waiting });
    if (found) return found;
  }
  return undefined;
}

function consumerEvent(pods: readonly string[]): VolumeEvent {
  if (pods.length === 0) {
    return normal('WaitForFirstConsumer', 'waiting for first consumer to be created before binding');
  }
  const who = pods.length === 1 ? `pod ${pods[0]}` : `pods ${pods.join(',')}`;
  return normal('WaitForPodScheduled', `waiting for ${who} to be scheduled`);
}
