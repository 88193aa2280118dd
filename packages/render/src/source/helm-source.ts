import type { ApplicationSource } from '@fairlead/api';
import { trimSpace } from '../go-template/go-space.ts';
import { readYaml, readYamlDocuments, YamlError } from '../go-yaml/index.ts';
import { type ChartOptions, type RenderedChart, renderChart } from '../helm/index.ts';
import type { ChartManifest } from '../helm/manifests.ts';
import { RenderError } from '../render-error.ts';
import { joinPath, type Tree } from '../tree/tree.ts';
import { helmFailure } from './helm-command.ts';
import { genericVersion } from './kube-version.ts';
import { type Manifest, problemOf, unfold } from './manifest.ts';
import type { RenderContext, Variables } from './render-context.ts';
import type { RenderObserver } from './render-source.ts';
import { resolveFile, resolveValueFiles } from './value-files.ts';

/** Renders a chart with an Application's options. */
export async function renderHelmSource(
  tree: Tree,
  path: string,
  source: ApplicationSource,
  context: RenderContext,
  variables: Variables,
  observer: RenderObserver,
): Promise<Manifest[]> {
  const { helm = {} } = source;
  const options = await chartOptions(tree, path, helm, context, variables);
  const flags = { skipCrds: helm.skipCrds ?? false, skipTests: helm.skipTests ?? false };
  const rendered = await renderChart(tree, path, options).catch((error) => {
    throw helmFailure(error, options, flags);
  });
  const { crds, manifests, hooks, nondeterministic } = rendered;
  const name = chartNameOf(rendered);
  // A template's path starts with the chart's name, a file's path with the chart's folder.
  const fileOf = (template: string): string =>
    template.startsWith(`${name}/`) ? joinPath(path, template.slice(name.length + 1)) : template;
  const origin = (template: string): Manifest['origin'] => ({ path: fileOf(template), line: 1 });
  const own = flags.skipCrds ? [] : crds.flatMap((crd) => crdManifests(crd.content, origin(crd.path)));
  const shown = flags.skipTests ? hooks.filter(({ events }) => !events.includes('test')) : hooks;
  const last = manifests.at(-1);
  const others = [...manifests, ...shown].flatMap((manifest) =>
    manifest.object === null ? [] : manifestsOf(printedObject(manifest, manifest === last), origin(manifest.path)),
  );
  observer.nondeterministic(nondeterministic);
  return [...own, ...others];
}

/**
 * The object as Argo CD reads it in the output of `helm template`, where a line feed follows each document, and the white space at the
 * end of the last manifest is trimmed. Both can only change a block scalar at the end of a document.
 */
function printedObject({ content, object }: ChartManifest, isLast: boolean): unknown {
  const printed = `${isLast ? trimSpace(content) : content}\n`;
  const keepsLineFeeds = /[|>]\d?\+/u.test(content);
  return keepsLineFeeds || (isLast && /[^\n\S]\n*$/u.test(content)) ? readYaml(printed) : object;
}

type HelmOptions = NonNullable<ApplicationSource['helm']>;

async function chartOptions(
  tree: Tree,
  chartPath: string,
  helm: HelmOptions,
  context: RenderContext,
  variables: Variables,
): Promise<ChartOptions> {
  const refs = context.refs ?? new Map<string, Tree>();
  const remoteFiles = new Map<string, Uint8Array>();
  const { fetchRemote, valuesFileSchemes: schemes = ['https', 'http'] } = context;
  const locations = { tree, chartPath, refs, variables, remoteFiles, fetchRemote, schemes };
  const ignoreMissingValueFiles = helm.ignoreMissingValueFiles ?? false;
  const kubeVersion = genericVersion(helm.kubeVersion || context.kubeVersion);
  const apiVersions = helm.apiVersions?.length ? helm.apiVersions : context.apiVersions;
  if (helm.version && !/^v?[34]$/u.test(helm.version)) {
    const why = `helm version '${helm.version}' is not supported`;
    throw new RenderError(
      'InvalidOption',
      `error initializing helm app object: failed to create new helm command: ${why}`,
    );
  }
  const helmVersion = helm.version || context.helmVersion;
  return {
    refs,
    remoteFiles,
    valueFiles: await resolveValueFiles(helm.valueFiles ?? [], locations, ignoreMissingValueFiles),
    ignoreMissingValueFiles,
    parameters: lastOf(helm.parameters ?? []).map(({ name = '', value = '', forceString = false }) => ({
      name,
      value: variables.expand(value),
      forceString,
    })),
    fileParameters: await Promise.all(
      (helm.fileParameters ?? []).map(async ({ name = '', path = '' }) => ({
        name,
        path: await resolveFile(path, locations),
      })),
    ),
    skipSchemaValidation: helm.skipSchemaValidation ?? false,
    release: {
      name: helm.releaseName || context.name || 'release-name',
      namespace: helm.namespace || context.namespace || 'default',
    },
    ...(helm.values === undefined ? {} : { values: helm.values }),
    ...(helm.valuesObject === undefined ? {} : { valuesObject: helm.valuesObject }),
    ...(kubeVersion ? { kubeVersion } : {}),
    ...(apiVersions ? { apiVersions } : {}),
    ...(helmVersion ? { helmVersion } : {}),
    ...(context.limits ? { limits: context.limits } : {}),
    ...(context.fetchRemote ? { fetchRemote: context.fetchRemote } : {}),
  };
}

/** The last of the parameters with the same name. */
function lastOf<T extends { readonly name?: string; readonly forceString?: boolean }>(parameters: readonly T[]): T[] {
  const byName = new Map<string, T>();
  for (const parameter of parameters) {
    const key = `${parameter.forceString ?? false} ${parameter.name ?? ''}`;
    byName.delete(key);
    byName.set(key, parameter);
  }
  return [...byName.values()];
}

const chartNameOf = ({ crds, manifests, hooks }: RenderedChart): string =>
  [...manifests, ...hooks, ...crds][0]?.path.split('/')[0] ?? '';

function crdManifests(content: string, origin: Manifest['origin']): Manifest[] {
  let documents: unknown[];
  try {
    documents = readYamlDocuments(content);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new RenderError('InvalidChart', `failed to unmarshal manifest: ${error.message}`);
  }
  return documents.flatMap((document) => (document === null ? [] : manifestsOf(document, origin)));
}

/** The objects of one document of Helm's output. */
function manifestsOf(document: unknown, origin: Manifest['origin']): Manifest[] {
  const problem = problemOf(document);
  if (problem === undefined) return unfold(document, origin, 'InvalidChart');
  throw new RenderError(
    'InvalidChart',
    `failed to unmarshal manifest: error unmarshaling JSON: while decoding JSON: ${problem}`,
  );
}
