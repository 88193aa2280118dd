import type { Git } from './git-process.ts';
import type { GitRemote } from './git-remote.ts';

/** Fetches files by their ids. Requests during a fetch are combined into one next fetch. */
export class BlobFetch {
  readonly #git: Git;
  readonly #remote: GitRemote;
  readonly #gitDir: string;
  #pending = new Set<string>();
  #next: Promise<void> | undefined;

  constructor(git: Git, remote: GitRemote, gitDir: string) {
    this.#git = git;
    this.#remote = remote;
    this.#gitDir = gitDir;
  }

  fetch(ids: readonly string[], turn: (run: () => Promise<void>) => Promise<void>): Promise<void> {
    for (const id of ids) this.#pending.add(id);
    this.#next ??= turn(() => {
      const pending = this.#pending;
      this.#pending = new Set();
      this.#next = undefined;
      return this.#fetchMissing(pending);
    });
    return this.#next;
  }

  async #fetchMissing(pending: ReadonlySet<string>): Promise<void> {
    const input = `${[...pending].join('\n')}\n`;
    const known = await this.#git.run(['cat-file', '--batch-check'], { gitDir: this.#gitDir, input });
    const missing = Array.from(known.matchAll(/^([0-9a-f]+) missing$/gmu), ([, id = '']) => id);
    if (missing.length === 0) return;
    const quiet = ['--quiet', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head'];
    await this.#remote.run(['fetch', ...quiet, '--filter=blob:none', '--stdin', '--', 'origin'], {
      gitDir: this.#gitDir,
      input: `${missing.join('\n')}\n`,
      config: {
        'remote.origin.promisor': 'true',
        'remote.origin.partialclonefilter': 'blob:none',
        'fetch.negotiationAlgorithm': 'noop',
      },
    });
  }
}
