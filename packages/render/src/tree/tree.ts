import { RenderError } from '../render-error.ts';

/** One entry of a tree. Entries with the same type and id have the same content, in any tree. */
export interface TreeEntry {
  readonly name: string;
  readonly type: 'file' | 'directory' | 'symlink' | 'submodule';
  readonly id: string;
}

/**
 * The files of a source at a revision: a Git tree, a chart archive, an OCI artifact or a folder. Paths are relative to the root,
 * separated by `/`; the root is `''`. Links inside the tree are followed; a link that leads out of it is an error.
 */
export interface Tree {
  /** The entry at a path, links followed. Undefined if there is none. */
  stat(path: string): Promise<TreeEntry | undefined>;
  /** The entries of a folder, sorted by name, links not followed. Undefined if there is no such folder. */
  list(dir: string): Promise<readonly TreeEntry[] | undefined>;
  /** A file's content. Undefined if there is no such file. */
  read(path: string): Promise<Uint8Array | undefined>;
}

/** `a/./b//../c` → `a/c`. Throws if the path is absolute or leads out of the tree. */
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
