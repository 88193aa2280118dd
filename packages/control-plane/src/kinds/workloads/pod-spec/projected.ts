import { fieldError } from '@fairlead/apimachinery';
import type { Findings } from '../checks.ts';
import { fieldReference, fileFieldPaths, resourceReference } from './downward.ts';
import type { Leniency } from './leniency.ts';
import { fileMode, volumeFilePath } from './paths.ts';
import type { DownwardFile, KeyToPath, Projection, VolumeSources } from './volume-types.ts';

export function* keysToPaths(items: readonly KeyToPath[] | undefined, path: string): Findings {
  for (const [index, item] of (items ?? []).entries()) yield* keyToPath(item, `${path}[${index}]`);
}

function* keyToPath(item: KeyToPath, path: string): Findings {
  if (!item.key) yield fieldError.required(`${path}.key`);
  if (!item.path) yield fieldError.required(`${path}.path`);
  yield* volumeFilePath(item.path ?? '', `${path}.path`);
  yield* fileMode(item.mode, `${path}.mode`);
}

/** These paths have the volume and not the item, as in kube-apiserver. */
export function* downwardFiles(files: readonly DownwardFile[] | undefined, path: string): Findings {
  for (const file of files ?? []) {
    if (!file.path) yield fieldError.required(`${path}.path`);
    yield* volumeFilePath(file.path ?? '', `${path}.path`);
    if (file.fieldRef) {
      yield* fieldReference(file.fieldRef, fileFieldPaths, `${path}.fieldRef`);
      if (file.resourceFieldRef) {
        const detail = 'fieldRef and resourceFieldRef can not be specified simultaneously';
        yield fieldError.invalid(path, 'resource', detail);
      }
    } else if (file.resourceFieldRef) yield* resourceReference(file.resourceFieldRef, true, `${path}.resourceFieldRef`);
    else yield fieldError.required(path, 'one of fieldRef and resourceFieldRef is required');
    yield* fileMode(file.mode, `${path}.mode`);
  }
}

export function* projected(
  volume: NonNullable<VolumeSources['projected']>,
  path: string,
  leniency: Leniency,
): Findings {
  yield* fileMode(volume.defaultMode, `${path}.defaultMode`);
  const taken = new Set<string>();
  function* claim(file: string | undefined, owner: string): Findings {
    if (!file) return;
    if (taken.has(file)) yield fieldError.invalid(path, owner, 'conflicting duplicate paths');
    taken.add(file);
  }
  for (const [index, source] of (volume.sources ?? []).entries()) {
    const at = `${path}.sources[${index}]`;
    yield* namedFiles(source, at, claim);
    if (source.downwardAPI) {
      for (const file of source.downwardAPI.items ?? []) {
        yield* downwardFiles([file], `${at}.downwardAPI`);
        yield* claim(file.path, file.path ?? '');
      }
    }
    if (source.serviceAccountToken) yield* token(source.serviceAccountToken, at, path, leniency);
    if (Object.values(source).filter((each) => each != null).length > 1) {
      yield fieldError.forbidden(at, 'may not specify more than 1 volume type per source');
    }
  }
}

type Claim = (file: string | undefined, owner: string) => Findings;

function* namedFiles(source: Projection, path: string, claim: Claim): Findings {
  for (const kind of ['secret', 'configMap'] as const) {
    const named = source[kind];
    if (!named) continue;
    if (!named.name) yield fieldError.required(`${path}.${kind}.name`);
    for (const [index, item] of (named.items ?? []).entries()) {
      yield* keyToPath(item, `${path}.${kind}.items[${index}]`);
      yield* claim(item.path, named.name ?? '');
    }
  }
}

function* token(
  source: NonNullable<Projection['serviceAccountToken']>,
  at: string,
  volumePath: string,
  leniency: Leniency,
): Findings {
  const seconds = source.expirationSeconds ?? 0;
  const field = `${at}.serviceAccountToken.expirationSeconds`;
  if (seconds < 600) yield fieldError.invalid(field, seconds, 'may not specify a duration less than 10 minutes');
  if (seconds > 2 ** 32)
    yield fieldError.invalid(field, seconds, 'may not specify a duration larger than 2^32 seconds');
  if (!source.path) yield fieldError.required(`${volumePath}.path`);
  else if (!leniency.tokenPath) yield* volumeFilePath(source.path, `${volumePath}.path`);
}
