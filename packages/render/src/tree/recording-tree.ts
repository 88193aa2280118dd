import { createHash } from 'node:crypto';
import { RenderError } from '../render-error.ts';
import { normalizePath, type Tree, type TreeEntry } from './tree.ts';

/**
 * What a render read of a tree: exactly what its result depends on. Null means that there was nothing at the path.
 *
 * - `reads`: the id of a file's content.
 * - `lists`: a digest of a folder's names and types, not of its contents. The folder's id is kept as well, so that an unchanged
 *   folder is recognised without listing it.
 * - `stats`: the type of what is at a path.
 * - `errors`: operations that the tree rejected, with their messages: a link that leads out, a submodule that may not be read.
 */
export interface TreeRecord {
  readonly reads: ReadonlyMap<string, string | null>;
  readonly lists: ReadonlyMap<string, { readonly id: string; readonly names: string } | null>;
  readonly stats: ReadonlyMap<string, TreeEntry['type'] | null>;
  readonly errors: ReadonlyMap<string, string>;
}

type Operation = 'stat' | 'list' | 'read';

const namesOf = (entries: readonly TreeEntry[]): string => {
  const digest = createHash('sha256');
  for (const entry of entries) digest.update(`${entry.type} ${entry.name}\0`);
  return digest.digest('base64');
};

/** A tree that records every operation. `record` is complete when the render has finished. */
export function recordingTree(tree: Tree): Tree & { readonly record: TreeRecord } {
  const reads = new Map<string, string | null>();
  const lists = new Map<string, { id: string; names: string } | null>();
  const stats = new Map<string, TreeEntry['type'] | null>();
  const errors = new Map<string, string>();
  const recorded = async <T>(operation: Operation, path: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof RenderError) errors.set(`${operation} ${path}`, error.message);
      throw error;
    }
  };
  return {
    record: { reads, lists, stats, errors },
    stat: (path) =>
      recorded('stat', path, async () => {
        const entry = await tree.stat(path);
        stats.set(normalizePath(path), entry?.type ?? null);
        return entry;
      }),
    list: (dir) =>
      recorded('list', dir, async () => {
        const [entries, folder] = [await tree.list(dir), await tree.stat(dir)];
        lists.set(normalizePath(dir), entries && folder ? { id: folder.id, names: namesOf(entries) } : null);
        return entries;
      }),
    read: (path) =>
      recorded('read', path, async () => {
        const content = await tree.read(path);
        const entry = content ? await tree.stat(path) : undefined;
        reads.set(normalizePath(path), entry?.id ?? null);
        return content;
      }),
  };
}

/** Whether everything that the record names is the same in this tree, so that a render gives the same result. */
export async function isUnchangedIn(record: TreeRecord, tree: Tree): Promise<boolean> {
  try {
    return await holds(record, tree);
  } catch (error) {
    // An operation that succeeded then is rejected now.
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
    // Checked above, as a file that was read or a folder that was listed.
    if (type !== null && (record.reads.get(path) || record.lists.get(path))) continue;
    if (((await tree.stat(path))?.type ?? null) !== type) return false;
  }
  for (const [operation, message] of record.errors) if ((await errorOf(operation, tree)) !== message) return false;
  return true;
}

async function errorOf(recorded: string, tree: Tree): Promise<string | undefined> {
  const [operation, path = ''] = recorded.split(/ (.*)/su);
  try {
    if (operation === 'stat' || operation === 'list' || operation === 'read') await tree[operation](path);
    return undefined;
  } catch (error) {
    if (error instanceof RenderError) return error.message;
    throw error;
  }
}
