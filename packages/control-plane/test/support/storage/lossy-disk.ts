import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname, join } from 'node:path';

/** A file: after a power loss it has the content of its last sync. */
interface Inode {
  synced: Buffer;
}

interface Folder {
  /** From the view of the process. */
  names: Map<string, Inode>;
  /** On disk: as of the last sync of the directory. */
  synced: Map<string, Inode>;
}

const original = { ...fs };

/**
 * A disk that loses everything that is not synced: contents of files need a sync of the file, and new names, renames and removals one of
 * the directory. It wraps `node:fs`, so it must be installed before the code under test is imported.
 */
export class LossyDisk {
  /** Syncs without effect, to check that they are needed. */
  ignores: 'nothing' | 'files' | 'folders' = 'nothing';
  readonly #folders = new Map<string, Folder>();
  readonly #open = new Map<number, { readonly path: string; readonly inode: Inode | undefined }>();

  install(): void {
    fs.openSync = ((path: string, ...rest: [string, number?]) =>
      this.#opened(String(path), original.openSync(path, ...rest))) as typeof fs.openSync;
    fs.open = ((path: string, flags: string, mode: number, done: (error: Error | null, file: number) => void) =>
      original.open(path, flags, mode, (error, file) =>
        done(error, error ? file : this.#opened(String(path), file)),
      )) as typeof fs.open;
    fs.fsyncSync = (file) => this.#sync(file);
    fs.fdatasync = ((file: number, done: (error: Error | null) => void) => {
      // With a delay like a real disk: the process continues in the meantime.
      setImmediate(() => {
        this.#sync(file);
        done(null);
      });
    }) as typeof fs.fdatasync;
    fs.renameSync = (from, to) => {
      original.renameSync(from, to);
      this.#renamed(String(from), String(to));
    };
    fs.rename = ((from: string, to: string, done: (error: Error | null) => void) => {
      fs.renameSync(from, to);
      setImmediate(() => done(null));
    }) as typeof fs.rename;
    fs.rmSync = ((path: string, options?: fs.RmOptions) => {
      original.rmSync(path, options);
      this.#folders.get(dirname(String(path)))?.names.delete(basename(String(path)));
    }) as typeof fs.rmSync;
    syncBuiltinESMExports();
  }

  /** Watches a directory, which must be empty. */
  watch(dir: string): void {
    this.#folders.set(dir, { names: new Map(), synced: new Map() });
  }

  /** Writes the remaining content of a directory after a power loss at this time. */
  losePower(dir: string, to: string): void {
    original.mkdirSync(to, { recursive: true });
    for (const [name, { synced }] of this.#folders.get(dir)?.synced ?? [])
      original.writeFileSync(join(to, name), synced);
  }

  #opened(path: string, file: number): number {
    const folder = this.#folders.get(dirname(path));
    if (folder && !folder.names.has(basename(path))) folder.names.set(basename(path), { synced: Buffer.alloc(0) });
    this.#open.set(file, { path, inode: folder?.names.get(basename(path)) });
    return file;
  }

  #sync(file: number): void {
    const known = this.#open.get(file);
    const folder = known && this.#folders.get(known.path);
    if (folder && this.ignores !== 'folders') folder.synced = new Map(folder.names);
    if (known?.inode && this.ignores !== 'files') known.inode.synced = original.readFileSync(`/proc/self/fd/${file}`);
  }

  #renamed(from: string, to: string): void {
    const folder = this.#folders.get(dirname(from));
    const inode = folder?.names.get(basename(from));
    if (!folder || !inode) return;
    folder.names.delete(basename(from));
    folder.names.set(basename(to), inode);
  }
}
