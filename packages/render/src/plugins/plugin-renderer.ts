import type { ApplicationSource } from '@fairlead/api';
import { messageOf } from '@fairlead/apimachinery';
import { limits } from '@fairlead/kube/limits';
import { RenderError } from '../render-error.ts';
import { parseManifests } from '../source/manifest-file.ts';
import { variablesOf } from '../source/render-context.ts';
import { InputRecorder, type RenderInputs } from '../source/render-inputs.ts';
import { type Rendered, type Renderer, sourceFolder } from '../source/render-source.ts';
import type { TreeRecord } from '../tree/recording-tree.ts';
import { ProjectSlots } from '../workers/project-slots.ts';
import type { Plugin, PluginRequest } from './plugin.ts';
import { pluginEnvironment } from './plugin-environment.ts';
import type { Plugins } from './plugin-set.ts';

/**
 * Renders with plugins the sources that name one, and those without an explicit type that one supports; all others as before. Each project has
 * a few runs at a time, so that plugins that hang delay only sources of the same project.
 */
export function withPlugins(plugins: Plugins, renderer: Renderer): Renderer {
  const slots = new ProjectSlots(limits.pluginRunsPerProject);
  return async (source, tree, context = {}) => {
    if (!mayUsePlugin(source)) return renderer(source, tree, context);
    const recorder = new InputRecorder(source, tree, context);
    const run = () => renderByPlugin(plugins, source, recorder);
    const rendered = await slots.run(context.project ?? '', run).catch((error: unknown) => {
      throw recorder.readError ?? error;
    });
    return rendered ?? withInputs(await renderer(source, tree, context), recorder.inputs);
  };
}

/** Undefined if no plugin supports the source. */
async function renderByPlugin(
  plugins: Plugins,
  source: ApplicationSource,
  recorder: InputRecorder,
): Promise<Rendered | undefined> {
  const { tree, context, variables } = recorder;
  const path = await sourceFolder(source, tree);
  const request = { tree, path, environment: pluginEnvironment(source, context) };
  const plugin = await find(plugins, source, request);
  if (!plugin) return undefined;
  // The environment has all variables: the output may depend on each of them, and on the cluster.
  for (const name of Object.keys(variablesOf(source, context))) variables.expand(`$${name}`);
  recorder.usesCluster = true;
  const texts = await generate(plugin, request);
  const manifests = texts.flatMap((text) => parseManifests(`${plugin.name}.yaml`, text));
  if (manifests.length > limits.renderObjects) {
    const found = `the plugin ${plugin.name} prints ${manifests.length} objects`;
    throw new RenderError('TooLarge', `${found}, and the limit is ${limits.renderObjects}`);
  }
  return { type: 'Plugin', manifests, deterministic: true, nondeterministic: [], ...recorder.inputs };
}

const mayUsePlugin = ({ plugin, helm, kustomize, directory, chart }: ApplicationSource): boolean =>
  !chart && !helm && !kustomize && !directory ? true : plugin !== undefined;

async function find(plugins: Plugins, source: ApplicationSource, request: PluginRequest): Promise<Plugin | undefined> {
  const name = source.plugin?.name ?? '';
  if (name !== '') {
    const named = plugins.find((one) => one.name === name);
    const problem = `could not find cmp-server plugin with name ${JSON.stringify(name)} supporting the given repository`;
    if (!named) throw new RenderError('Unsupported', `${problem}: ${known(plugins)}`);
    // A plugin without discovery is used wherever it is named.
    if ((await supports(named, request)) === false) throw new RenderError('Unsupported', problem);
    return named;
  }
  for (const plugin of plugins) if ((await supports(plugin, request)) === true) return plugin;
  if (source.plugin) {
    throw new RenderError('Unsupported', `could not find plugin supporting the given repository: ${known(plugins)}`);
  }
  return undefined;
}

const known = (plugins: Plugins): string =>
  plugins.length === 0 ? 'no plugin is installed' : `the plugins are ${plugins.map(({ name }) => name).join(', ')}`;

async function supports(plugin: Plugin, request: PluginRequest): Promise<boolean | undefined> {
  try {
    return await plugin.supports(request);
  } catch (error) {
    throw explained(error, `error checking repository support for plugin ${plugin.name}`);
  }
}

async function generate(plugin: Plugin, request: PluginRequest): Promise<readonly string[]> {
  try {
    return await plugin.generate(request);
  } catch (error) {
    throw explained(error, 'error generating manifests in cmp');
  }
}

const explained = (error: unknown, what: string): unknown =>
  error instanceof RenderError ? new RenderError(error.reason, `${what}: ${messageOf(error)}`) : error;

/** A render also depends on what was read to find out that no plugin supports the source. */
function withInputs(rendered: Rendered, asked: RenderInputs): Rendered {
  return { ...rendered, record: union(asked.record, rendered.record) };
}

const union = (a: TreeRecord, b: TreeRecord): TreeRecord => ({
  reads: new Map([...a.reads, ...b.reads]),
  lists: new Map([...a.lists, ...b.lists]),
  stats: new Map([...a.stats, ...b.stats]),
  errors: new Map([...a.errors, ...b.errors]),
});
