import type { ClaimSpec, DownwardFile, Volume, VolumeSources } from '../fields/volumes.ts';
import { pullPolicyFor } from '../resources/image-tag.ts';
import { roundUpRequirements } from '../resources/resource-list.ts';

const readableByAll = 0o644;

export function defaultVolume(volume: Volume): void {
  const { name: _, ...sources } = volume;
  if (Object.values(sources).every((source) => source == null)) volume.emptyDir = {};
  if (volume.secret) volume.secret.defaultMode ??= readableByAll;
  if (volume.configMap) volume.configMap.defaultMode ??= readableByAll;
  if (volume.image) volume.image.pullPolicy ||= pullPolicyFor(volume.image.reference);
  if (volume.downwardAPI) {
    volume.downwardAPI.defaultMode ??= readableByAll;
    defaultDownward(volume.downwardAPI.items);
  }
  if (volume.ephemeral?.volumeClaimTemplate) {
    const template = volume.ephemeral.volumeClaimTemplate;
    template.metadata ??= {};
    defaultClaimSpec((template.spec ??= {}));
  }
  defaultProjected(volume);
  defaultDisks(volume);
}

export function defaultClaimSpec(spec: ClaimSpec): void {
  spec.resources ??= {};
  roundUpRequirements(spec.resources);
  spec.volumeMode ??= 'Filesystem';
}

function defaultDownward(files: DownwardFile[] | undefined): void {
  for (const file of files ?? []) {
    if (file.fieldRef) file.fieldRef.apiVersion ||= 'v1';
    if (file.resourceFieldRef) file.resourceFieldRef.divisor ??= '0';
  }
}

function defaultProjected({ projected }: Volume): void {
  if (!projected) return;
  projected.defaultMode ??= readableByAll;
  for (const source of projected.sources ?? []) {
    defaultDownward(source.downwardAPI?.items);
    if (source.serviceAccountToken) source.serviceAccountToken.expirationSeconds ??= 3600;
  }
}

/** The sources that pod volumes share with persistent volumes. */
export function defaultDisks({
  hostPath,
  iscsi,
  rbd,
  azureDisk,
  scaleIO,
}: Pick<VolumeSources, 'hostPath' | 'iscsi' | 'rbd' | 'azureDisk' | 'scaleIO'>): void {
  if (hostPath) hostPath.type ??= '';
  if (iscsi) iscsi.iscsiInterface ||= 'default';
  if (rbd) {
    rbd.pool ||= 'rbd';
    rbd.user ||= 'admin';
    rbd.keyring ||= '/etc/ceph/keyring';
  }
  if (azureDisk) {
    azureDisk.cachingMode ??= 'ReadWrite';
    azureDisk.fsType ??= 'ext4';
    azureDisk.readOnly ??= false;
    azureDisk.kind ??= 'Shared';
  }
  if (scaleIO) {
    scaleIO.storageMode ||= 'ThinProvisioned';
    scaleIO.fsType ||= 'xfs';
  }
}
