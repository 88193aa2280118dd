import { extraValues } from '../helm/chart-values.ts';
import type { ChartOptions } from '../helm/index.ts';
import { RenderError, type RenderErrorReason } from '../render-error.ts';
import { shownPath } from './shown-path.ts';

export interface HelmFlags {
  readonly skipCrds: boolean;
  readonly skipTests: boolean;
}

/** Errors of Helm. Others are limits and rules of the render, which no command would report. */
const reasons: ReadonlySet<RenderErrorReason> = new Set([
  ...(['InvalidChart', 'InvalidValues', 'TemplateFailed', 'InvalidManifest', 'PathNotFound'] as const),
]);

/** An error of a chart with the message of Argo CD, which runs `helm template`. The command in it shows how to reproduce the error. */
export function helmFailure(error: unknown, options: ChartOptions, flags: HelmFlags): unknown {
  if (!(error instanceof RenderError) || !reasons.has(error.reason)) return error;
  const command = `\`helm ${helmArguments(options, flags).join(' ')}\` failed exit status 1`;
  const debug = error.reason === 'TemplateFailed' ? '\n\nUse --debug flag to render out invalid YAML' : '';
  const message = withShownPaths(error.message, options).trimEnd();
  return new RenderError(
    error.reason === 'InvalidManifest' ? 'InvalidChart' : error.reason,
    `failed to execute helm template command: failed running helm: ${withoutApiVersions(command)}: Error: ${message}${debug}`,
  );
}

/** The arguments of `helm template`, in the order in which Argo CD passes them. */
function helmArguments(options: ChartOptions, { skipCrds, skipTests }: HelmFlags): string[] {
  const { release, kubeVersion, parameters = [], fileParameters = [], valueFiles = [], apiVersions = [] } = options;
  const set = (force: boolean): string[] =>
    parameters
      .filter(({ forceString = false }) => forceString === force)
      .flatMap(({ name, value }) => [
        force ? '--set-string' : '--set',
        `${name}=${value.replace(/(?<!\\),/gu, '\\,')}`,
      ]);
  return [
    ...['template', '.', '--name-template', release?.name ?? ''],
    ...(release?.namespace ? ['--namespace', release.namespace] : []),
    ...(kubeVersion ? ['--kube-version', kubeVersion] : []),
    ...set(false),
    ...set(true),
    ...fileParameters.flatMap(({ name, path }) => ['--set-file', `${name}=${shownFile(path)}`]),
    ...valueFiles.flatMap((file) => ['--values', shownFile(file)]),
    ...(options.values || options.valuesObject ? ['--values', extraValues] : []),
    ...apiVersions.flatMap((version) => ['--api-versions', version]),
    ...(skipCrds ? [] : ['--include-crds']),
    ...(options.skipSchemaValidation ? ['--skip-schema-validation'] : []),
    ...(skipTests ? ['--skip-tests'] : []),
  ];
}

/** A cluster has hundreds of API versions, which would make the message unreadable. */
const withoutApiVersions = (command: string): string =>
  command.replace(/(?:--api-versions [^ ]+ )+/u, '<api versions removed> ');

/** `/…` is a path in the source, `$name/…` in another source. */
const shownFile = (path: string): string => (/^[$/]/u.test(path) ? shownPath(path.replace(/^\$?[^/]*\//u, '')) : path);

function withShownPaths(message: string, { valueFiles = [], fileParameters = [] }: ChartOptions): string {
  const files = [...valueFiles, ...fileParameters.map(({ path }) => path)];
  return files.reduce((text, file) => text.replaceAll(` ${file}:`, ` ${shownFile(file)}:`), message);
}
