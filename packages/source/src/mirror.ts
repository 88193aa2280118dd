import { createHash } from 'node:crypto';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@fairlead/kube';
import type { Git } from './git-process.ts';
import { createObjectStore, type ObjectStore } from './git-tree.ts';
import type { GitUrl } from './git-url.ts';
import { type GitObject, ObjectReader } from './object-reader.ts';
import { sharedTask } from './shared-task.ts';
import { SourceError } from './source-error.ts';

/** A bare copy of one repository under the cache folder. One fetch runs at a time; who needs one meanwhile waits for the next. */
export class Mirror {
  readonly objects: ObjectStore;
  readonly #git: Git;
  readonly #from: GitUrl;
  readonly #dir: string;
  readonly #reader: ObjectReader;
  readonly #task = sharedTask<void>();

  constructor(git: Git, cacheDir: string, from: GitUrl, clock: Clock) {
    this.#git = git;
    this.#from = from;
    this.#dir = join(cacheDir, createHash('sha256').update(from.key).digest('hex').slice(0, 32));
    this.#reader = new ObjectReader(git, this.#dir, clock);
    this.objects = createObjectStore((id) => this.#reader.read(id));
  }

  /** Brings a commit here unless it is here, and gives the id of its tree. */
  async rootOf(commit: string): Promise<string> {
    await this.#task('create', () => this.#create());
    let object = await this.#reader.read(commit);
    if (!object) {
      await this.#fetchFor(commit);
      object = await this.#reader.read(commit);
    }
    return treeOf(object, commit) ?? this.#peel(object, commit);
  }

  /** The whole id of a commit of which the beginning was given. */
  async expand(short: string): Promise<string> {
    await this.#task('create', () => this.#create());
    const find = (): Promise<string> =>
      this.#git.run(['rev-parse', '--verify', '--quiet', '--end-of-options', `${short}^{commit}`], { cwd: this.#dir });
    try {
      return (await find()).trim();
    } catch {
      await this.#fetchAll();
    }
    try {
      return (await find()).trim();
    } catch {
      throw new SourceError('RevisionNotFound', `no commit of ${this.#from.url} begins with ${short}`);
    }
  }

  close(): void {
    this.#reader.close();
  }

  async #peel(object: GitObject | undefined, commit: string): Promise<string> {
    const target = object?.type === 'tag' ? /^object ([0-9a-f]+)$/mu.exec(object.content.toString())?.[1] : undefined;
    if (target) return this.rootOf(target);
    throw new SourceError('RevisionNotFound', `${this.#from.url} has no commit ${commit}`);
  }

  /** Made beside and moved into place, so that a mirror that exists is a whole one. */
  async #create(): Promise<void> {
    if (await stat(join(this.#dir, 'HEAD')).catch(() => undefined)) return;
    const unfinished = `${this.#dir}.new`;
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { recursive: true, mode: 0o700 });
    await this.#git.run(['init', '--quiet', '--bare', '--template=', '--', unfinished]);
    await rename(unfinished, this.#dir);
  }

  async #fetchFor(commit: string): Promise<void> {
    // A fetch that was under way when we asked may have begun before the commit was there: its followers look, and ask once more.
    await this.#fetchAll();
    if (await this.#reader.read(commit)) return;
    await this.#fetchAll();
    if (await this.#reader.read(commit)) return;
    await this.#task(`fetch ${commit}`, () => this.#fetch([commit])).catch(() => {
      throw new SourceError('RevisionNotFound', `${this.#from.url} has no commit ${commit}`);
    });
  }

  #fetchAll(): Promise<void> {
    return this.#task('fetch', () => this.#fetch(['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*']));
  }

  async #fetch(refs: readonly string[]): Promise<void> {
    const args = [
      'fetch',
      '--quiet',
      '--force',
      '--prune',
      '--no-tags',
      '--no-recurse-submodules',
      '--no-write-fetch-head',
      '--',
      this.#from.url,
      ...refs,
    ];
    try {
      await this.#git.run(args, { cwd: this.#dir });
    } catch (error) {
      throw error instanceof SourceError ? new SourceError(error.reason, `${this.#from.url}: ${error.message}`) : error;
    }
  }
}

const treeOf = (object: GitObject | undefined, commit: string): string | undefined =>
  object?.type === 'commit' ? object.content.toString('latin1', 5, 5 + commit.length) : undefined;
