import { createHash } from 'node:crypto';
import { joinPath, normalizePath, parentPath, RenderError, type Tree, type TreeEntry } from '@fairlead/render';
import { followLink, maxLinks } from '../tree/tree-links.ts';

export type ArchiveNode = { readonly file: Uint8Array; readonly id: string } | { readonly link: string };

const hash = (...parts: (string | Uint8Array)[]): string => {
  const digest = createHash('sha256');
  for (const part of parts) digest.update(part);
  return digest.digest('hex');
};

/** Hashed when it is read: hashing all files of an archive at once would block the process. */
export const fileNode = (file: Uint8Array): ArchiveNode => ({ file, id: hash('file', file) });

/** A tree of the content of an archive, by path. Ids are those of `memoryTree`: equal content has equal ids in all archives. */
export function archiveTree(nodes: ReadonlyMap<string, ArchiveNode>): Tree {
  const folders = new Map<string, TreeEntry[]>([['', []]]);
  for (const path of nodes.keys()) {
    for (let dir = parentPath(path); !folders.has(dir); dir = parentPath(dir)) folders.set(dir, []);
  }
  const entries = new Map<string, TreeEntry>();
  const put = (path: string, type: TreeEntry['type'], id: string): void => {
    const entry = { name: path.slice(path.lastIndexOf('/') + 1), type, id };
    entries.set(path, entry);
    if (path !== '') folders.get(parentPath(path))?.push(entry);
  };
  for (const [path, node] of nodes) {
    if ('file' in node) put(path, 'file', node.id);
    else put(path, 'symlink', hash('symlink', node.link));
  }
  const deepestFirst = [...folders].sort(([a], [b]) => depth(b) - depth(a));
  for (const [dir, list] of deepestFirst) {
    list.sort((a, b) => (a.name < b.name ? -1 : 1));
    put(dir, 'directory', hash('directory', ...list.map((entry) => `${entry.type} ${entry.id} ${entry.name}\n`)));
  }

  const find = (path: string, links = 0): string | undefined => {
    let at = '';
    const names = path === '' ? [] : path.split('/');
    for (const [i, name] of names.entries()) {
      at = joinPath(at, name);
      const node = nodes.get(at);
      if (!node || 'file' in node) continue;
      if (links >= maxLinks) throw new RenderError('PathOutsideTree', `${path}: too many links, one after another`);
      return find(followLink(at, node.link, names.slice(i + 1)), links + 1);
    }
    return at;
  };
  const resolve = (path: string): string => find(normalizePath(path)) ?? '';

  return {
    stat: async (path) => entries.get(resolve(path)),
    list: async (dir) => folders.get(resolve(dir)),
    read: async (path) => {
      const node = nodes.get(resolve(path));
      return node && 'file' in node ? node.file : undefined;
    },
  };
}

const depth = (path: string): number => (path === '' ? 0 : path.split('/').length);
