import type { Clock } from '@fairlead/kube';
import type { Tree, TreeEntry } from '@fairlead/render';
import { BoundedCache } from '../cache/bounded-cache.ts';
import { SourceError } from '../source-error.ts';
import { sequential, sharedTask } from '../tasks/shared-task.ts';
import { BlobFetch } from './blob-fetch.ts';
import { isMirrorDamaged, isNotThere, isTooOld } from './git-failure.ts';
import { type Git, GitFailure } from './git-process.ts';
import type { GitRemote } from './git-remote.ts';
import { gitTree, parseTreeObject } from './git-tree.ts';
import { MirrorFolder } from './mirror-folder.ts';
import { type GitObject, ObjectReader } from './object-reader.ts';

/** A mirror with more packs is recreated: that costs one fetch of one revision, while each pack slows down every object read. */
const maxPacks = 200;

const sparing = ['--depth=1', '--filter=blob:none', '--update-shallow'];
const everything = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'];

/**
 * The local copy of one repository. The directories of a revision are fetched at once, and files when they are read, with those in the same
 * directory; from a server that does not support this, everything is fetched. One fetch runs at a time, and callers that need it share it.
 *
 * The copy can always be deleted: missing or damaged objects are fetched again, from scratch if necessary.
 */
export class Mirror {
  readonly #remote: GitRemote;
  readonly #clock: Clock;
  readonly #folder: MirrorFolder;
  readonly #reader: ObjectReader;
  readonly #onFetched: () => void;
  readonly #turn = sequential();
  readonly #share = sharedTask<void>();
  readonly #blobs: BlobFetch;
  /** Commit to the id of its root tree. */
  readonly #roots = new BoundedCache<string>(10_000);
  readonly #folders = new BoundedCache<readonly TreeEntry[]>(200_000);
  readonly #files = new BoundedCache<Uint8Array>(32 * 1024 * 1024);
  /** The server does not serve single commits, or files by their id. */
  #needsEverything = false;
  #refusal: { readonly error: SourceError; readonly until: number } | undefined;

  constructor(git: Git, path: string, remote: GitRemote, { clock, fetched }: { clock: Clock; fetched: () => void }) {
    this.#remote = remote;
    this.#clock = clock;
    this.#folder = new MirrorFolder(git, path);
    this.#reader = new ObjectReader(git, path, clock);
    this.#onFetched = fetched;
    this.#blobs = new BlobFetch(git, remote, path);
  }

  async tree(commit: string): Promise<Tree> {
    const root = this.#roots.get(commit) ?? (await this.#rootOf(commit));
    await this.#entries(root, commit);
    return gitTree(
      { folder: (id) => this.#entries(id, commit), file: (id, nearby) => this.#content(id, commit, nearby) },
      root,
    );
  }

  /** A commit or an annotated tag, unchanged. */
  object(id: string): Promise<GitObject> {
    return this.#object(id, id);
  }

  bytes(): Promise<number> {
    return this.#folder.bytes();
  }

  /** Too large for the disk limit: reported to all callers until then, since each attempt would fill it again. */
  refuse(error: SourceError, until: number): Promise<void> {
    this.#refusal = { error, until };
    return this.drop();
  }

  /** Frees the disk space. Trees in use can still be read: their objects are fetched again. */
  drop(): Promise<void> {
    return this.#turn(() => this.#reset());
  }

  close(): void {
    this.#reader.close();
  }

  async #rootOf(commit: string): Promise<string> {
    const { type, content } = await this.#object(commit, commit);
    const header = content.toString('latin1', 0, 80);
    const root = type === 'commit' ? /^tree ([0-9a-f]+)$/mu.exec(header)?.[1] : undefined;
    if (root) {
      this.#roots.set(commit, root, 1);
      return root;
    }
    const target = type === 'tag' ? /^object ([0-9a-f]+)$/mu.exec(header)?.[1] : undefined;
    if (target) return this.#rootOf(target);
    throw this.#noCommit(commit);
  }

  async #entries(id: string, commit: string): Promise<readonly TreeEntry[]> {
    const known = this.#folders.get(id);
    if (known) return known;
    const entries = parseTreeObject((await this.#object(id, commit)).content, id.length / 2);
    this.#folders.set(id, entries, entries.length + 1);
    return entries;
  }

  async #content(id: string, commit: string, nearby: () => Promise<readonly string[]>): Promise<Uint8Array> {
    const known = this.#files.get(id);
    if (known) return known;
    const { content } = await this.#object(id, commit, nearby);
    this.#files.set(id, content, content.length + 100);
    return content;
  }

  async #object(
    id: string,
    commit: string,
    nearby: () => Promise<readonly string[]> = async () => [],
  ): Promise<GitObject> {
    let found = await this.#read(id);
    if (found) return found;
    await this.#fetchCommit(commit);
    if (id !== commit) {
      found = await this.#read(id);
      if (found) return found;
      await this.#fetchFiles([id, ...(await nearby())], commit);
    }
    found = await this.#read(id);
    if (found) return found;
    throw new SourceError(
      'ObjectMissing',
      `${this.#remote.from.url}: the server did not send object ${id} of commit ${commit}`,
    );
  }

  /** Also undefined if the mirror cannot be read; it is then recreated. */
  async #read(id: string): Promise<GitObject | undefined> {
    if (!(await this.#folder.exists())) return undefined;
    try {
      return await this.#reader.read(id);
    } catch (error) {
      if (error instanceof SourceError && error.reason === 'TooLarge') throw error;
      await this.#share('repair', () => this.#turn(() => this.#repair(id)));
      return undefined;
    }
  }

  /** Whether the reader was stopped by others, or the copy is damaged, is determined by another attempt. */
  async #repair(id: string): Promise<void> {
    if (!(await this.#folder.exists('now'))) return this.#reset();
    await this.#reader.read(id).catch(() => this.#reset());
  }

  async #reset(): Promise<void> {
    this.#roots.clear();
    this.#reader.close();
    await this.#folder.remove();
  }

  #fetchCommit(commit: string): Promise<void> {
    if (this.#refusal && this.#clock.now() < this.#refusal.until) return Promise.reject(this.#refusal.error);
    return this.#share(`commit ${commit}`, () => this.#turn(() => this.#bring(commit)));
  }

  async #bring(commit: string): Promise<void> {
    if (await this.#isWhole(commit)) return;
    if ((await this.#folder.packs()) > maxPacks) await this.#reset();
    try {
      await this.#fetchOnce(commit);
      if (await this.#isWhole(commit)) return this.#onFetched();
    } catch (error) {
      if (!isMirrorDamaged(error, this.#folder.path)) throw this.#explain(error, commit);
    }
    // The pack arrived but objects are missing: the mirror does not have everything that it advertised to the server.
    await this.#reset();
    try {
      await this.#fetchOnce(commit);
    } catch (error) {
      throw this.#explain(error, commit);
    }
    if (!(await this.#isWhole(commit))) throw this.#noCommit(commit);
    this.#onFetched();
  }

  async #isWhole(commit: string): Promise<boolean> {
    if (!(await this.#folder.exists())) return false;
    try {
      const object = await this.#reader.read(commit);
      const root = /^(?:tree|object) ([0-9a-f]+)$/mu.exec(object?.content.toString('latin1', 0, 80) ?? '')?.[1];
      return root !== undefined && (await this.#reader.read(root)) !== undefined;
    } catch {
      return false;
    }
  }

  async #fetchOnce(commit: string): Promise<void> {
    await this.#folder.ensure(commit.length === 64 ? 'sha256' : 'sha1');
    if (this.#needsEverything) return this.#fetch([], everything);
    try {
      await this.#fetch(sparing, [`+${commit}:refs/kept/${commit}`]);
      await this.#folder.forgetOldRevisions();
    } catch (error) {
      if (!isTooOld(error)) throw error;
      this.#needsEverything = true;
      await this.#fetch([], everything);
    }
  }

  async #fetch(options: readonly string[], refs: readonly string[]): Promise<void> {
    const quiet = ['--quiet', '--force', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head'];
    const partial = { 'remote.origin.promisor': 'true', 'remote.origin.partialclonefilter': 'blob:none' };
    await this.#remote.run(['fetch', ...quiet, ...options, '--', 'origin', ...refs], {
      gitDir: this.#folder.path,
      ...(options.length > 0 ? { config: partial } : {}),
    });
  }

  async #fetchFiles(ids: readonly string[], commit: string): Promise<void> {
    try {
      await this.#blobs.fetch(ids, this.#turn);
      this.#onFetched();
    } catch (error) {
      if (
        !(error instanceof GitFailure) ||
        !(isTooOld(error) || isNotThere(error) || isMirrorDamaged(error, this.#folder.path))
      ) {
        throw this.#remote.explain(error);
      }
      this.#needsEverything ||= !isMirrorDamaged(error, this.#folder.path);
      await this.drop();
      await this.#fetchCommit(commit);
      if (!this.#needsEverything)
        await this.#blobs.fetch(ids, this.#turn).catch((again) => {
          throw this.#remote.explain(again);
        });
    }
  }

  #explain(error: unknown, commit: string): unknown {
    return isNotThere(error) ? this.#noCommit(commit) : this.#remote.explain(error);
  }

  #noCommit(commit: string): SourceError {
    return new SourceError('RevisionNotFound', `${this.#remote.from.url} has no commit ${commit}`);
  }
}
