import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { ArchiveEntry } from './tar-writer.ts';

/**
 * The files and links under a folder, with their paths under `at`. Only the execute bit of the modes is kept: others depend on the umask of
 * the process that unpacked them.
 */
export function filesUnder(
  dir: string,
  at: string,
  isIncluded: (path: string) => boolean = () => true,
): ArchiveEntry[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter(isIncluded)
    .flatMap((path) => entryOf(join(dir, path), join(at, path)) ?? []);
}

/** Returns undefined for a folder and for anything that has no place in an image, such as a socket. */
export function entryOf(file: string, path: string): ArchiveEntry | undefined {
  const stats = lstatSync(file);
  if (stats.isSymbolicLink()) return { type: 'symlink', path, target: readlinkSync(file) };
  if (!stats.isFile()) return undefined;
  return { type: 'file', path, mode: stats.mode & 0o100 ? 0o755 : 0o644, content: readFileSync(file) };
}

/** Sorts entries by path and adds the folders that they are in. A path that occurs twice keeps its last entry. */
export function completeTree(entries: readonly ArchiveEntry[]): ArchiveEntry[] {
  const byPath = new Map<string, ArchiveEntry>();
  for (const entry of entries) {
    const parts = entry.path.split('/');
    for (let depth = 1; depth < parts.length; depth += 1) {
      const path = parts.slice(0, depth).join('/');
      if (!byPath.has(path)) byPath.set(path, { type: 'directory', path });
    }
    byPath.set(entry.path, entry);
  }
  return [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}
