import type { Dirent } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from './git-process.ts';

/** How many revisions are sent to the server as already present, so that it sends only newer objects. */
const keptRevisions = 16;

/** A bare repository on our disk. */
export class MirrorFolder {
  readonly path: string;
  readonly #git: Git;
  #ready: Promise<void> | undefined;
  #seen = false;

  constructor(git: Git, path: string) {
    this.#git = git;
    this.path = path;
  }

  /** Called at every read, so a positive result is cached until the directory is removed. */
  async exists(check: 'now' | 'before' = 'before'): Promise<boolean> {
    if (check === 'before' && this.#seen) return true;
    this.#seen = await stat(join(this.path, 'HEAD')).then(
      () => true,
      () => false,
    );
    return this.#seen;
  }

  /** Exists afterwards, without remains of an interrupted fetch. */
  ensure(objectFormat: 'sha1' | 'sha256' = 'sha1'): Promise<void> {
    this.#ready ??= this.#open(objectFormat).catch((error: unknown) => {
      this.#ready = undefined;
      throw error;
    });
    return this.#ready;
  }

  async remove(): Promise<void> {
    this.#ready = undefined;
    this.#seen = false;
    const gone = `${this.path}.gone`;
    await rm(gone, { recursive: true, force: true });
    await rename(this.path, gone).catch(() => {});
    await rm(gone, { recursive: true, force: true });
  }

  async bytes(): Promise<number> {
    let total = 0;
    for (const file of await filesBelow(this.path)) total += (await stat(file).catch(() => undefined))?.size ?? 0;
    return total;
  }

  async packs(): Promise<number> {
    const names = await readdir(join(this.path, 'objects', 'pack')).catch(() => []);
    return names.filter((name) => name.endsWith('.pack')).length;
  }

  /** Removes the refs of the least recently fetched revisions. */
  async forgetOldRevisions(): Promise<void> {
    const dir = join(this.path, 'refs', 'kept');
    const names = await readdir(dir).catch(() => []);
    if (names.length <= 2 * keptRevisions) return;
    const times = await Promise.all(
      names.map(async (name) => ({ name, at: (await stat(join(dir, name)).catch(() => undefined))?.mtimeMs ?? 0 })),
    );
    times.sort((a, b) => b.at - a.at);
    await Promise.all(times.slice(keptRevisions).map(({ name }) => rm(join(dir, name), { force: true })));
  }

  /** Created in a temporary directory and moved, so that an existing mirror is complete. */
  async #open(objectFormat: string): Promise<void> {
    if (await this.exists('now')) return this.#tidy();
    const unfinished = `${this.path}.new`;
    await rm(unfinished, { recursive: true, force: true });
    await rm(this.path, { recursive: true, force: true });
    await mkdir(unfinished, { recursive: true, mode: 0o700 });
    await this.#git.run([
      'init',
      '--quiet',
      '--bare',
      '--template=',
      `--object-format=${objectFormat}`,
      '--',
      unfinished,
    ]);
    await rename(unfinished, this.path);
  }

  async #tidy(): Promise<void> {
    for (const file of await filesBelow(this.path)) {
      if (file.endsWith('.lock') || /\/objects\/(?:pack\/)?\.?tmp_/u.test(file)) await rm(file, { force: true });
    }
  }
}

async function filesBelow(dir: string): Promise<string[]> {
  const entries: Dirent[] = await readdir(dir, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
