import type { ApplicationSource } from '@fairlead/api';
import { readYaml, writeYaml } from '../go-yaml/index.ts';
import type { ChartOptions } from '../helm/index.ts';
import { buildKustomization, type KustomizeOptions } from '../kustomize/index.ts';
import { RenderError, type RenderErrorReason } from '../render-error.ts';
import { joinPath, normalizePath, type Tree } from '../tree/tree.ts';
import { isRecord } from '../util/guards.ts';
import { toJson } from '../util/plain-json.ts';
import { genericVersion } from './kube-version.ts';
import { editKustomization, hasEdits, type KustomizeSource } from './kustomization-edit.ts';
import { type Manifest, unfold } from './manifest.ts';
import type { RenderContext, Variables } from './render-context.ts';
import type { RenderObserver } from './render-source.ts';
import { maskedPaths, shownPath } from './shown-path.ts';
import { kustomizationFiles } from './source-type.ts';

/** Builds a kustomization with an Application's options. */
export async function renderKustomizeSource(
  tree: Tree,
  path: string,
  source: ApplicationSource,
  context: RenderContext,
  variables: Variables,
  observer: RenderObserver,
): Promise<Manifest[]> {
  const { kustomize = {} } = source;
  checkVersion(kustomize, context);
  const edited = hasEdits(kustomize) ? await editedTree(tree, path, kustomize, variables) : tree;
  const { fetchRemote, kustomizeBuildOptions } = context;
  const { chartFlags, ...flags } = buildOptions(kustomizeBuildOptions ?? '');
  const warnings: string[] = [];
  const objects = await buildKustomization(edited, path, {
    enableHelm: kustomizeBuildOptions === undefined,
    ...flags,
    showPath: shownPath,
    onWarning: (warning) => warnings.push(warning),
    ...(fetchRemote ? { fetchRemote } : {}),
    chartOptions: { ...chartOptions(kustomize, context), ...chartFlags },
    onChart: ({ nondeterministic }) => {
      observer.charts();
      observer.nondeterministic(nondeterministic);
    },
  }).catch((error) => {
    throw buildFailure(error, path, kustomizeBuildOptions, warnings);
  });
  const origin = { path: joinPath(path, kustomizationFiles[0] ?? ''), line: 1 };
  return objects.flatMap((object) => unfold(toJson(object), origin));
}

/** Everything is built as by one version of Kustomize, so a version only has to be registered. */
function checkVersion({ version }: KustomizeSource, { kustomizeVersions }: RenderContext): void {
  if (version && kustomizeVersions && !kustomizeVersions.includes(version))
    throw new RenderError(
      'InvalidOption',
      `error getting kustomize binary path: kustomize version ${version} is not registered`,
    );
}

/** Errors of Kustomize. Others are limits and rules of the render, which no command would report. */
const reasons: ReadonlySet<RenderErrorReason> = new Set<RenderErrorReason>([
  ...(['InvalidKustomization', 'PathNotFound', 'PathOutsideTree'] as const),
  ...(['InvalidChart', 'InvalidValues', 'MissingDependency', 'TemplateFailed', 'InvalidManifest'] as const),
]);

/** An error of a build with the message of Argo CD, which runs `kustomize build`. Kustomize prints its warnings before the error. */
function buildFailure(error: unknown, path: string, options = '', warnings: readonly string[] = []): unknown {
  if (!(error instanceof RenderError) || !reasons.has(error.reason)) return error;
  const command = ['kustomize', 'build', shownPath(path), ...(options === '' ? [] : [options])].join(' ');
  const reason = error.reason === 'InvalidManifest' ? 'InvalidKustomization' : error.reason;
  const output = [...warnings, `Error: ${error.message}`].join('\n').trimEnd();
  return new RenderError(reason, maskedPaths(`\`${command}\` failed exit status 1: ${output}`));
}

/** The default version and APIs of the cluster for charts in kustomizations. */
function chartOptions(options: KustomizeSource, context: RenderContext): NonNullable<KustomizeOptions['chartOptions']> {
  const kubeVersion = genericVersion(options.kubeVersion || context.kubeVersion);
  const apiVersions = options.apiVersions?.length ? options.apiVersions : context.apiVersions;
  const { helmVersion, limits } = context;
  return {
    ...(kubeVersion ? { kubeVersion } : {}),
    ...(apiVersions ? { apiVersions } : {}),
    ...(helmVersion ? { helmVersion } : {}),
    ...(limits ? { limits } : {}),
  };
}

/** The tree with the kustomization changed by an Application's options. */
async function editedTree(tree: Tree, path: string, options: KustomizeSource, variables: Variables): Promise<Tree> {
  const components = await existingComponents(tree, path, options);
  const files = new Set(kustomizationFiles.map((file) => joinPath(path, file)));
  return {
    stat: (at) => tree.stat(at),
    list: (dir) => tree.list(dir),
    async read(at) {
      const content = await tree.read(at);
      if (!content || !files.has(normalizePath(at))) return content;
      const kustomization = fieldsOf(content);
      if (!kustomization) return content;
      return Buffer.from(writeYaml(editKustomization(kustomization, options, components, variables)));
    },
  };
}

/** Undefined if the file cannot be read: Kustomize then reports the error. */
function fieldsOf(content: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const read = readYaml(Buffer.from(content).toString('utf8'));
    if (read === null) return {};
    return isRecord(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

async function existingComponents(tree: Tree, path: string, options: KustomizeSource): Promise<readonly string[]> {
  const { components = [], ignoreMissingComponents } = options;
  if (!ignoreMissingComponents) return components;
  const existing: string[] = [];
  for (const component of components)
    if (await tree.stat(normalizePath(joinPath(path, component)))) existing.push(component);
  return existing;
}

/**
 * Flags without effect: plugins are never run, and charts are rendered in process and fetched only from repositories that the project
 * permits.
 */
const ignoredFlags = new Set(['--enable-alpha-plugins', '--enable-star', '--helm-debug']);
const ignoredSettings = new Set(['--helm-command', '--as-current-user']);

interface BuildFlags extends Pick<KustomizeOptions, 'loadRestrictor' | 'reorder' | 'enableHelm'> {
  readonly chartFlags: Pick<ChartOptions, 'kubeVersion' | 'apiVersions'>;
}

function buildOptions(written: string): BuildFlags {
  const words = written.split(/\s+/u).filter((word) => word !== '');
  const flags: { -readonly [K in keyof BuildFlags]: BuildFlags[K] } = { chartFlags: {} };
  while (words.length > 0) {
    const [flag = '', inline] = (words.shift() ?? '').split(/=(.*)/su);
    const value = (): string => inline ?? words.shift() ?? '';
    if (flag === '--load-restrictor' || flag === '--load_restrictor')
      flags.loadRestrictor = /none$/iu.test(value()) ? 'none' : 'rootOnly';
    else if (flag === '--enable-helm') flags.enableHelm = inline !== 'false';
    else if (flag === '--reorder') flags.reorder = value() === 'none' ? 'none' : 'legacy';
    else if (flag === '--helm-kube-version') flags.chartFlags = { ...flags.chartFlags, kubeVersion: value() };
    else if (flag === '--helm-api-versions') {
      const apiVersions = [...(flags.chartFlags.apiVersions ?? []), ...value().split(',')];
      flags.chartFlags = { ...flags.chartFlags, apiVersions };
    } else if (ignoredSettings.has(flag)) value();
    else if (!ignoredFlags.has(flag))
      throw new RenderError('InvalidOption', `kustomize.buildOptions: ${flag} is not supported`);
  }
  return flags;
}
