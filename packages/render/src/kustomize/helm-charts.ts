import { readYaml } from '../go-yaml/read-yaml.ts';
import { type ChartOptions, type RenderedChart, renderChart, templateOutput } from '../helm/index.ts';
import { renderExpression } from '../helm/render-expression.ts';
import type { FetchRemote } from '../source/remotes.ts';
import { joinPath, normalizePath, type Tree } from '../tree/tree.ts';
import { messageOf } from '../util/errors.ts';
import { isRecord } from '../util/guards.ts';
import { configuring } from './built-in-config.ts';
import { type Decoded, type DecodedFields, list, struct } from './config/decode.ts';
import { KustomizeError } from './kustomize-error.ts';
import type { Loader } from './loader.ts';
import { floatNode, objectValue } from './node/node-value.ts';
import { readNode } from './node/read-nodes.ts';
import { helmGenerated } from './resource/annotations.ts';
import { readResources } from './resource/read-resources.ts';
import type { Resource } from './resource/resource.ts';
import { strategicMerge } from './transform/strategic-merge.ts';

/** The dependencies of kustomizations and their charts. */
export interface HelmSupport {
  /** Fetches remote bases, files and charts. Without it, they are errors. */
  readonly fetchRemote?: FetchRemote;
  /** The cluster that charts are rendered for, and the version of Helm. */
  readonly chartOptions?: Pick<ChartOptions, 'kubeVersion' | 'apiVersions' | 'helmVersion' | 'limits'>;
  /** Called with each rendered chart. */
  readonly onChart?: (rendered: RenderedChart) => void;
  /** False: charts are errors, as without the flag `--enable-helm`. */
  readonly enableHelm?: boolean;
}

const names = list('string');
export const helmGlobalsFields = { chartHome: 'string', configHome: 'string' } as const;
export const helmChartFields = {
  name: 'string',
  version: 'string',
  repo: 'string',
  releaseName: 'string',
  namespace: 'string',
  additionalValuesFiles: names,
  valuesFile: 'string',
  valuesInline: 'object',
  valuesMerge: 'string',
  includeCRDs: 'bool',
  skipHooks: 'bool',
  apiVersions: names,
  kubeVersion: 'string',
  nameTemplate: 'string',
  skipTests: 'bool',
  debug: 'bool',
  devel: 'bool',
} as const;
export type HelmChart = DecodedFields<typeof helmChartFields>;
export type HelmGlobals = DecodedFields<typeof helmGlobalsFields>;
export const helmChartType = struct('HelmChart', helmChartFields);
/** `helmChartInflationGenerator`, the deprecated form of `helmCharts`. */
export const helmChartArgsType = struct('HelmChartArgs', {
  chartName: 'string',
  chartVersion: 'string',
  chartRepoUrl: 'string',
  chartHome: 'string',
  chartRepoName: 'string',
  helmBin: 'string',
  helmHome: 'string',
  values: 'string',
  valuesLocal: 'object',
  valuesMerge: 'string',
  releaseName: 'string',
  releaseNamespace: 'string',
  extraArgs: names,
});

/** Converts `helmChartInflationGenerator` to `helmCharts`. */
export function modernCharts(all: readonly Decoded<typeof helmChartArgsType>[]): {
  charts: HelmChart[];
  chartHome: string;
} {
  const charts = all.map(
    ({ chartName, chartVersion, chartRepoUrl, values, valuesLocal, valuesMerge, releaseName }) => ({
      ...(chartName ? { name: chartName } : {}),
      ...(chartVersion ? { version: chartVersion } : {}),
      ...(chartRepoUrl ? { repo: chartRepoUrl } : {}),
      ...(values ? { valuesFile: values } : {}),
      ...(valuesLocal ? { valuesInline: valuesLocal } : {}),
      ...(valuesMerge ? { valuesMerge } : {}),
      ...(releaseName ? { releaseName } : {}),
    }),
  );
  return { charts, chartHome: all.findLast(({ chartHome }) => chartHome)?.chartHome ?? '' };
}

const requireEnabled = (globals: HelmGlobals, chart: HelmChart): Promise<never> =>
  configuring('HelmChartInflationGenerator', { ...globals, ...chart }, async () => {
    throw new KustomizeError('must specify --enable-helm');
  });

/** The objects of a chart. They are marked, because transformers do not change their namespaces. */
export async function inflateChart(
  loader: Loader,
  chart: HelmChart,
  globals: HelmGlobals,
  support: HelmSupport,
): Promise<Resource[]> {
  const { chartHome = 'charts' } = globals;
  const { name = '', namespace } = chart;
  if (support.enableHelm === false) await requireEnabled(globals, chart);
  if (name === '') throw new KustomizeError('chart name cannot be empty');
  const { tree, path } = await findChart(loader, chart, chartHome || 'charts', support);
  const rendered = await renderChart(tree, path, {
    ...support.chartOptions,
    ...(support.fetchRemote ? { fetchRemote: support.fetchRemote } : {}),
    valuesObject: await valuesOf(loader, chart, tree, path),
    release: { name: releaseName(chart), namespace: namespace || 'default' },
    ...(chart.kubeVersion ? { kubeVersion: chart.kubeVersion } : {}),
    ...(chart.apiVersions?.length ? { apiVersions: chart.apiVersions } : {}),
  });
  support.onChart?.(rendered);
  const shown = chart.skipHooks ? { ...rendered, hooks: [] } : rendered;
  const text = templateOutput(shown, { includeCrds: chart.includeCRDs ?? false, skipTests: chart.skipTests ?? false });
  const resources = readResources(text);
  for (const resource of resources) resource.annotate(helmGenerated, 'true');
  return resources;
}

function releaseName({ name, releaseName, nameTemplate }: HelmChart): string {
  if (!nameTemplate) return releaseName || 'release-name';
  if (releaseName) throw new KustomizeError(`chart ${name}: cannot set nameTemplate and also specify a name`);
  try {
    return Buffer.from(renderExpression({ templates: { main: nameTemplate }, values: null })).toString('utf8');
  } catch (error) {
    throw new KustomizeError(`chart ${name}: nameTemplate: ${messageOf(error)}`);
  }
}

async function findChart(
  loader: Loader,
  { name = '', repo = '', version = '' }: HelmChart,
  chartHome: string,
  { fetchRemote }: HelmSupport,
): Promise<{ tree: Tree; path: string }> {
  const folder = version !== '' && repo !== '' ? `${chartHome}/${name}-${version}/${name}` : `${chartHome}/${name}`;
  const path = normalizePath(joinPath(loader.root, folder));
  if ((await loader.tree.stat(path))?.type === 'directory') return { tree: loader.tree, path };
  if (repo === '') throw new KustomizeError(`no repo specified for pull, no chart found at '${path}'`, 'PathNotFound');
  if (!fetchRemote)
    throw new KustomizeError(
      `chart ${name} of ${repo} is not at '${path}', and remote charts are not permitted here. Copy it there.`,
      'Unsupported',
    );
  return { tree: await fetchRemote({ kind: 'chart', repository: repo, name, version }), path: '' };
}

type Values = Readonly<Record<string, unknown>>;

/** The values file and the inline values, merged by `valuesMerge`, then the additional files. */
async function valuesOf(loader: Loader, chart: HelmChart, tree: Tree, path: string): Promise<Values> {
  const { valuesMerge = 'override', valuesInline = {} } = chart;
  const mode = valuesMerge || 'override';
  if (!['merge', 'override', 'replace'].includes(mode))
    throw new KustomizeError('valuesMerge must be one of [merge override replace]');
  let values: Values = valuesInline;
  if (mode !== 'replace' || Object.keys(valuesInline).length === 0) {
    const file = chart.valuesFile
      ? await loader.loadText(chart.valuesFile)
      : Buffer.from((await tree.read(joinPath(path, 'values.yaml'))) ?? []).toString('utf8');
    values = Object.keys(valuesInline).length === 0 ? asValues(readYaml(file)) : mergeInline(file, valuesInline, mode);
  }
  for (const file of chart.additionalValuesFiles ?? [])
    values = overlaid(values, asValues(readYaml(await loader.loadText(file))));
  return values;
}

const asValues = (value: unknown): Values => (isRecord(value) ? value : {});

/** Merges as Kustomize does: by field, lists as a whole; null removes a field. */
function mergeInline(file: string, inline: Values, mode: string): Values {
  const [ours, theirs] = [floatNode(inline), readNode(file) ?? floatNode({})];
  const [base, patch] = mode === 'override' ? [theirs, ours] : [ours, theirs];
  const merged = strategicMerge(base, patch, () => undefined);
  return merged ? objectValue(merged) : {};
}

function overlaid(values: Values, over: Values): Values {
  const result: Record<string, unknown> = { ...values };
  for (const [key, value] of Object.entries(over)) {
    const below = result[key];
    const both = isRecord(value) && isRecord(below);
    result[key] = both ? overlaid(below, value) : value;
  }
  return result;
}
