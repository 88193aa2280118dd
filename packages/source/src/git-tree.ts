import { joinPath, normalizePath, parentPath, RenderError, type Tree, type TreeEntry } from '@fairlead/render';
import { BoundedCache } from './bounded-cache.ts';
import type { GitObject } from './object-reader.ts';
import { SourceError } from './source-error.ts';

/** Objects never change under their id, so what was read once is kept, and shared by all revisions of a repository. */
export interface ObjectStore {
  folder(id: string): Promise<readonly TreeEntry[]>;
  file(id: string): Promise<Uint8Array>;
}

const maxLinks = 16;

export function createObjectStore(read: (id: string) => Promise<GitObject | undefined>): ObjectStore {
  const folders = new BoundedCache<readonly TreeEntry[]>(200_000);
  const files = new BoundedCache<Uint8Array>(32 * 1024 * 1024);
  const object = async (id: string, type: GitObject['type']): Promise<Buffer> => {
    const found = await read(id);
    if (found?.type === type) return found.content;
    throw new SourceError('ObjectMissing', `the ${type} ${id} is not in the mirror of the repository`);
  };
  return {
    async folder(id) {
      const known = folders.get(id);
      if (known) return known;
      const entries = parseTreeObject(await object(id, 'tree'), id.length / 2);
      folders.set(id, entries, entries.length + 1);
      return entries;
    },
    async file(id) {
      const known = files.get(id);
      if (known) return known;
      const content = await object(id, 'blob');
      files.set(id, content, content.length + 100);
      return content;
    },
  };
}

const types: Record<string, TreeEntry['type']> = { '40000': 'directory', '120000': 'symlink', '160000': 'submodule' };

/** A tree object: `mode name\0` and the id's bytes, again and again. */
export function parseTreeObject(content: Buffer, idBytes: number): TreeEntry[] {
  const entries: TreeEntry[] = [];
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(32, at);
    const end = content.indexOf(0, space);
    const mode = content.toString('latin1', at, space);
    const name = content.toString('utf8', space + 1, end);
    at = end + 1 + idBytes;
    entries.push({ name, type: types[mode] ?? 'file', id: content.toString('hex', end + 1, at) });
  }
  return entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** A revision's files, read from the objects: nothing is ever checked out. */
export function gitTree(store: ObjectStore, rootId: string): Tree {
  const root: TreeEntry = { name: '', type: 'directory', id: rootId };

  const find = async (path: string, links = 0): Promise<TreeEntry | undefined> => {
    let here = root;
    let at = '';
    const names = path === '' ? [] : path.split('/');
    for (const [i, name] of names.entries()) {
      if (here.type !== 'directory') return undefined;
      const entry = (await store.folder(here.id)).find((candidate) => candidate.name === name);
      if (!entry) return undefined;
      at = joinPath(at, name);
      if (entry.type !== 'symlink') {
        here = entry;
        continue;
      }
      if (links >= maxLinks) throw new RenderError('PathOutsideTree', `${path}: too many links, one after another`);
      const target = Buffer.from(await store.file(entry.id)).toString();
      return find(linked(at, target, names.slice(i + 1)), links + 1);
    }
    return here;
  };

  return {
    stat: (path) => find(normalizePath(path)),
    async list(dir) {
      const folder = await find(normalizePath(dir));
      return folder?.type === 'directory' ? store.folder(folder.id) : undefined;
    },
    async read(path) {
      const entry = await find(normalizePath(path));
      return entry?.type === 'file' ? store.file(entry.id) : undefined;
    },
  };
}

function linked(link: string, target: string, rest: readonly string[]): string {
  try {
    if (target.startsWith('/')) return normalizePath(target);
    return normalizePath([parentPath(link), target, ...rest].filter((part) => part !== '').join('/'));
  } catch {
    throw new RenderError('PathOutsideTree', `${link} is a link to ${target}, which is outside the repository`);
  }
}
