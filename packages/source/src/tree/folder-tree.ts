import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, readlink, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { textAt } from '@fairlead/apimachinery/json-at';
import { normalizePath, RenderError, type Tree, type TreeEntry } from '@fairlead/render';

/** Larger than any real manifest; a device or an endless file is not read completely. */
const maxFileBytes = 64 * 1024 * 1024;

/** A local directory as a tree. Ids are hashes of the content, so a file that was touched but not changed is the same. */
export function folderTree(root: string): Tree {
  const inside = async (path: string): Promise<string | undefined> => {
    const top = await realpath(root);
    const asked = join(top, normalizePath(path));
    let real: string;
    try {
      real = await realpath(asked);
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
    const way = relative(top, real);
    if (way === '..' || way.startsWith(`..${sep}`)) {
      throw new RenderError('PathOutsideTree', `${path} is a link that leads out of the folder`);
    }
    return real;
  };

  const entryAt = async (place: string, name: string): Promise<TreeEntry> => {
    const stats = await lstat(place);
    if (stats.isSymbolicLink()) return { name, type: 'symlink', id: hash(await readlink(place)) };
    if (stats.isDirectory()) return { name, type: 'directory', id: await folderId(place) };
    if (!stats.isFile()) throw new RenderError('InvalidManifest', `${name} is neither a file nor a folder`);
    return { name, type: 'file', id: hash(await readFile(place)) };
  };

  /** Enough to detect any change below it: type, size and modification time of each entry. */
  const folderId = async (place: string): Promise<string> => {
    const lines: string[] = [];
    for (const item of (await readdir(place)).sort()) {
      const { mode, size, mtimeMs, ino } = await lstat(join(place, item));
      lines.push(`${item} ${mode} ${size} ${mtimeMs} ${ino}`);
    }
    return hash(lines.join('\n'));
  };

  return {
    async stat(path) {
      const place = await inside(path);
      return place === undefined ? undefined : entryAt(place, normalizePath(path).split('/').at(-1) ?? '');
    },
    async list(dir) {
      const place = await inside(dir);
      if (place === undefined || !(await lstat(place)).isDirectory()) return undefined;
      const names = (await readdir(place)).sort((a, b) => (a < b ? -1 : 1));
      return Promise.all(names.map((name) => entryAt(join(place, name), name)));
    },
    async read(path) {
      const place = await inside(path);
      if (place === undefined) return undefined;
      const stats = await lstat(place);
      if (!stats.isFile()) return undefined;
      if (stats.size > maxFileBytes)
        throw new RenderError('TooLarge', `${path} has ${stats.size} bytes: ${maxFileBytes} are the most`);
      return readFile(place);
    },
  };
}

const isAbsent = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(textAt(error, 'code'));

const hash = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');
