import type { Findings } from '../checks.ts';
import { projected } from './projected.ts';
import { missing, type VolumeContext } from './volume-fields.ts';
import * as local from './volume-local.ts';
import * as storage from './volume-storage.ts';
import type { Volume, VolumeSources } from './volume-types.ts';

export { csiDriverName } from './volume-local.ts';

/** Validates one source; the path is that of the volume. */
type Check = (volume: Volume, path: string, context: VolumeContext) => Findings;
type Kind = keyof VolumeSources;

/** Fields of a source that must not be empty. */
const requires =
  (kind: Kind, ...fields: string[]): Check =>
  (volume, path) =>
    missing(volume[kind], `${path}.${kind}`, fields);

/** In the order of kube-apiserver: the first one is the source of the volume, any other one is an error. */
export const sources: readonly (readonly [Kind, Check])[] = [
  ['emptyDir', local.emptyDir],
  ['hostPath', local.hostPath],
  ['gitRepo', local.gitRepo],
  ['gcePersistentDisk', storage.gcePersistentDisk],
  ['awsElasticBlockStore', storage.awsElasticBlockStore],
  ['secret', local.secret],
  ['nfs', storage.nfs],
  ['iscsi', ({ iscsi = {} }, path) => storage.iscsiVolume(iscsi, `${path}.iscsi`)],
  ['glusterfs', requires('glusterfs', 'endpoints', 'path')],
  ['flocker', storage.flocker],
  ['persistentVolumeClaim', requires('persistentVolumeClaim', 'claimName')],
  ['rbd', requires('rbd', 'monitors', 'image')],
  ['cinder', storage.cinder],
  ['cephfs', requires('cephfs', 'monitors')],
  ['quobyte', storage.quobyte],
  ['downwardAPI', local.downwardAPI],
  ['fc', storage.fibreChannel],
  ['flexVolume', storage.flexVolume],
  ['configMap', local.configMap],
  ['azureFile', requires('azureFile', 'secretName', 'shareName')],
  ['vsphereVolume', requires('vsphereVolume', 'volumePath')],
  ['photonPersistentDisk', requires('photonPersistentDisk', 'pdID')],
  ['portworxVolume', requires('portworxVolume', 'volumeID')],
  ['azureDisk', ({ azureDisk = {} }, path) => storage.azure(azureDisk, `${path}.azureDisk`)],
  ['storageos', storage.storageos],
  ['projected', ({ projected: all = {} }, path, context) => projected(all, `${path}.projected`, context.leniency)],
  ['scaleIO', requires('scaleIO', 'gateway', 'system', 'volumeName')],
  ['csi', local.csi],
  ['ephemeral', local.ephemeral],
  ['image', local.image],
];
