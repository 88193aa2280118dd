import type {
  CsiDriverFields,
  PersistentVolumeClaimFields,
  PersistentVolumeFields,
  StorageClassFields,
  VolumeAttachmentFields,
  VolumeSpec,
} from '../fields/storage.ts';
import { roundUpToMilli } from '../resources/resource-list.ts';
import { defaultDisks } from './volumes.ts';

export function defaultPersistentVolume(volume: PersistentVolumeFields): void {
  (volume.status ??= {}).phase ||= 'Pending';
  const spec = (volume.spec ??= {});
  spec.persistentVolumeReclaimPolicy ||= 'Retain';
  spec.volumeMode ??= 'Filesystem';
  defaultVolumeSpec(spec);
}

function defaultVolumeSpec(spec: VolumeSpec): void {
  roundUpToMilli(spec.capacity);
  defaultDisks(spec);
}

export function defaultVolumeAttachment({ spec }: VolumeAttachmentFields): void {
  const inline = spec?.source?.inlineVolumeSpec;
  if (inline) defaultVolumeSpec(inline);
}

export function defaultPersistentVolumeClaim(claim: PersistentVolumeClaimFields): void {
  const status = (claim.status ??= {});
  const spec = (claim.spec ??= {});
  status.phase ||= 'Pending';
  spec.volumeMode ??= 'Filesystem';
  const { limits, requests } = spec.resources ?? {};
  for (const list of [limits, requests, status.capacity, status.allocatedResources]) roundUpToMilli(list);
}

export function defaultStorageClass(storageClass: StorageClassFields): void {
  storageClass.reclaimPolicy ??= 'Delete';
  storageClass.volumeBindingMode ??= 'Immediate';
}

export function defaultCsiDriver(driver: CsiDriverFields): void {
  const spec = (driver.spec ??= {});
  spec.attachRequired ??= true;
  spec.podInfoOnMount ??= false;
  spec.storageCapacity ??= false;
  spec.fsGroupPolicy ??= 'ReadWriteOnceWithFSType';
  if (!spec.volumeLifecycleModes?.length) spec.volumeLifecycleModes = ['Persistent'];
  spec.requiresRepublish ??= false;
  spec.seLinuxMount ??= false;
}
