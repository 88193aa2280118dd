import { readdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

let folders: readonly string[] | undefined;

/** The directories that a sandbox may read: our packages and their dependencies. */
export function readableFolders(): readonly string[] {
  folders ??= findFolders(dirname(fileURLToPath(import.meta.url)));
  return folders;
}

function findFolders(from: string): readonly string[] {
  for (let dir = from; dirname(dir) !== dir; dir = dirname(dir)) {
    const modules = join(dir, 'node_modules');
    const packages = namesIn(join(modules, '@fairlead')).map((name) => realpathSync(join(modules, '@fairlead', name)));
    if (packages.length > 0)
      return [join(dir, 'package.json'), `${modules}/*`, ...packages.map((folder) => `${folder}/*`)];
  }
  throw new Error(`no node_modules with the packages of Fairlead above ${from}`);
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}
