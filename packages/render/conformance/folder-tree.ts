import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { normalizePath, type Tree, type TreeEntry } from '../src/tree/tree.ts';

/** A local directory as a tree, for suites: ids are not content ids, and links are followed by the system. */
export function folderTree(folder: string): Tree {
  const at = (path: string): string => join(folder, normalizePath(path));
  const typeOf = (entry: Dirent): TreeEntry['type'] =>
    entry.isDirectory() ? 'directory' : entry.isSymbolicLink() ? 'symlink' : 'file';
  return {
    async stat(path) {
      const found = statSync(at(path), { throwIfNoEntry: false });
      const name = path.slice(path.lastIndexOf('/') + 1);
      return found && { name, type: found.isDirectory() ? 'directory' : 'file', id: path };
    },
    async list(dir) {
      if (!statSync(at(dir), { throwIfNoEntry: false })?.isDirectory()) return undefined;
      return readdirSync(at(dir), { withFileTypes: true })
        .map((entry) => ({ name: entry.name, type: typeOf(entry), id: `${dir}/${entry.name}` }))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    async read(path) {
      return statSync(at(path), { throwIfNoEntry: false })?.isFile() ? readFileSync(at(path)) : undefined;
    },
  };
}
