import { keyOf } from '@fairlead/apimachinery';
import { Controller, done } from '@fairlead/kube';
import { splitKey } from '../../keys.ts';
import type { MakeController } from '../../parts.ts';
import { claimType, storageClassType, volumeType } from '../../resource-types.ts';
import { forgiving } from '../forgiving.ts';
import type { Claim, StorageClass, Volume } from '../objects.ts';
import { provisionedBy, selectedNode, storageProvisioner } from './annotations.ts';
import { claimReference } from './binding-writes.ts';
import { classOfClaim, sizeAsked, waitsForConsumer } from './matching.ts';

/** The simulated provisioner: its volumes have no disks. */
export const simProvisioner = 'sim.fairlead.dev/volume';

/** A default class that is provisioned here, for clusters without a storage provisioner. */
export const simStorageClass: StorageClass = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'simulated', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
  provisioner: simProvisioner,
  reclaimPolicy: 'Delete',
  volumeBindingMode: 'Immediate',
};

function volumeFor(claim: Claim, storageClass: StorageClass): Volume {
  const { namespace, name, uid } = claim.metadata;
  const { resourceVersion: _, ...claimRef } = claimReference(claim);
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: `pvc-${uid}`, annotations: { [provisionedBy]: simProvisioner } },
    spec: {
      capacity: { storage: sizeAsked(claim) },
      accessModes: claim.spec.accessModes ?? [],
      ...(claim.spec.volumeMode ? { volumeMode: claim.spec.volumeMode } : {}),
      persistentVolumeReclaimPolicy: storageClass.reclaimPolicy ?? 'Delete',
      storageClassName: storageClass.metadata.name,
      ...(storageClass.mountOptions ? { mountOptions: storageClass.mountOptions } : {}),
      claimRef,
      hostPath: { path: `/simulated/${namespace}/${name}`, type: 'DirectoryOrCreate' },
    },
  };
}

/** Creates volumes for claims of its classes, and deletes them when they are released. */
export const simVolumes: MakeController = (parts) => {
  const client = parts.client('sim-volume-provisioner');
  const record = parts.events(simProvisioner);
  const claims = parts.informers.informer<Claim>(claimType);
  const volumes = parts.informers.informer<Volume>(volumeType);
  const classes = parts.informers.informer<StorageClass>(storageClassType);
  const controller = new Controller({
    name: 'sim-volumes',
    concurrency: 4,
    clock: parts.clock,
    log: parts.log,
    async reconcile(key) {
      const [kind, name] = splitKey(key);
      if (kind === 'volume') {
        const volume = volumes.get(name);
        if (volume && isOver(volume)) await forgiving(client.delete(volumeType, volume.metadata));
        return done;
      }
      const claim = claims.get(name);
      const storageClass = claim && classes.get(classOfClaim(claim));
      if (!claim || !storageClass || !needsVolume(claim, storageClass)) return done;
      const volume = volumeFor(claim, storageClass);
      if (volumes.get(volume.metadata.name)) return done;
      record(claim, 'Normal', 'Provisioning', `External provisioner is provisioning volume for claim "${name}"`);
      await forgiving(client.create(volumeType, volume));
      record(claim, 'Normal', 'ProvisioningSucceeded', `Successfully provisioned volume ${volume.metadata.name}`);
      return done;
    },
  });
  controller.watch(claims, (claim) =>
    claim.metadata.annotations?.[storageProvisioner] === simProvisioner ? [`claim ${keyOf(claim)}`] : [],
  );
  controller.watch(volumes, ({ metadata }) =>
    metadata.annotations?.[provisionedBy] === simProvisioner ? [`volume ${metadata.name}`] : [],
  );
  return controller.watch(classes, () => []);
};

function needsVolume(claim: Claim, storageClass: StorageClass): boolean {
  if (claim.spec.volumeName || claim.metadata.deletionTimestamp) return false;
  if (storageClass.provisioner !== simProvisioner) return false;
  return !waitsForConsumer(storageClass) || claim.metadata.annotations?.[selectedNode] !== undefined;
}

const isOver = ({ metadata, spec, status }: Volume): boolean =>
  status?.phase === 'Released' && spec.persistentVolumeReclaimPolicy === 'Delete' && !metadata.deletionTimestamp;
