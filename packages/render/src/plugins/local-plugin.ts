import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { globMatcher } from '../glob.ts';
import type { Plugin, PluginRequest } from './plugin.ts';
import { hasDiscovery, type PluginConfig } from './plugin-config.ts';
import { pathsOf, writeFiles } from './plugin-files.ts';
import { type CommandLimits, runCommand } from './run-command.ts';

export interface LocalPluginOptions {
  /** Where folders for runs are made. */
  readonly folder: string;
  /** The PATH of its commands. */
  readonly path: string;
  readonly limits?: Partial<CommandLimits>;
}

/** A plugin whose commands run on this machine, each in a new copy of the repository that is deleted afterwards. */
export function localPlugin(config: PluginConfig, options: LocalPluginOptions): Plugin {
  const inSandbox = async <T>(
    request: PluginRequest,
    work: (run: (command: readonly string[]) => Promise<string>) => Promise<T>,
  ) => {
    await mkdir(options.folder, { recursive: true, mode: 0o700 });
    const folder = await mkdtemp(join(options.folder, `${config.name}-`));
    try {
      const [home, repository] = [join(folder, 'home'), join(folder, 'repository')];
      for (const one of [home, repository]) await mkdir(one, { mode: 0o700 });
      await writeFiles(request.tree, repository);
      const environment = { PATH: options.path, HOME: home, TMPDIR: home, ...Object.fromEntries(request.environment) };
      const where = { folder: join(repository, request.path), environment };
      return await work((command) =>
        runCommand(command, { ...where, ...(options.limits ? { limits: options.limits } : {}) }),
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
  return {
    name: config.name,
    async supports(request) {
      if (!hasDiscovery(config)) return undefined;
      const { fileName, glob, command } = config.discover;
      if (fileName !== '' || glob !== '') return hasFile(request, pathMatcher(fileName || glob));
      return inSandbox(request, async (run) => (await run(command)).replace(/\n$/u, '') !== '');
    },
    generate: (request) =>
      inSandbox(request, async (run) => {
        if (config.init.length > 0) await run(config.init);
        return [await run(config.generate)];
      }),
  };
}

async function hasFile({ tree, path }: PluginRequest, matches: (name: string) => boolean): Promise<boolean> {
  const prefix = path === '' ? '' : `${path}/`;
  for await (const file of pathsOf(tree)) {
    if (file.startsWith(prefix) && matches(file.slice(prefix.length))) return true;
  }
  return false;
}

/** `**` followed by a slash means any number of folders, also for none. */
function pathMatcher(glob: string): (path: string) => boolean {
  const matchers = [glob, glob.replaceAll('**/', '')].map((pattern) => globMatcher(pattern, '/'));
  return (path) => matchers.some((matches) => matches(path));
}
