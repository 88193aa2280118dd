import { type FieldError, fieldError } from '../../../field-error.ts';
import { dns1123Label, dns1123Subdomain, nameRules } from '../../../metadata/names.ts';
import { between, type Findings, inRange, invalid, oneOf, requiredOneOf } from '../checks.ts';
import { isNegative } from '../resources/resource-list.ts';
import { claimTemplate } from './claim-template.ts';
import type { Leniency } from './leniency.ts';
import { descendingPath, fileMode, noBacksteps } from './paths.ts';
import { downwardFiles, keysToPaths, projected } from './projected.ts';
import type { AzureDisk, IscsiVolume, Volume, VolumeSources } from './volume-types.ts';

export interface VolumeContext {
  /** Set for a pod, not for a template: claims of its ephemeral volumes are named after it. */
  readonly podName?: string;
  readonly leniency: Leniency;
}

/** Checks one source; the path is the volume's. */
type Check = (volume: Volume, path: string, context: VolumeContext) => Findings;
type Kind = keyof VolumeSources;

/** Fields of a source that must not be empty. */
const requires =
  (kind: Kind, ...fields: string[]): Check =>
  (volume, path) =>
    missing(volume[kind] as Record<string, unknown>, `${path}.${kind}`, fields);

function* missing(source: Record<string, unknown>, path: string, fields: readonly string[]): Findings {
  for (const field of fields) {
    const value = source[field];
    if (value == null || value === '' || (Array.isArray(value) && value.length === 0)) {
      yield fieldError.required(`${path}.${field}`);
    }
  }
}

function* secretRefName(ref: { name?: string } | undefined, path: string): Findings {
  if (ref && !ref.name) yield fieldError.required(`${path}.secretRef.name`);
}

function* partition(value: number | undefined, path: string): Findings {
  if (value !== undefined && (value < 0 || value > 255)) yield fieldError.invalid(path, value, between(1, 255));
}

const hostPathTypes = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

/** In the order in which the server looks at them: the first found is the volume's source, any further one is too much. */
export const sources: readonly (readonly [Kind, Check])[] = [
  ['emptyDir', emptyDir],
  ['hostPath', hostPath],
  ['gitRepo', gitRepo],
  ['gcePersistentDisk', gcePersistentDisk],
  ['awsElasticBlockStore', awsElasticBlockStore],
  ['secret', secret],
  ['nfs', nfs],
  ['iscsi', ({ iscsi }, path) => iscsiVolume(iscsi!, `${path}.iscsi`)],
  ['glusterfs', requires('glusterfs', 'endpoints', 'path')],
  ['flocker', flocker],
  ['persistentVolumeClaim', requires('persistentVolumeClaim', 'claimName')],
  ['rbd', requires('rbd', 'monitors', 'image')],
  ['cinder', cinder],
  ['cephfs', requires('cephfs', 'monitors')],
  ['quobyte', quobyte],
  ['downwardAPI', downwardAPI],
  ['fc', fibreChannel],
  ['flexVolume', flexVolume],
  ['configMap', configMap],
  ['azureFile', requires('azureFile', 'secretName', 'shareName')],
  ['vsphereVolume', requires('vsphereVolume', 'volumePath')],
  ['photonPersistentDisk', requires('photonPersistentDisk', 'pdID')],
  ['portworxVolume', requires('portworxVolume', 'volumeID')],
  ['azureDisk', ({ azureDisk }, path) => azure(azureDisk!, `${path}.azureDisk`)],
  ['storageos', storageos],
  ['projected', ({ projected: all }, path, context) => projected(all!, `${path}.projected`, context.leniency)],
  ['scaleIO', requires('scaleIO', 'gateway', 'system', 'volumeName')],
  ['csi', csi],
  ['ephemeral', ephemeral],
  ['image', image],
];

function* emptyDir({ emptyDir: source }: Volume, path: string): Findings {
  if (source?.sizeLimit != null && isNegative(source.sizeLimit)) {
    yield fieldError.forbidden(`${path}.emptyDir.sizeLimit`, 'SizeLimit field must be a valid resource quantity');
  }
}

function* hostPath({ hostPath: source }: Volume, path: string): Findings {
  if (!source?.path) return yield fieldError.required(`${path}.hostPath.path`);
  yield* noBacksteps(source.path, `${path}.hostPath.path`);
  yield* oneOf(source.type, hostPathTypes, `${path}.hostPath.type`);
}

function* gitRepo({ gitRepo: source }: Volume, path: string): Findings {
  yield* missing(source!, `${path}.gitRepo`, ['repository']);
  yield* descendingPath(source?.directory ?? '', `${path}.gitRepo.directory`);
}

/** The server says `persistentDisk` here. */
function* gcePersistentDisk({ gcePersistentDisk: source }: Volume, path: string): Findings {
  yield* missing(source!, `${path}.persistentDisk`, ['pdName']);
  yield* partition(source?.partition, `${path}.persistentDisk.partition`);
}

function* awsElasticBlockStore({ awsElasticBlockStore: source }: Volume, path: string): Findings {
  yield* missing(source!, `${path}.awsElasticBlockStore`, ['volumeID']);
  yield* partition(source?.partition, `${path}.awsElasticBlockStore.partition`);
}

function* secret({ secret: source }: Volume, path: string): Findings {
  yield* missing(source!, `${path}.secret`, ['secretName']);
  yield* fileMode(source?.defaultMode, `${path}.secret.defaultMode`);
  yield* keysToPaths(source?.items, `${path}.secret.items`);
}

function* configMap({ configMap: source }: Volume, path: string): Findings {
  yield* missing(source!, `${path}.configMap`, ['name']);
  yield* fileMode(source?.defaultMode, `${path}.configMap.defaultMode`);
  yield* keysToPaths(source?.items, `${path}.configMap.items`);
}

function* downwardAPI({ downwardAPI: source }: Volume, path: string): Findings {
  yield* fileMode(source?.defaultMode, `${path}.downwardAPI.defaultMode`);
  yield* downwardFiles(source?.items, `${path}.downwardAPI`);
}

function* nfs({ nfs: source }: Volume, path: string): Findings {
  yield* missing(source!, `${path}.nfs`, ['server', 'path']);
  const exported = source?.path ?? '';
  if (!exported.startsWith('/')) yield fieldError.invalid(`${path}.nfs.path`, exported, 'must be an absolute path');
}

function* flocker({ flocker: source }: Volume, path: string): Findings {
  const at = `${path}.flocker`;
  if (!source?.datasetName && !source?.datasetUUID) {
    yield fieldError.required(at, 'one of datasetName and datasetUUID is required');
  }
  if (source?.datasetName && source.datasetUUID) {
    yield fieldError.invalid(at, 'resource', 'datasetName and datasetUUID can not be specified simultaneously');
  }
  if (source?.datasetName?.includes('/')) {
    yield fieldError.invalid(`${at}.datasetName`, source.datasetName, "must not contain '/'");
  }
}

function* cinder({ cinder: source }: Volume, path: string): Findings {
  yield* missing(source!, `${path}.cinder`, ['volumeID']);
  yield* secretRefName(source?.secretRef, `${path}.cinder`);
}

const hostAndPort = /^([^:[\]]*|\[[^\]]*\]):[^:[\]]*$/;

function* quobyte({ quobyte: source }: Volume, path: string): Findings {
  const at = `${path}.quobyte`;
  const pairs = 'must be a host:port pair or multiple pairs separated by commas';
  if (!source?.registry) yield fieldError.required(`${at}.registry`, pairs);
  else if ((source.tenant ?? '').length >= 65) {
    yield fieldError.required(`${at}.tenant`, 'must be a UUID and may not exceed a length of 64 characters');
  } else {
    for (const pair of source.registry.split(',')) {
      if (!hostAndPort.test(pair)) yield fieldError.invalid(`${at}.registry`, source.registry, pairs);
    }
  }
  yield* missing(source!, at, ['volume']);
}

function* fibreChannel({ fc }: Volume, path: string): Findings {
  const at = `${path}.fc`;
  const [names, ids] = [fc?.targetWWNs ?? [], fc?.wwids ?? []];
  if (names.length === 0 && ids.length === 0) {
    yield fieldError.required(`${at}.targetWWNs`, 'must specify either targetWWNs or wwids, but not both');
  }
  if (names.length > 0 && ids.length > 0) {
    yield fieldError.invalid(`${at}.targetWWNs`, names, 'targetWWNs and wwids can not be specified simultaneously');
  }
  if (names.length === 0) return;
  if (fc?.lun == null) yield fieldError.required(`${at}.lun`, 'lun is required if targetWWNs is specified');
  else yield* inRange(fc.lun, 0, 255, `${at}.lun`);
}

function* flexVolume({ flexVolume: source }: Volume, path: string): Findings {
  yield* missing(source!, `${path}.flexVolume`, ['driver']);
  for (const key of Object.keys(source?.options ?? {})) {
    if (/(^|\.)(kubernetes|k8s)\.io$/i.test(key.split('/')[0]!)) {
      const detail = 'kubernetes.io and k8s.io namespaces are reserved';
      yield fieldError.invalid(`${path}.flexVolume.options[${key}]`, key, detail);
    }
  }
}

function* azure(disk: AzureDisk, path: string): Findings {
  yield* missing({ ...disk }, path, ['diskName', 'diskURI']);
  yield* oneOf(disk.cachingMode, ['None', 'ReadOnly', 'ReadWrite'], `${path}.cachingMode`);
  yield* oneOf(disk.kind, ['Dedicated', 'Managed', 'Shared'], `${path}.kind`);
  const managed = disk.kind === 'Managed';
  if (disk.kind == null || (disk.diskURI ?? '').startsWith(managed ? '/subscriptions/' : 'https://')) return;
  const form = managed
    ? '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}'
    : 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';
  yield* oneOf(disk.diskURI ?? '', [form], `${path}.diskURI`);
}

function* storageos({ storageos: source }: Volume, path: string): Findings {
  const at = `${path}.storageos`;
  const { volumeName, volumeNamespace } = source!;
  if (!volumeName) yield fieldError.required(`${at}.volumeName`);
  else yield* invalid(`${at}.volumeName`, volumeName, dns1123Label(volumeName));
  if (volumeNamespace) yield* invalid(`${at}.volumeNamespace`, volumeNamespace, dns1123Label(volumeNamespace));
  yield* secretRefName(source?.secretRef, at);
}

export function* csiDriverName(driver: string | undefined, path: string): Findings {
  if (!driver) return yield fieldError.required(path);
  if (driver.length > 63) yield fieldError.tooLong(path, 63);
  yield* invalid(path, driver, dns1123Subdomain(driver.toLowerCase()));
}

function* csi({ csi: source }: Volume, path: string): Findings {
  yield* csiDriverName(source?.driver, `${path}.csi.driver`);
  const ref = source?.nodePublishSecretRef;
  if (!ref) return;
  if (!ref.name) yield fieldError.required(`${path}.csi.nodePublishSecretRef.name`);
  else yield* invalid(`${path}.csi.name`, ref.name, nameRules.subdomain(ref.name, false));
}

function* ephemeral(volume: Volume, path: string, context: VolumeContext): Findings {
  const at = `${path}.ephemeral.volumeClaimTemplate`;
  const template = volume.ephemeral?.volumeClaimTemplate;
  if (!template) yield fieldError.required(at);
  else yield* claimTemplate(template, at);
  yield* claimNameFits(volume, path, context);
}

function* claimNameFits(volume: Volume, path: string, { podName }: VolumeContext): Findings {
  if (!podName || !volume.name) return;
  const claim = `${podName}-${volume.name}`;
  for (const message of nameRules.subdomain(claim, false)) {
    yield fieldError.invalid(`${path}.name`, volume.name, `PVC name ${JSON.stringify(claim)}: ${message}`);
  }
}

function* image({ image: source }: Volume, path: string, { leniency }: VolumeContext): Findings {
  if (leniency.isPod && !source?.reference) yield fieldError.required(`${path}.image.reference`);
  yield* requiredOneOf(source?.pullPolicy, ['Always', 'IfNotPresent', 'Never'], `${path}.image.pullPolicy`);
}

const iscsiNames: Record<string, RegExp> = {
  iqn: /iqn\.\d{4}-\d{2}\.([A-Za-z0-9\-.]+)(:[^,;*&$|\s]+)$/,
  eui: /^eui.[A-Za-z0-9]{16}$/,
  naa: /^naa.[A-Za-z0-9]{32}$/,
};

function iscsiName(name: string, path: string): FieldError[] {
  const pattern = iscsiNames[name.slice(0, 3)];
  if (!pattern) return [fieldError.invalid(path, name, 'must be valid format starting with iqn, eui, or naa')];
  return pattern.test(name) ? [] : [fieldError.invalid(path, name, 'must be valid format')];
}

function* iscsiVolume(source: IscsiVolume, path: string): Findings {
  yield* missing({ ...source }, path, ['targetPortal', 'iqn']);
  if (source.iqn) yield* iscsiName(source.iqn, `${path}.iqn`);
  yield* inRange(source.lun, 0, 255, `${path}.lun`);
  if ((source.chapAuthDiscovery || source.chapAuthSession) && !source.secretRef) {
    yield fieldError.required(`${path}.secretRef`);
  }
  if (source.initiatorName != null) yield* iscsiName(source.initiatorName, `${path}.initiatorname`);
}
