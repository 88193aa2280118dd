import type { ApplicationSource } from '@fairlead/api';
import { goJson } from '../go-json/index.ts';
import { genericVersion } from '../source/kube-version.ts';
import { type RenderContext, Variables, variablesOf } from '../source/render-context.ts';

type PluginSource = NonNullable<ApplicationSource['plugin']>;
type Parameter = NonNullable<PluginSource['parameters']>[number];

/** The environment variables of a plugin, as Argo CD sets them, in its order. */
export function pluginEnvironment(source: ApplicationSource, context: RenderContext): [name: string, value: string][] {
  const standing: [string, string][] = [
    ...Object.entries(variablesOf(source, context)),
    ['KUBE_VERSION', genericVersion(context.kubeVersion) ?? ''],
    ['KUBE_API_VERSIONS', (context.apiVersions ?? []).join(',')],
  ];
  const { plugin } = source;
  if (!plugin) return standing;
  const variables = new Variables(Object.fromEntries(standing));
  return [
    ...standing,
    ...(plugin.env ?? []).map(({ name, value }): [string, string] => [`ARGOCD_ENV_${name}`, variables.expand(value)]),
    ['ARGOCD_APP_PARAMETERS', parametersJson(plugin.parameters)],
    ...(plugin.parameters ?? []).flatMap(variablesOfParameter),
  ];
}

/** As Go prints them: keys sorted, `null` without parameters. */
const parametersJson = (parameters: PluginSource['parameters']): string =>
  parameters === undefined
    ? 'null'
    : goJson(
        parameters.map(({ name = '', string, map, array }) => ({
          name,
          ...(string === undefined ? {} : { string }),
          ...(map === undefined ? {} : { map }),
          ...(array === undefined ? {} : { array }),
        })),
      );

function variablesOfParameter({ name = '', string, map = {}, array = [] }: Parameter): [string, string][] {
  const base = `PARAM_${escaped(name)}`;
  return [
    ...(string === undefined ? [] : [[base, string] satisfies [string, string]]),
    ...Object.entries(map).map(([key, value]): [string, string] => [`${base}_${escaped(key)}`, value]),
    ...array.map((value, i): [string, string] => [`${base}_${i}`, value]),
  ];
}

const escaped = (name: string): string => name.toUpperCase().replaceAll(/[^A-Z0-9_]/gu, '_');
