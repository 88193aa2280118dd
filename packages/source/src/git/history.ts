import { SourceError } from '../source-error.ts';
import { sequential } from '../tasks/shared-task.ts';
import { isMirrorDamaged } from './git-failure.ts';
import { type Git, GitFailure } from './git-process.ts';
import type { GitRemote } from './git-remote.ts';
import { MirrorFolder } from './mirror-folder.ts';

/**
 * All commits of a repository without their files: only fetched for an abbreviated id, and separate from the mirror with single revisions.
 */
export class History {
  readonly #git: Git;
  readonly #remote: GitRemote;
  readonly #folder: MirrorFolder;
  readonly #turn = sequential();

  constructor(git: Git, path: string, remote: GitRemote) {
    this.#git = git;
    this.#remote = remote;
    this.#folder = new MirrorFolder(git, path);
  }

  /** The full id of an abbreviated commit. */
  expand(short: string): Promise<string> {
    return this.#turn(() => this.#expand(short));
  }

  drop(): Promise<void> {
    return this.#turn(() => this.#folder.remove());
  }

  bytes(): Promise<number> {
    return this.#folder.bytes();
  }

  async #expand(short: string): Promise<string> {
    await this.#folder.ensure();
    const known = await this.#find(short);
    if (known) return known;
    await this.#fetch();
    const found = await this.#find(short);
    if (found) return found;
    throw new SourceError(
      'RevisionNotFound',
      `no commit of ${this.#remote.from.url} begins with ${short}, or more than one does`,
    );
  }

  async #find(short: string): Promise<string | undefined> {
    const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${short}^{commit}`];
    try {
      return (await this.#git.run(args, { gitDir: this.#folder.path })).trim();
    } catch (error) {
      if (error instanceof GitFailure) return undefined;
      throw error;
    }
  }

  async #fetch(): Promise<void> {
    const quiet = ['--quiet', '--force', '--prune', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head'];
    const refs = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'];
    const fetch = () =>
      this.#remote.run(['fetch', ...quiet, '--filter=tree:0', '--', 'origin', ...refs], {
        gitDir: this.#folder.path,
        config: { 'remote.origin.promisor': 'true', 'remote.origin.partialclonefilter': 'tree:0' },
      });
    try {
      await fetch().catch(async (error: unknown) => {
        if (!isMirrorDamaged(error, this.#folder.path)) throw error;
        await this.#folder.remove();
        await this.#folder.ensure();
        return fetch();
      });
    } catch (error) {
      throw this.#remote.explain(error);
    }
  }
}
