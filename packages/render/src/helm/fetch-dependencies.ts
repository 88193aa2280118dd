import { RenderError } from '../render-error.ts';
import type { FetchRemote } from '../source/remotes.ts';
import { joinPath, normalizePath, type Tree } from '../tree/tree.ts';
import { type Chart, loadChart } from './chart.ts';
import { chartFiles } from './chart-files.ts';
import { inRange, missingDependencies } from './dependencies.ts';
import { type ChartDependency, readDependencies, yamlFields } from './metadata.ts';

type Files = Map<string, Uint8Array>;

/** A chart's folder, and how its dependencies are fetched. */
export interface DependencyContext {
  readonly tree: Tree;
  readonly folder: string;
  /** Fetches charts from repositories. Without it, only folders of the tree (`file://`) can be used. */
  readonly fetchRemote: FetchRemote | undefined;
}

/**
 * The files of the declared dependencies that are missing in `charts/`, as `helm dependency build` would write them: at the versions of
 * the lock file, or else at the highest version in the range. Dependencies of dependencies are not fetched: their archives contain them.
 */
export async function fetchDependencies(chart: Chart, files: Files, context: DependencyContext): Promise<Files> {
  const absent = new Set(missingDependencies(chart));
  if (absent.size === 0 || chart.metadata.type === 'library') return new Map();
  const needed = lockedVersions(chart.metadata.dependencies, files, context.folder).filter(({ name }) =>
    absent.has(name),
  );
  const fetched = await Promise.all(needed.map((dependency) => fetchDependency(dependency, context)));
  const result: Files = new Map();
  for (const { name, inside } of fetched)
    for (const [path, content] of inside) result.set(`charts/${name}/${path}`, content);
  return result;
}

/** Merges two sets of files, in the order of a walk through the folder. */
export function merged(files: ReadonlyMap<string, Uint8Array>, added: ReadonlyMap<string, Uint8Array>): Files {
  const entries = [...files, ...added].map(([path, content]) => ({ names: path.split('/'), path, content }));
  entries.sort((a, b) => compareNames(a.names, b.names));
  return new Map(entries.map(({ path, content }) => [path, content]));
}

function compareNames(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((name, i) => name !== b[i]);
  return at < 0 ? a.length - b.length : b[at] === undefined || a[at]! > b[at] ? 1 : -1;
}

/** The dependencies at the versions of the lock file. Throws if the lock file is out of sync with Chart.yaml. */
function lockedVersions(
  declared: readonly ChartDependency[],
  files: Files,
  folder: string,
): readonly ChartDependency[] {
  const name = ['Chart.lock', 'requirements.lock'].find((file) => files.has(file));
  if (name === undefined) return declared;
  const file = joinPath(folder, name);
  const locked = readDependencies(file, yamlFields(file, files.get(name)!));
  return declared.map((dependency, i) => {
    const entry = [locked[i], ...locked].find((other) => other?.name === dependency.name && fits(other, dependency));
    if (entry) return { ...dependency, version: entry.version };
    const found = locked.find((other) => other.name === dependency.name);
    throw new RenderError(
      'MissingDependency',
      `${file} is out of sync with Chart.yaml: it has ${found ? described(found) : 'no entry'} for ${described(dependency)}: run \`helm dependency update\` and commit the lock file`,
    );
  });
}

/** The lock file has the URL of a repository that Chart.yaml names by alias. */
const fits = (locked: ChartDependency, declared: ChartDependency): boolean =>
  (isAlias(declared.repository) || sameRepository(locked.repository, declared.repository)) &&
  (locked.version === declared.version || declared.version === '' || inRange(declared.version, locked.version));

const isAlias = (repository: string): boolean => /^(?:@|alias:)/u.test(repository);
const sameRepository = (a: string, b: string): boolean => a.replace(/\/+$/u, '') === b.replace(/\/+$/u, '');
const described = ({ name, version, repository }: ChartDependency): string =>
  `${name}${version === '' ? '' : ` ${version}`}${repository === '' ? '' : ` of ${repository}`}`;

interface FetchedDependency {
  /** The name of its folder in `charts/`. */
  readonly name: string;
  readonly inside: Files;
}

async function fetchDependency(dependency: ChartDependency, context: DependencyContext): Promise<FetchedDependency> {
  const { name, version, repository } = dependency;
  const what = `chart dependency ${described(dependency)}`;
  if (repository === '')
    throw new RenderError(
      'MissingDependency',
      `found in Chart.yaml, but missing in charts/ directory: ${described(dependency)}: commit it there, or name a repository`,
    );
  const inside = repository.startsWith('file://')
    ? await localFiles(what, repository.slice('file://'.length), context)
    : await remoteFiles(what, dependency, context.fetchRemote);
  const { metadata } = loadChart(joinPath(context.folder, `charts/${name}`), inside);
  if (metadata.name !== name)
    throw new RenderError('MissingDependency', `${what}: found a chart named ${metadata.name}`);
  if (version !== '' && metadata.version !== version && !inRange(version, metadata.version))
    throw new RenderError('MissingDependency', `${what}: found version ${metadata.version}`);
  return { name: `${name}-${metadata.version}`, inside };
}

async function localFiles(what: string, path: string, { tree, folder }: DependencyContext): Promise<Files> {
  if (path.startsWith('/'))
    throw new RenderError('PathOutsideTree', `${what}: the path is absolute. Use a path relative to the chart.`);
  const at = normalizePath(joinPath(folder, path));
  if ((await tree.stat(at))?.type !== 'directory')
    throw new RenderError('MissingDependency', `${what}: there is no folder ${at} in the repository`);
  return chartFiles(tree, at);
}

async function remoteFiles(
  what: string,
  dependency: ChartDependency,
  fetchRemote: FetchRemote | undefined,
): Promise<Files> {
  if (!fetchRemote)
    throw new RenderError(
      'MissingDependency',
      `found in Chart.yaml, but missing in charts/ directory: ${described(dependency)}: run \`helm dependency build\` and commit what it fetches`,
    );
  const { name, version, repository } = dependency;
  try {
    return await chartFiles(await fetchRemote({ kind: 'chart', repository, name, version }), '', { packed: true });
  } catch (error) {
    throw error instanceof RenderError ? new RenderError(error.reason, `${what}: ${error.message}`) : error;
  }
}
