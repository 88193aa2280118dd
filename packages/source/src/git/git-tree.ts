import { elementAt } from '@fairlead/apimachinery';
import { joinPath, normalizePath, RenderError, type Tree, type TreeEntry } from '@fairlead/render';
import { SourceError } from '../source-error.ts';
import { followLink, maxLinks } from '../tree/tree-links.ts';

/** The objects of one revision, by id. */
export interface TreeObjects {
  folder(id: string): Promise<readonly TreeEntry[]>;
  /** `nearby` lists other files that are likely to be read next: they are fetched together with this one. */
  file(id: string, nearby: () => Promise<readonly string[]>): Promise<Uint8Array>;
}

/** A directory with more files than this is not fetched as a whole when one of them is read. */
const maxNearby = 1_000;

const types: Record<string, TreeEntry['type']> = { '40000': 'directory', '120000': 'symlink', '160000': 'submodule' };

/** git itself writes no others, but a server may send anything. */
const isName = (name: string): boolean => name !== '' && name !== '.' && name !== '..' && !name.includes('/');

/** A tree object: a sequence of `mode name\0` and the bytes of the id. */
export function parseTreeObject(content: Buffer, idBytes: number): TreeEntry[] {
  const entries: TreeEntry[] = [];
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(32, at);
    const end = content.indexOf(0, space);
    const mode = content.toString('latin1', at, space);
    const name = content.toString('utf8', space + 1, end);
    at = end + 1 + idBytes;
    if (space < 0 || end < 0 || at > content.length || !isName(name))
      throw new SourceError(
        'InvalidArchive',
        `a directory of the repository is damaged: it contains ${JSON.stringify(name)}`,
      );
    entries.push({ name, type: types[mode] ?? 'file', id: content.toString('hex', end + 1, at) });
  }
  return entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** Entries are sorted by name, and a directory of a monorepo may have thousands. */
function entryNamed(entries: readonly TreeEntry[], name: string): TreeEntry | undefined {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (elementAt(entries, middle).name < name) low = middle + 1;
    else high = middle;
  }
  return entries[low]?.name === name ? entries[low] : undefined;
}

interface Found {
  readonly entry: TreeEntry;
  /** Its parent directory. */
  readonly folder: TreeEntry;
}

/** The files of a revision, read from the objects: nothing is ever checked out. */
export function gitTree(objects: TreeObjects, rootId: string): Tree {
  const root: TreeEntry = { name: '', type: 'directory', id: rootId };

  const find = async (path: string, links = 0): Promise<Found | undefined> => {
    let here: Found = { entry: root, folder: root };
    let at = '';
    const names = path === '' ? [] : path.split('/');
    for (const [i, name] of names.entries()) {
      if (here.entry.type !== 'directory') return undefined;
      const entry = entryNamed(await objects.folder(here.entry.id), name);
      if (!entry) return undefined;
      at = joinPath(at, name);
      if (entry.type !== 'symlink') {
        here = { entry, folder: here.entry };
        continue;
      }
      if (links >= maxLinks) throw new RenderError('PathOutsideTree', `${path}: too many links, one after another`);
      const target = Buffer.from(await objects.file(entry.id, async () => [])).toString();
      return find(followLink(at, target, names.slice(i + 1)), links + 1);
    }
    return here;
  };

  return {
    stat: async (path) => (await find(normalizePath(path)))?.entry,
    async list(dir) {
      const found = await find(normalizePath(dir));
      return found?.entry.type === 'directory' ? objects.folder(found.entry.id) : undefined;
    },
    async read(path) {
      const found = await find(normalizePath(path));
      if (found?.entry.type !== 'file') return undefined;
      return objects.file(found.entry.id, () => filesNear(objects, found.folder));
    },
  };
}

/** All files below the directory, or only its direct files if there are too many. */
async function filesNear(objects: TreeObjects, folder: TreeEntry): Promise<readonly string[]> {
  const own = (await objects.folder(folder.id)).filter(({ type }) => type === 'file').map(({ id }) => id);
  const all: string[] = [];
  const folders = [folder.id];
  for (const id of folders) {
    for (const entry of await objects.folder(id)) {
      if (entry.type === 'directory') folders.push(entry.id);
      else if (entry.type === 'file' || entry.type === 'symlink') all.push(entry.id);
    }
    if (all.length > maxNearby || folders.length > maxNearby) return own.length > maxNearby ? [] : own;
  }
  return all;
}
