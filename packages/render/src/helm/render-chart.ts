import { goJson } from '../go-json/index.ts';
import { trimSpace } from '../go-template/go-space.ts';
import type { GoMap, GoValue } from '../go-template/go-value.ts';
import { Budget, LimitError, type Limits } from '../go-template/limits.ts';
import { RenderError } from '../render-error.ts';
import type { FetchRemote } from '../source/remotes.ts';
import { toPlain } from '../sprig/plain.ts';
import { normalizePath, type Tree } from '../tree/tree.ts';
import { capabilitiesObject, normalizedKubeVersion } from './capabilities.ts';
import { type Chart, loadChart } from './chart.ts';
import { chartFiles, mentionFiles } from './chart-files.ts';
import { collectValues, type ValueSources } from './chart-values.ts';
import { coalesceValues } from './coalesce.ts';
import { checkDependencies, enableDependencies, inRange } from './dependencies.ts';
import { Engine, type EngineOptions } from './engine.ts';
import { fetchDependencies, merged } from './fetch-dependencies.ts';
import { importValues } from './import-values.ts';
import { type ChartHook, type ChartManifest, sortManifests } from './manifests.ts';
import { type HelmProfile, helmProfile } from './profile.ts';
import { type Release, releaseObject, renderTemplates } from './render-templates.ts';
import { checkSchemas } from './schema.ts';

export interface ChartOptions extends ValueSources {
  readonly release?: Partial<Release>;
  /** The version of the cluster; Helm's default if absent. */
  readonly kubeVersion?: string;
  /** API versions of the cluster, in addition to Helm's defaults. */
  readonly apiVersions?: readonly string[];
  /** The version of Helm whose behaviour is used, such as `4.1` or `3.19`. The default is the newest. */
  readonly helmVersion?: string;
  readonly skipSchemaValidation?: boolean;
  readonly lookup?: EngineOptions['lookup'];
  readonly now?: () => number;
  readonly limits?: Limits;
  /** Fetches dependencies that are not in `charts/`. Without it, missing dependencies are errors. */
  readonly fetchRemote?: FetchRemote;
}

export interface RenderedChart {
  /** In install order. */
  readonly manifests: readonly ChartManifest[];
  readonly hooks: readonly ChartHook[];
  /** Files under `crds/`, unrendered. */
  readonly crds: readonly { readonly path: string; readonly content: string }[];
  readonly notes: string;
  /** The nondeterministic functions that were used. */
  readonly nondeterministic: readonly string[];
}

/** Renders the chart in a folder of the tree, as `helm template` does. */
export async function renderChart(tree: Tree, path: string, options: ChartOptions = {}): Promise<RenderedChart> {
  const folder = normalizePath(path);
  const values = await collectValues(tree, folder, options);
  const chart = await loadWithDependencies(tree, folder, goJson(toPlain(values)).includes('Files'), options);
  return renderLoadedChart(chart, values, options);
}

async function loadWithDependencies(
  tree: Tree,
  folder: string,
  mentioned: boolean,
  { fetchRemote }: ChartOptions,
): Promise<Chart> {
  const files = await chartFiles(tree, folder, { mentioned });
  const chart = loadChart(folder, files);
  const fetched = await fetchDependencies(chart, files, { tree, folder, fetchRemote });
  if (fetched.size === 0) return chart;
  // A library may read the files of the chart that uses it.
  const all = mentionFiles(fetched) ? await chartFiles(tree, folder, { mentioned: true }) : files;
  return loadChart(folder, merged(all, fetched));
}

/** Renders a loaded chart with the given values. */
async function renderLoadedChart(chart: Chart, values: GoMap, options: ChartOptions = {}): Promise<RenderedChart> {
  const profile = helmProfile(options.helmVersion);
  if (chart.metadata.type === 'library') throw new RenderError('InvalidChart', 'library charts are not installable');
  checkDependencies(chart);
  const prepared = importValues(enableDependencies(chart, values, profile), profile);
  const coalesced = coalesceValues(prepared, values, 'coalesce', profile);
  if (!options.skipSchemaValidation) await checkSchemas(prepared, coalesced);
  checkKubeVersion(prepared, options.kubeVersion ?? profile.kubeVersion);
  const engine = new Engine({
    budget: new Budget(options.limits),
    ...(options.lookup ? { lookup: options.lookup } : {}),
    ...(options.now ? { now: options.now } : {}),
  });
  const { name = 'release-name', namespace = 'default', ...rest } = options.release ?? {};
  const shared = { release: releaseObject({ name, namespace, ...rest }), capabilities: capabilities(options, profile) };
  const rendered = withinLimits(() => renderTemplates(engine, prepared, coalesced, shared));
  const notes = rendered.get(`${prepared.metadata.name}/templates/NOTES.txt`) ?? '';
  for (const file of [...rendered.keys()]) if (file.endsWith('NOTES.txt')) rendered.delete(file);
  return {
    ...sortManifests(rendered, profile),
    crds: crdsOf(prepared, ''),
    notes,
    nondeterministic: [...engine.nondeterministic].sort(),
  };
}

function withinLimits<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof LimitError ? new RenderError('TooLarge', error.message) : error;
  }
}

function checkKubeVersion({ metadata }: Chart, version: string): void {
  if (metadata.kubeVersion === '' || inRange(metadata.kubeVersion, normalizedKubeVersion(version))) return;
  throw new RenderError(
    'InvalidChart',
    `chart requires kubeVersion: ${metadata.kubeVersion} which is incompatible with Kubernetes ${version.startsWith('v') ? version : `v${version}`}`,
  );
}

const capabilities = (options: ChartOptions, profile: HelmProfile): GoValue =>
  capabilitiesObject({
    kubeVersion: options.kubeVersion ?? profile.kubeVersion,
    apiVersions: [...profile.apiVersions, ...(options.apiVersions ?? [])],
    helmVersion: profile.version,
    keepsKubeSuffix: profile.keepsKubeSuffix,
  });

function crdsOf(chart: Chart, parent: string): { path: string; content: string }[] {
  const path = parent === '' ? chart.metadata.name : `${parent}/charts/${chart.metadata.name}`;
  const own = [...chart.files]
    .filter(([file]) => file.startsWith('crds/') && /\.(?:yaml|yml|json)$/i.test(file))
    .map(([file, content]) => ({ path: `${path}/${file}`, content: Buffer.from(content).toString('utf8') }));
  return [...own, ...chart.dependencies.flatMap((dependency) => crdsOf(dependency, path))];
}

/** The exact output of `helm template`. */
export function templateOutput(
  rendered: RenderedChart,
  { includeCrds = false, skipTests = false }: { includeCrds?: boolean; skipTests?: boolean } = {},
): string {
  const document = ({ path, content }: { path: string; content: string }): string =>
    `---\n# Source: ${path}\n${content}\n`;
  const manifests = [...(includeCrds ? rendered.crds : []), ...rendered.manifests].map(document).join('');
  const hooks = rendered.hooks.filter(({ events }) => !skipTests || !events.includes('test')).map(document);
  return `${trimSpace(manifests)}\n${hooks.join('')}`;
}
