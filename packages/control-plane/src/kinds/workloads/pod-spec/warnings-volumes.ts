import type { Projection, Volume, VolumeSources } from './volume-types.ts';
import { fraction } from './warnings-fractions.ts';

type Warnings = Iterable<string>;

const fading: readonly (readonly [keyof VolumeSources, string, string?])[] = [
  ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'deprecated in v1.22, non-functional in v1.25+', 'storageOS'],
  ['quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['ephemeral', ''],
  ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
];

export function* volumeWarnings(volumes: readonly Volume[], path: string): Warnings {
  for (const [index, volume] of volumes.entries()) {
    for (const [kind, message, shown] of fading) {
      if (!volume[kind]) continue;
      if (message) yield `${path}[${index}].${shown ?? kind}: ${message}`;
      else
        yield* claimWarnings(
          volume.ephemeral?.volumeClaimTemplate?.spec,
          `${path}[${index}].ephemeral.volumeClaimTemplate.spec`,
        );
    }
  }
  for (const volume of volumes) yield* overlaps(volume);
}

export function* claimWarnings(
  spec: { resources?: { requests?: Record<string, string>; limits?: Record<string, string> } } | undefined,
  path: string,
): Warnings {
  yield* fraction(spec?.resources?.requests, 'storage', `${path}.resources.requests`);
  yield* fraction(spec?.resources?.limits, 'storage', `${path}.resources.limits`);
}

interface ProjectedFile {
  readonly path: string;
  readonly source: string;
}

const shown = ({ path, source }: ProjectedFile): string =>
  source ? `${JSON.stringify(path)} (${source})` : JSON.stringify(path);

function* overlaps(volume: Volume): Warnings {
  const name = JSON.stringify(volume.name ?? '');
  const files = (items: readonly { path?: string }[] | undefined, source = ''): ProjectedFile[] =>
    (items ?? []).map(({ path = '' }) => ({ path, source }));
  const single: [string, ProjectedFile[]][] = [
    [`ConfigMap ${JSON.stringify(volume.configMap?.name ?? '')}`, files(volume.configMap?.items)],
    [`Secret ${JSON.stringify(volume.secret?.secretName ?? '')}`, files(volume.secret?.items)],
    ['DownwardAPI', files(volume.downwardAPI?.items)],
  ];
  for (const [what, projected] of single) {
    for (const clash of clashes(projected)) yield `volume ${name} (${what}): overlapping paths: ${clash}`;
  }
  const all: ProjectedFile[] = [];
  for (const source of volume.projected?.sources ?? []) {
    if (Object.values(source).every((each) => each == null)) {
      yield `volume ${name} (Projected) has no sources provided`;
      continue;
    }
    for (const projected of projectedFiles(source, files)) {
      for (const clash of clashesWith(all, projected)) yield `volume ${name} (Projected): overlapping paths: ${clash}`;
      all.push({ ...projected, path: projected.path.replace(/\/+$/, '') });
    }
  }
}

type Files = (items: readonly { path?: string }[] | undefined, source?: string) => ProjectedFile[];

function projectedFiles(source: Projection, files: Files): ProjectedFile[] {
  const { configMap, secret, downwardAPI, serviceAccountToken } = source;
  if (configMap?.items) return files(configMap.items, `ConfigMap ${JSON.stringify(configMap.name ?? '')}`);
  if (secret?.items) return files(secret.items, `Secret ${JSON.stringify(secret.name ?? '')}`);
  if (downwardAPI?.items) return files(downwardAPI.items, 'DownwardAPI');
  return serviceAccountToken ? files([serviceAccountToken], 'ServiceAccountToken') : [];
}

function* clashes(projected: readonly ProjectedFile[]): Warnings {
  const before: ProjectedFile[] = [];
  for (const each of projected) {
    yield* clashesWith(before, each);
    before.push({ ...each, path: each.path.replace(/\/+$/, '') });
  }
}

/** Two files at one path, or a file where another needs a directory. */
function* clashesWith(before: readonly ProjectedFile[], given: ProjectedFile): Warnings {
  const projected = { ...given, path: given.path.replace(/\/+$/, '') };
  if (!projected.path) return;
  for (const other of before) {
    if (!other.path) continue;
    const [a, b] = [`${projected.path}/`, `${other.path}/`];
    if (a.startsWith(b) || b.startsWith(a)) yield `${shown(projected)} with ${shown(other)}`;
  }
}
