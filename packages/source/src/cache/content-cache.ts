import { createReadStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sharedTask } from '../tasks/shared-task.ts';
import type { DiskBudget } from './disk-budget.ts';

/** Downloaded files, by a name that identifies their content. The least recently used are evicted. */
export class ContentCache {
  readonly #dir: string;
  readonly #disk: DiskBudget;
  readonly #share = sharedTask<void>();
  #count = 0;

  constructor(dir: string, disk: DiskBudget) {
    this.#dir = dir;
    this.#disk = disk;
  }

  /** The file, downloaded by `download` unless it is cached: that must write the complete file to the given path, or throw. */
  async open(name: string, download: (file: string) => Promise<void>): Promise<AsyncIterable<Uint8Array>> {
    const file = join(this.#dir, name);
    await this.#share(name, () => this.#bring(file, name, download));
    this.#disk.used(name);
    return createReadStream(file);
  }

  /** Removes a file that turned out to be invalid. */
  forget(name: string): Promise<void> {
    return rm(join(this.#dir, name), { force: true });
  }

  async #bring(file: string, name: string, download: (file: string) => Promise<void>): Promise<void> {
    if (await stat(file).catch(() => undefined)) return;
    await mkdir(this.#dir, { recursive: true, mode: 0o700 });
    const unfinished = `${file}.${process.pid}-${this.#count++}.new`;
    try {
      await download(unfinished);
      const { size } = await stat(unfinished);
      await rename(unfinished, file);
      this.#disk.hold(name, size);
    } finally {
      await rm(unfinished, { force: true });
    }
  }
}
