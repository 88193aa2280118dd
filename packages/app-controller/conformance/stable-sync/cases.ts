import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApplicationSource } from '@fairlead/api';
import { type KubeObject, objectsAt, textAt } from '@fairlead/apimachinery';
import { parseManifests } from '@fairlead/render';
import { readYaml } from '@fairlead/render/go-yaml';

/** One application of a directory: its repository, and the spec of its Application. */
export interface StableCase {
  readonly group: string;
  readonly name: string;
  readonly source: Omit<ApplicationSource, 'repoURL'>;
  /** The namespace that it is deployed to. */
  readonly namespace: string;
  /** Data of `argocd-cm`. */
  readonly syncOptions: readonly string[];
  readonly settings?: Readonly<Record<string, string>>;
  /** Why it cannot be run here. */
  readonly skipped?: string;
  /** Its objects, if they need not be rendered. */
  readonly manifests: () => readonly KubeObject[];
  readonly files: () => Readonly<Record<string, Uint8Array>>;
}

/**
 * The applications in a folder. It has the layout of the corpus `helm` (`charts/`, `cases/`) or `kustomize` (`inputs/`, `expected/`), contains folders
 * of that layout, or is a checkout with one application in each sub-folder: plain YAML, Jsonnet, a chart or a kustomization. Each is there twice: with client-side apply, and as `NAME+ssa` with server-side apply.
 */
export function casesIn(dir: string): StableCase[] {
  return plainCasesIn(dir).flatMap((theCase) => [
    { ...theCase, syncOptions: [] },
    { ...theCase, name: `${theCase.name}+ssa`, syncOptions: ['ServerSideApply=true'] },
  ]);
}

type PlainCase = Omit<StableCase, 'syncOptions'>;

function plainCasesIn(dir: string): PlainCase[] {
  if (isCorpus(dir)) return corpusCases(dir);
  const corpora = foldersIn(dir).filter((name) => isCorpus(join(dir, name)));
  if (corpora.length > 0) return corpora.flatMap((name) => corpusCases(join(dir, name)));
  // One repository for all: a kustomization may refer to the folder next to it.
  let files: Record<string, Uint8Array> | undefined;
  return foldersIn(dir)
    .filter((name) => !name.startsWith('.') && globSync(join(dir, name, sourceFiles)).length > 0)
    .map((name) => {
      const absent = absentDependencies(join(dir, name));
      return {
        group: 'applications',
        name,
        source: { path: name },
        namespace: 'apps',
        ...(absent ? { skipped: absent } : {}),
        manifests: () =>
          isRendered(join(dir, name)) ? [] : manifestsIn(globSync(join(dir, name, '*.{yaml,yml,json}'))),
        files: () => (files ??= filesBelow(dir)),
      };
    });
}

const sourceFiles = '{*.yaml,*.yml,*.json,*.jsonnet,Kustomization}';

/** Why a chart cannot be rendered without a network: its dependencies are in another repository. */
function absentDependencies(dir: string): string | undefined {
  if (!has(dir, 'Chart.yaml')) return undefined;
  const absent = objectsAt(readYaml(readFileSync(join(dir, 'Chart.yaml'), 'utf8')), 'dependencies').filter(
    (one) => globSync(join(dir, 'charts', `${textAt(one, 'name')}*`)).length === 0,
  );
  if (absent.length === 0) return undefined;
  const names = absent.map((one) => `${textAt(one, 'name')} of ${textAt(one, 'repository')}`).join(', ');
  return `needs ${names}: run \`helm dependency build\` in its folder`;
}

const has = (dir: string, ...names: string[]): boolean => names.every((name) => existsSync(join(dir, name)));
const isRendered = (dir: string): boolean => has(dir, 'Chart.yaml') || has(dir, 'kustomization.yaml');
const isCharts = (dir: string): boolean => has(dir, 'charts', 'cases');
const isKustomizations = (dir: string): boolean => has(dir, 'inputs', 'expected');
const isCorpus = (dir: string): boolean => isCharts(dir) || isKustomizations(dir);
const corpusCases = (dir: string): PlainCase[] => (isCharts(dir) ? chartCases(dir) : kustomizeCases(dir));

interface ChartCase {
  readonly chart: string;
  readonly release: string;
  readonly namespace: string;
  readonly values: readonly string[];
  readonly apiVersions: readonly string[];
  readonly skipTests: boolean;
}

function chartCases(dir: string): PlainCase[] {
  return foldersIn(join(dir, 'cases')).map((name) => {
    const folder = join(dir, 'cases', name);
    const { chart, release, namespace, values, ...options } = read<ChartCase>(join(folder, 'case.json'));
    return {
      group: chart,
      name,
      namespace,
      source: {
        path: 'chart',
        helm: {
          releaseName: release,
          valueFiles: values.map((file) => `../case/${file}`),
          apiVersions: [...options.apiVersions],
          skipTests: options.skipTests,
        },
      },
      manifests: () => manifestsIn([join(folder, 'expected.yaml')]),
      files: () => ({
        ...below('chart', filesBelow(join(dir, 'charts', chart))),
        ...below('case', filesBelow(folder)),
      }),
    };
  });
}

interface KustomizeCase {
  readonly source: string;
  readonly dir: string;
  readonly args: readonly string[];
  readonly ok: boolean;
}

/** Those that kustomize builds. */
function kustomizeCases(dir: string): PlainCase[] {
  return foldersIn(join(dir, 'expected')).flatMap((name) => {
    const { source, dir: path, args, ok } = read<KustomizeCase>(join(dir, 'expected', name, 'case.json'));
    if (!ok) return [];
    return {
      group: source,
      name,
      source: { path },
      namespace: 'apps',
      ...(args.length > 0 ? { settings: { 'kustomize.buildOptions': args.join(' ') } } : {}),
      manifests: () => manifestsIn([join(dir, 'expected', name, 'out.yaml')]),
      files: () => filesBelow(join(dir, 'inputs', name)),
    };
  });
}

const manifestsIn = (files: readonly string[]): KubeObject[] =>
  files.flatMap((file) => parseManifests(file, readFileSync(file, 'utf8')).map(({ object }) => object));

const read = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T;

const foldersIn = (dir: string): string[] =>
  readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();

const below = (folder: string, files: Record<string, Uint8Array>): Record<string, Uint8Array> =>
  Object.fromEntries(Object.entries(files).map(([path, content]) => [`${folder}/${path}`, content]));

function filesBelow(dir: string): Record<string, Uint8Array> {
  const files: Record<string, Uint8Array> = {};
  for (const entry of readdirSync(dir, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    const below = path.slice(dir.length + 1);
    if (entry.isFile() && !below.startsWith('.git/')) files[below] = readFileSync(path);
  }
  return files;
}
