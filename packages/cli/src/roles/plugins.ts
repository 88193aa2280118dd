import { join } from 'node:path';
import type { Renderer } from '@fairlead/render';
import { readPlugins, withPlugins } from '@fairlead/render/plugins';
import type { RoleContext } from './role.ts';

export interface PluginOptions {
  /** The folder with config management plugins; without it, none is run. */
  readonly plugins?: string;
  readonly cacheDir: string;
}

/** A renderer that also runs the plugins of the operator. They see PATH of this process, and nothing else of its environment. */
export async function rendererWithPlugins(
  { plugins: folder, cacheDir }: PluginOptions,
  { environment, log }: Pick<RoleContext, 'environment' | 'log'>,
  renderer: Renderer,
): Promise<Renderer> {
  if (folder === undefined) return renderer;
  const path = environment.processes['PATH'] ?? '';
  const plugins = await readPlugins(folder, { folder: join(cacheDir, 'plugins'), path });
  log.info('config management plugins are on', { folder, plugins: plugins.map(({ name }) => name).join(' ') });
  return withPlugins(plugins, renderer);
}
