import { RenderError } from './render-error.ts';

/** What stands at a path. Two entries with the same type and id have the same content, whichever tree they are in. */
export interface TreeEntry {
  readonly name: string;
  readonly type: 'file' | 'directory' | 'symlink' | 'submodule';
  readonly id: string;
}

/**
 * Files as rendering sees them, over a Git tree, a chart archive, an OCI artifact or a folder. Paths are relative to the top, with
 * `/` between names; the top itself is `''`. Links that stay inside the tree are followed; one that leads out of it is an error.
 */
export interface Tree {
  /** What is at the path once links are followed, or undefined when nothing is. */
  stat(path: string): Promise<TreeEntry | undefined>;
  /** What a folder holds, sorted by name, links not followed; undefined when there is no such folder. */
  list(dir: string): Promise<readonly TreeEntry[] | undefined>;
  /** A file's bytes; undefined when there is no such file. */
  read(path: string): Promise<Uint8Array | undefined>;
}

/** `a/./b//../c` → `a/c`. A path that climbs out of the tree, or is absolute, is refused. */
export function normalizePath(path: string): string {
  if (path.startsWith('/'))
    throw new RenderError('PathOutsideTree', `path ${path} is absolute: give it relative to the repository`);
  if (path.includes('\0')) throw new RenderError('PathOutsideTree', 'a path may not contain a null character');
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    else if (names.pop() === undefined)
      throw new RenderError('PathOutsideTree', `path ${path} leads out of the repository`);
  }
  return names.join('/');
}

export const joinPath = (dir: string, name: string): string => (dir === '' ? name : `${dir}/${name}`);
export const parentPath = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
