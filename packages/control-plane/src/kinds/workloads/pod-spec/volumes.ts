import { dns1123Label, type FieldError, fieldError } from '@fairlead/apimachinery';
import { all, type Findings, invalid } from '../checks.ts';
import type { Volumes } from './mounts.ts';
import type { VolumeContext } from './volume-fields.ts';
import { sources } from './volume-sources.ts';
import type { Volume, VolumeSources } from './volume-types.ts';

/** The volumes that can be mounted, and the errors of the others. */
export function checkVolumes(
  volumes: readonly Volume[],
  path: string,
  context: VolumeContext,
): { volumes: Volumes; findings: FieldError[] } {
  const valid = new Map<string, Volume>();
  const findings: FieldError[] = [];
  const made = new Set(
    context.podName ? volumes.filter((each) => each.ephemeral).map((each) => `${context.podName}-${each.name}`) : [],
  );
  for (const [index, volume] of volumes.entries()) {
    const at = `${path}[${index}]`;
    const wrong = all(oneSource(volume, at, context), name(volume, valid, `${at}.name`));
    if (wrong.length === 0) valid.set(volume.name ?? '', volume);
    findings.push(...wrong);
    const claim = volume.persistentVolumeClaim?.claimName;
    if (claim !== undefined && made.has(claim)) {
      const detail = 'must not reference a PVC that gets created for an ephemeral volume';
      findings.push(fieldError.invalid(`${at}.persistentVolumeClaim.claimName`, claim, detail));
    }
  }
  return { volumes: valid, findings };
}

function* name(volume: Volume, taken: ReadonlyMap<string, Volume>, path: string): Findings {
  const own = volume.name ?? '';
  if (!own) yield fieldError.required(path);
  else yield* invalid(path, own, dns1123Label(own));
  if (taken.has(own)) yield fieldError.duplicate(path, own);
}

/** Paths that differ from the name of the field. */
const secondSourcePath: Partial<Record<keyof VolumeSources, string>> = { cephfs: 'cephFS', downwardAPI: 'downwarAPI' };

function* oneSource(volume: Volume, path: string, context: VolumeContext): Findings {
  let found = false;
  for (const [kind, check] of sources) {
    if (!volume[kind]) continue;
    if (!found) yield* check(volume, path, context);
    else {
      yield fieldError.forbidden(
        `${path}.${secondSourcePath[kind] ?? kind}`,
        'may not specify more than 1 volume type',
      );
    }
    found = true;
    if (kind === 'iscsi') yield* initiatorFits(volume, path);
  }
  if (!found) yield fieldError.required(path, 'must specify a volume type');
}

function* initiatorFits({ name: own = '', iscsi }: Volume, path: string): Findings {
  if (iscsi?.initiatorName == null || `${own}:${iscsi.targetPortal ?? ''}`.length <= 64) return;
  const detail =
    'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
  yield fieldError.invalid(`${path}.name`, own, detail);
}
