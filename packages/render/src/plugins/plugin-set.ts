import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type LocalPluginOptions, localPlugin } from './local-plugin.ts';
import type { Plugin } from './plugin.ts';
import { InvalidPlugin, readPluginConfig } from './plugin-config.ts';
import { socketPlugin } from './socket-plugin.ts';

/** The plugins of a folder, sorted by name. */
export type Plugins = readonly Plugin[];

/**
 * Reads the plugins of a folder: `NAME.sock` is the socket of a sidecar, and `*.yaml` a `ConfigManagementPlugin` whose commands run on this
 * machine. Throws an InvalidPlugin that names the file.
 */
export async function readPlugins(folder: string, options: LocalPluginOptions): Promise<Plugins> {
  const names = (await readdir(folder)).sort();
  const found = await Promise.all(
    names.map(async (name): Promise<Plugin | undefined> => {
      const path = join(folder, name);
      if (name.endsWith('.sock')) return socketPlugin(name.slice(0, -'.sock'.length), path, options.limits?.timeMs);
      if (!/\.ya?ml$/u.test(name)) return undefined;
      try {
        return localPlugin(readPluginConfig(await readFile(path, 'utf8')), options);
      } catch (error) {
        throw error instanceof InvalidPlugin ? new InvalidPlugin(`${path}: ${error.message}`) : error;
      }
    }),
  );
  const plugins = found.filter((one) => one !== undefined).sort((a, b) => (a.name < b.name ? -1 : 1));
  const twice = plugins.find(({ name }, i) => plugins[i + 1]?.name === name);
  if (twice) throw new InvalidPlugin(`${folder}: there are two plugins with the name ${twice.name}`);
  return plugins;
}
