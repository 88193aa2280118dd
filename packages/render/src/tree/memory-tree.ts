import { createHash } from 'node:crypto';
import { joinPath, normalizePath, parentPath, type Tree, type TreeEntry } from './tree.ts';

const hash = (...parts: (string | Uint8Array)[]): string => {
  const digest = createHash('sha256');
  for (const part of parts) digest.update(part);
  return digest.digest('hex');
};

/** A tree of files in memory, such as those of an unpacked archive. */
export function memoryTree(files: Readonly<Record<string, string | Uint8Array>>): Tree {
  const contents = new Map<string, Uint8Array>();
  const folders = new Map<string, Map<string, TreeEntry>>([['', new Map()]]);
  for (const [path, content] of Object.entries(files)) {
    const at = normalizePath(path);
    contents.set(at, typeof content === 'string' ? new TextEncoder().encode(content) : content);
    for (let dir = parentPath(at); !folders.has(dir); dir = parentPath(dir)) folders.set(dir, new Map());
  }
  for (const [path, content] of contents) {
    put(path, { name: path.slice(path.lastIndexOf('/') + 1), type: 'file', id: hash('file', content) });
  }
  for (const dir of [...folders.keys()].sort((a, b) => b.length - a.length)) {
    if (dir !== '') put(dir, folderEntry(dir));
  }

  function put(path: string, entry: TreeEntry): void {
    folders.get(parentPath(path))?.set(entry.name, entry);
  }
  function folderEntry(dir: string): TreeEntry {
    const lines = sorted(dir).map((entry) => `${entry.type} ${entry.id} ${entry.name}\n`);
    return { name: dir.slice(dir.lastIndexOf('/') + 1), type: 'directory', id: hash('directory', ...lines) };
  }
  function sorted(dir: string): TreeEntry[] {
    return [...(folders.get(dir)?.values() ?? [])].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  return {
    async stat(path) {
      const at = normalizePath(path);
      return at === '' ? folderEntry('') : folders.get(parentPath(at))?.get(at.slice(at.lastIndexOf('/') + 1));
    },
    async list(dir) {
      const at = normalizePath(dir);
      return folders.has(at) ? sorted(at) : undefined;
    },
    async read(path) {
      return contents.get(joinPath('', normalizePath(path)));
    },
  };
}
