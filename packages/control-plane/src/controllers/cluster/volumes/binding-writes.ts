import { compareQuantity, keyOf } from '@fairlead/apimachinery';
import type { ApiClient } from '@fairlead/kube';
import { claimType, volumeType } from '../../resource-types.ts';
import type { Claim, ClaimRef, Volume } from '../objects.ts';
import type { OwnWrites } from '../own-writes.ts';
import { betaStorageProvisioner, bindCompleted, boundByController, storageProvisioner } from './annotations.ts';
import { isBoundByController } from './decide-volume.ts';
import { isForClaim } from './matching.ts';

const has = (object: Claim | Volume, annotation: string): boolean =>
  object.metadata.annotations?.[annotation] !== undefined;

export const claimReference = ({ metadata }: Claim): ClaimRef => ({
  kind: 'PersistentVolumeClaim',
  apiVersion: 'v1',
  namespace: metadata.namespace ?? '',
  name: metadata.name,
  uid: metadata.uid ?? '',
  resourceVersion: metadata.resourceVersion ?? '',
});

type Change = { readonly metadata?: object; readonly spec?: object; readonly status?: object };

/** The writes that create and undo a binding, each only if it changes something and only for the state of the decision. */
export class BindingWrites {
  readonly #client: ApiClient;
  readonly #writes: OwnWrites;

  constructor(client: ApiClient, writes: OwnWrites) {
    this.#client = client;
    this.#writes = writes;
  }

  async bind(volume: Volume, claim: Claim): Promise<void> {
    const held = await this.#holdVolume(volume, claim);
    await this.setPhase(held, 'Bound');
    const taken = await this.#takeVolume(claim, held);
    await this.setClaimStatus(taken, 'Bound', held);
  }

  async #holdVolume(volume: Volume, claim: Claim): Promise<Volume> {
    const ref = volume.spec.claimRef;
    const isHeld = ref?.uid === claim.metadata.uid && isForClaim(volume, claim);
    const byUs = !isForClaim(volume, claim) && !has(volume, boundByController);
    if (isHeld && !byUs) return volume;
    return this.#patchVolume(volume, {
      ...(byUs ? { metadata: { annotations: { [boundByController]: 'yes' } } } : {}),
      ...(isHeld ? {} : { spec: { claimRef: claimReference(claim) } }),
    });
  }

  async #takeVolume(claim: Claim, volume: Volume): Promise<Claim> {
    const { name } = volume.metadata;
    const taken = claim.spec.volumeName === name;
    const annotations = {
      ...(taken || has(claim, boundByController) ? {} : { [boundByController]: 'yes' }),
      ...(has(claim, bindCompleted) ? {} : { [bindCompleted]: 'yes' }),
    };
    if (taken && Object.keys(annotations).length === 0) return claim;
    return this.#patchClaim(claim, { metadata: { annotations }, ...(taken ? {} : { spec: { volumeName: name } }) });
  }

  async setPhase(volume: Volume, phase: string, message?: string): Promise<Volume> {
    if (volume.status?.phase === phase) return volume;
    return this.#patchVolume(volume, { status: { phase, message: message ?? null } }, 'status');
  }

  async setClaimStatus(claim: Claim, phase: string, volume?: Volume): Promise<Claim> {
    const before = claim.status ?? {};
    const status: Record<string, unknown> = {};
    if (before.phase !== phase) status['phase'] = phase;
    if (!volume) {
      if (before.accessModes) status['accessModes'] = null;
      if (before.capacity) status['capacity'] = null;
    } else {
      if (String(before.accessModes) !== String(volume.spec.accessModes))
        status['accessModes'] = volume.spec.accessModes;
      const size = volume.spec.capacity?.['storage'];
      const known = before.capacity?.['storage'];
      const differs = size !== undefined && (known === undefined || compareQuantity(size, known) !== 0);
      // After binding, the size in the claim may be more recent than the volume.
      if (before.phase !== phase && differs) status['capacity'] = volume.spec.capacity;
    }
    return Object.keys(status).length > 0 ? this.#patchClaim(claim, { status }, 'status') : claim;
  }

  /** A volume that was bound here is available again; one that was reserved manually stays reserved. */
  async unbind(volume: Volume): Promise<void> {
    const change = isBoundByController(volume)
      ? { metadata: { annotations: { [boundByController]: null } }, spec: { claimRef: null } }
      : { spec: { claimRef: { uid: null } } };
    await this.setPhase(await this.#patchVolume(volume, change), 'Available');
  }

  setClass(claim: Claim, storageClassName: string): Promise<Claim> {
    return this.#patchClaim(claim, { spec: { storageClassName } });
  }

  async setProvisioner(claim: Claim, provisioner: string): Promise<Claim> {
    if (claim.metadata.annotations?.[storageProvisioner] === provisioner) return claim;
    const annotations = { [betaStorageProvisioner]: provisioner, [storageProvisioner]: provisioner };
    return this.#patchClaim(claim, { metadata: { annotations } });
  }

  async #patchVolume(volume: Volume, change: Change, subresource?: string): Promise<Volume> {
    const { uid, resourceVersion } = volume.metadata;
    const body = { ...change, metadata: { ...change.metadata, uid, resourceVersion } };
    const options = subresource ? { subresource } : {};
    const written = await this.#client.patch<Volume>(volumeType, volume.metadata, 'merge', body, options);
    this.#writes.wrote(`volume ${keyOf(written)}`, written);
    return written;
  }

  async #patchClaim(claim: Claim, change: Change, subresource?: string): Promise<Claim> {
    const { uid, resourceVersion } = claim.metadata;
    const body = { ...change, metadata: { ...change.metadata, uid, resourceVersion } };
    const options = subresource ? { subresource } : {};
    const written = await this.#client.patch<Claim>(claimType, claim.metadata, 'merge', body, options);
    this.#writes.wrote(`claim ${keyOf(written)}`, written);
    return written;
  }
}
