import { createHash } from 'node:crypto';
import { RenderError } from './render-error.ts';
import { normalizePath, type Tree, type TreeEntry } from './tree.ts';

/**
 * What a render looked at, and what it found there: exactly what its result depends on.
 *
 * - `reads`: a file's content, by id; null where there was none.
 * - `lists`: a folder's names and types (not what is in them: a render that wants that reads it); null where there was none.
 *   The folder's own id is kept beside, so that an untouched folder is recognised without listing it.
 * - `stats`: whether something was there, and of which type.
 * - `refusals`: what the tree would not show, and in which words: a link that leads out, a submodule that may not be read.
 */
export interface TreeRecord {
  readonly reads: ReadonlyMap<string, string | null>;
  readonly lists: ReadonlyMap<string, { readonly id: string; readonly names: string } | null>;
  readonly stats: ReadonlyMap<string, TreeEntry['type'] | null>;
  readonly refusals: ReadonlyMap<string, string>;
}

const namesOf = (entries: readonly TreeEntry[]): string => {
  const digest = createHash('sha256');
  for (const entry of entries) digest.update(`${entry.type} ${entry.name}\0`);
  return digest.digest('base64');
};

/** A tree that notes what is asked of it. `record` is complete once the render has ended. */
export function recordingTree(tree: Tree): Tree & { readonly record: TreeRecord } {
  const reads = new Map<string, string | null>();
  const lists = new Map<string, { id: string; names: string } | null>();
  const stats = new Map<string, TreeEntry['type'] | null>();
  const refusals = new Map<string, string>();
  const noting = async <T>(look: 'stat' | 'list' | 'read', path: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof RenderError) refusals.set(`${look} ${path}`, error.message);
      throw error;
    }
  };
  return {
    record: { reads, lists, stats, refusals },
    stat: (path) =>
      noting('stat', path, async () => {
        const entry = await tree.stat(path);
        stats.set(normalizePath(path), entry?.type ?? null);
        return entry;
      }),
    list: (dir) =>
      noting('list', dir, async () => {
        const [entries, folder] = [await tree.list(dir), await tree.stat(dir)];
        lists.set(normalizePath(dir), entries && folder ? { id: folder.id, names: namesOf(entries) } : null);
        return entries;
      }),
    read: (path) =>
      noting('read', path, async () => {
        const content = await tree.read(path);
        const entry = content ? await tree.stat(path) : undefined;
        reads.set(normalizePath(path), entry?.id ?? null);
        return content;
      }),
  };
}

/** Whether a render that left this record would find the same in this tree, and so give the same result. */
export async function holdsIn(record: TreeRecord, tree: Tree): Promise<boolean> {
  try {
    return await holds(record, tree);
  } catch (error) {
    // What could be looked at then cannot now.
    if (error instanceof RenderError) return false;
    throw error;
  }
}

async function holds(record: TreeRecord, tree: Tree): Promise<boolean> {
  for (const [dir, found] of record.lists) {
    const folder = await tree.stat(dir);
    if (folder?.type !== 'directory') {
      if (found !== null) return false;
      continue;
    }
    if (found?.id === folder.id) continue;
    const entries = await tree.list(dir);
    if (found === null || !entries || namesOf(entries) !== found.names) return false;
  }
  for (const [path, id] of record.reads) {
    const entry = await tree.stat(path);
    if ((entry?.type === 'file' ? entry.id : null) !== id) return false;
  }
  for (const [path, type] of record.stats) {
    // What was read or listed has just been found to be there, as what it was.
    if (type !== null && (record.reads.get(path) || record.lists.get(path))) continue;
    if (((await tree.stat(path))?.type ?? null) !== type) return false;
  }
  for (const [look, message] of record.refusals) if ((await refusalOf(look, tree)) !== message) return false;
  return true;
}

async function refusalOf(noted: string, tree: Tree): Promise<string | undefined> {
  const [look, path] = noted.split(/ (.*)/su) as ['stat' | 'list' | 'read', string];
  try {
    await tree[look](path);
    return undefined;
  } catch (error) {
    if (error instanceof RenderError) return error.message;
    throw error;
  }
}
