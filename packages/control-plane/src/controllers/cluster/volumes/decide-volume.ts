import type { Claim, Volume } from '../objects.ts';
import { boundByController, provisionedBy } from './annotations.ts';
import type { VolumeEvent } from './decide-claim.ts';
import { isSameMode } from './matching.ts';

/** The action for a volume. */
export type VolumeDecision =
  | { readonly kind: 'phase'; readonly phase: 'Available' | 'Bound' }
  /** Its claim is deleted: it is released, and then reclaimed by its policy. */
  | { readonly kind: 'release' }
  /** It was reserved for a claim that is bound to another. */
  | { readonly kind: 'unbind' }
  /** Its claim is not bound to it yet. */
  | { readonly kind: 'enqueue-claim' }
  | { readonly kind: 'mismatch'; readonly onVolume: VolumeEvent; readonly onClaim: VolumeEvent };

export function decideVolume(volume: Volume, claim: Claim | undefined): VolumeDecision {
  const ref = volume.spec.claimRef;
  if (!ref?.uid) return { kind: 'phase', phase: 'Available' };
  if (claim?.metadata.uid !== ref.uid) return { kind: 'release' };
  if (!claim?.spec.volumeName) {
    if (claim && !isSameMode(claim, volume)) return modesDiffer(volume, claim);
    return { kind: 'enqueue-claim' };
  }
  if (claim.spec.volumeName === volume.metadata.name) return { kind: 'phase', phase: 'Bound' };
  const made = volume.metadata.annotations?.[provisionedBy] !== undefined;
  return made && volume.spec.persistentVolumeReclaimPolicy === 'Delete' ? { kind: 'release' } : { kind: 'unbind' };
}

function modesDiffer(volume: Volume, claim: Claim): VolumeDecision {
  const event = (message: string): VolumeEvent => ({ type: 'Warning', reason: 'VolumeMismatch', message });
  const [name, claimName] = [JSON.stringify(volume.metadata.name), JSON.stringify(claim.metadata.name)];
  return {
    kind: 'mismatch',
    onVolume: event(
      `Cannot bind PersistentVolume to requested PersistentVolumeClaim ${claimName} due to incompatible volumeMode.`,
    ),
    onClaim: event(
      `Cannot bind PersistentVolume ${name} to requested PersistentVolumeClaim due to incompatible volumeMode.`,
    ),
  };
}

/** How a released volume is reclaimed. */
export type Reclaim =
  | { readonly kind: 'keep' }
  | { readonly kind: 'delete' }
  | { readonly kind: 'recycle' }
  | { readonly kind: 'fail'; readonly event: VolumeEvent };

export function decideReclaim(volume: Volume): Reclaim {
  const fail = (reason: string, message: string): Reclaim => ({
    kind: 'fail',
    event: { type: 'Warning', reason, message },
  });
  const { persistentVolumeReclaimPolicy: policy, hostPath, csi, nfs } = volume.spec;
  if (policy === undefined || policy === 'Retain') return { kind: 'keep' };
  if (policy === 'Recycle') {
    if (hostPath || nfs) return { kind: 'recycle' };
    return fail('VolumeFailedRecycle', 'No recycler plugin found for the volume!');
  }
  if (policy !== 'Delete') {
    return fail('VolumeUnknownReclaimPolicy', 'Volume has unrecognized PersistentVolumeReclaimPolicy');
  }
  // Its provisioner deletes it; a volume without one is deleted only if that is safe.
  if (volume.metadata.annotations?.[provisionedBy] || csi) return { kind: 'keep' };
  if (!hostPath) {
    const name = JSON.stringify(volume.metadata.name);
    return fail(
      'VolumeFailedDelete',
      `error getting deleter volume plugin for volume ${name}: no deletable volume plugin matched`,
    );
  }
  const path = hostPath.path ?? '';
  if (/^\/tmp\/.+/.test(path)) return { kind: 'delete' };
  return fail('VolumeFailedDelete', `host_path deleter only supports /tmp/.+ but received provided ${path}`);
}

export const isBoundByController = (volume: Volume): boolean =>
  volume.metadata.annotations?.[boundByController] !== undefined;
