import { dns1123Label, type FieldError, fieldError } from '@fairlead/apimachinery';
import { between, type Findings, inRange, invalid, oneOf } from '../checks.ts';
import { missing } from './volume-fields.ts';
import type { AzureDisk, IscsiVolume, Volume } from './volume-types.ts';

/** The name in messages is `persistentDisk`. */
export function* gcePersistentDisk({ gcePersistentDisk: source }: Volume, path: string): Findings {
  yield* missing(source, `${path}.persistentDisk`, ['pdName']);
  yield* partition(source?.partition, `${path}.persistentDisk.partition`);
}

export function* awsElasticBlockStore({ awsElasticBlockStore: source }: Volume, path: string): Findings {
  yield* missing(source, `${path}.awsElasticBlockStore`, ['volumeID']);
  yield* partition(source?.partition, `${path}.awsElasticBlockStore.partition`);
}

export function* nfs({ nfs: source }: Volume, path: string): Findings {
  yield* missing(source, `${path}.nfs`, ['server', 'path']);
  const exported = source?.path ?? '';
  if (!exported.startsWith('/')) yield fieldError.invalid(`${path}.nfs.path`, exported, 'must be an absolute path');
}

export function* flocker({ flocker: source }: Volume, path: string): Findings {
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

export function* cinder({ cinder: source }: Volume, path: string): Findings {
  yield* missing(source, `${path}.cinder`, ['volumeID']);
  yield* secretRefName(source?.secretRef, `${path}.cinder`);
}

const hostAndPort = /^([^:[\]]*|\[[^\]]*\]):[^:[\]]*$/;

export function* quobyte({ quobyte: source }: Volume, path: string): Findings {
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
  yield* missing(source, at, ['volume']);
}

export function* fibreChannel({ fc }: Volume, path: string): Findings {
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

export function* flexVolume({ flexVolume: source }: Volume, path: string): Findings {
  yield* missing(source, `${path}.flexVolume`, ['driver']);
  for (const key of Object.keys(source?.options ?? {})) {
    if (/(^|\.)(kubernetes|k8s)\.io$/i.test(key.replace(/\/.*$/s, ''))) {
      const detail = 'kubernetes.io and k8s.io namespaces are reserved';
      yield fieldError.invalid(`${path}.flexVolume.options[${key}]`, key, detail);
    }
  }
}

export function* azure(disk: AzureDisk, path: string): Findings {
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

export function* storageos({ storageos: source }: Volume, path: string): Findings {
  const at = `${path}.storageos`;
  const { volumeName, volumeNamespace } = source ?? {};
  if (!volumeName) yield fieldError.required(`${at}.volumeName`);
  else yield* invalid(`${at}.volumeName`, volumeName, dns1123Label(volumeName));
  if (volumeNamespace) yield* invalid(`${at}.volumeNamespace`, volumeNamespace, dns1123Label(volumeNamespace));
  yield* secretRefName(source?.secretRef, at);
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

export function* iscsiVolume(source: IscsiVolume, path: string): Findings {
  yield* missing({ ...source }, path, ['targetPortal', 'iqn']);
  if (source.iqn) yield* iscsiName(source.iqn, `${path}.iqn`);
  yield* inRange(source.lun, 0, 255, `${path}.lun`);
  if ((source.chapAuthDiscovery || source.chapAuthSession) && !source.secretRef) {
    yield fieldError.required(`${path}.secretRef`);
  }
  if (source.initiatorName != null) yield* iscsiName(source.initiatorName, `${path}.initiatorname`);
}

function* partition(value: number | undefined, path: string): Findings {
  if (value !== undefined && (value < 0 || value > 255)) yield fieldError.invalid(path, value, between(1, 255));
}

function* secretRefName(ref: { name?: string } | undefined, path: string): Findings {
  if (ref && !ref.name) yield fieldError.required(`${path}.secretRef.name`);
}
