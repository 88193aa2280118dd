import { dns1123Subdomain, fieldError, nameRules } from '@fairlead/apimachinery';
import { type Findings, invalid, oneOf, requiredOneOf } from '../checks.ts';
import { isNegative } from '../resources/resource-list.ts';
import { claimTemplate } from './claim-template.ts';
import { descendingPath, fileMode, noBacksteps } from './paths.ts';
import { downwardFiles, keysToPaths } from './projected.ts';
import { missing, type VolumeContext } from './volume-fields.ts';
import type { Volume } from './volume-types.ts';

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

export function* emptyDir({ emptyDir: source }: Volume, path: string): Findings {
  if (source?.sizeLimit != null && isNegative(source.sizeLimit)) {
    yield fieldError.forbidden(`${path}.emptyDir.sizeLimit`, 'SizeLimit field must be a valid resource quantity');
  }
}

export function* hostPath({ hostPath: source }: Volume, path: string): Findings {
  if (!source?.path) return yield fieldError.required(`${path}.hostPath.path`);
  yield* noBacksteps(source.path, `${path}.hostPath.path`);
  yield* oneOf(source.type, hostPathTypes, `${path}.hostPath.type`);
}

export function* gitRepo({ gitRepo: source }: Volume, path: string): Findings {
  yield* missing(source, `${path}.gitRepo`, ['repository']);
  yield* descendingPath(source?.directory ?? '', `${path}.gitRepo.directory`);
}

export function* secret({ secret: source }: Volume, path: string): Findings {
  yield* missing(source, `${path}.secret`, ['secretName']);
  yield* fileMode(source?.defaultMode, `${path}.secret.defaultMode`);
  yield* keysToPaths(source?.items, `${path}.secret.items`);
}

export function* configMap({ configMap: source }: Volume, path: string): Findings {
  yield* missing(source, `${path}.configMap`, ['name']);
  yield* fileMode(source?.defaultMode, `${path}.configMap.defaultMode`);
  yield* keysToPaths(source?.items, `${path}.configMap.items`);
}

export function* downwardAPI({ downwardAPI: source }: Volume, path: string): Findings {
  yield* fileMode(source?.defaultMode, `${path}.downwardAPI.defaultMode`);
  yield* downwardFiles(source?.items, `${path}.downwardAPI`);
}

export function* csiDriverName(driver: string | undefined, path: string): Findings {
  if (!driver) return yield fieldError.required(path);
  if (driver.length > 63) yield fieldError.tooLong(path, 63);
  yield* invalid(path, driver, dns1123Subdomain(driver.toLowerCase()));
}

export function* csi({ csi: source }: Volume, path: string): Findings {
  yield* csiDriverName(source?.driver, `${path}.csi.driver`);
  const ref = source?.nodePublishSecretRef;
  if (!ref) return;
  if (!ref.name) yield fieldError.required(`${path}.csi.nodePublishSecretRef.name`);
  else yield* invalid(`${path}.csi.name`, ref.name, nameRules.subdomain(ref.name, false));
}

export function* ephemeral(volume: Volume, path: string, context: VolumeContext): Findings {
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

export function* image({ image: source }: Volume, path: string, { leniency }: VolumeContext): Findings {
  if (leniency.isPod && !source?.reference) yield fieldError.required(`${path}.image.reference`);
  yield* requiredOneOf(source?.pullPolicy, ['Always', 'IfNotPresent', 'Never'], `${path}.image.pullPolicy`);
}
