import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '@fairlead/kube';
import type { Tree } from '@fairlead/render';
import { createGit, type Git } from './git-process.ts';
import { gitTree } from './git-tree.ts';
import { type GitUrl, parseGitUrl } from './git-url.ts';
import { Mirror } from './mirror.ts';
import { findRef, isObjectId, isShortObjectId, parseRefList, type RefList } from './ref-list.ts';
import { type RefWatch, watchLocalRefs } from './ref-watch.ts';
import { sharedTask } from './shared-task.ts';
import { SourceError } from './source-error.ts';

/** Git repositories as Applications see them: a revision's name becomes a commit, a commit becomes a tree of files. */
export interface Repositories {
  /**
   * The commit that a revision stands for. All who ask for names of one repository within the interval share one look at it;
   * `fresh` looks again.
   */
  resolve(repoUrl: string, revision: string, options?: { readonly fresh?: boolean }): Promise<string>;
  tree(repoUrl: string, commit: string): Promise<Tree>;
  /** Tells when a name of a repository in use has moved, as seen by a watch or a poll. The function returned ends it. */
  onChange(listener: (repository: string) => void): () => void;
  /** The one form of a repoURL by which `onChange` speaks of it. */
  keyOf(repoUrl: string): string;
  readonly gitProcesses: number;
  close(): void;
}

export interface RepositoriesOptions {
  readonly cacheDir: string;
  readonly clock: Clock;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** How long names of a repository are believed before they are looked at again. */
  readonly pollMs: number;
  /** Whether Applications may name folders of this machine: for one's own machine, not for a server with tenants. */
  readonly allowLocal: boolean;
  readonly git?: Git;
}

interface Known {
  readonly from: GitUrl;
  readonly mirror: Mirror;
  /** What was found, and until when it is believed though no newer look succeeded. */
  refs?: { readonly list: RefList; readonly until: number };
  usedAt: number;
  /** Ready before the first look, so that no change falls between the look and the watch. */
  readonly watching: Promise<RefWatch>;
  cancelPoll(): void;
}

const noWatch: RefWatch = { works: false, stop: () => {} };
/** A repository that is watched is looked at less often: only for what the watch may miss. */
const watchedPollFactor = 10;
/** A repository that nobody asked for this long is no longer polled; the next who asks looks anew. */
const forgottenMs = 15 * 60_000;

export function createRepositories(options: RepositoriesOptions): Repositories {
  const { cacheDir, clock, pollMs } = options;
  mkdirSync(cacheDir, { recursive: true, mode: 0o700 });
  const configFile = join(cacheDir, 'gitconfig');
  // A repository of another user is refused by git, to protect from its hooks and configuration; fetching from it runs neither.
  writeFileSync(configFile, '[safe]\n\tdirectory = *\n', { mode: 0o600 });
  const git = options.git ?? createGit({ environment: options.environment, configFile });
  const repositories = new Map<string, Known>();
  const listeners = new Set<(repository: string) => void>();
  const look = sharedTask<RefList>();
  let closed = false;

  function known(repoUrl: string): Known {
    const from = parseGitUrl(repoUrl);
    if (from.path !== undefined && !options.allowLocal) {
      throw new SourceError(
        'NotSupported',
        `${repoUrl}: repositories on the controller’s own disk are not allowed here: use https://`,
      );
    }
    let repository = repositories.get(from.key);
    if (!repository) {
      repository = {
        from,
        usedAt: 0,
        mirror: new Mirror(git, cacheDir, from, clock),
        watching:
          from.path === undefined ? Promise.resolve(noWatch) : watchLocalRefs(from.path, () => noticed(from.key)),
        cancelPoll: () => {},
      };
      repositories.set(from.key, repository);
    }
    repository.usedAt = clock.now();
    return repository;
  }

  function noticed(key: string): void {
    const repository = repositories.get(key);
    // What is wrong with the repository is said to whoever asks for it next.
    if (repository && !closed) refresh(repository).catch(() => {});
  }

  async function refresh(repository: Known): Promise<RefList> {
    const { from } = repository;
    return look(from.key, async () => {
      const { works } = await repository.watching;
      const list = parseRefList(await listRemote(git, from));
      const before = repository.refs?.list;
      const interval = works ? pollMs * watchedPollFactor : pollMs;
      repository.refs = { list, until: clock.now() + 2 * interval };
      schedulePoll(repository, interval);
      if (before && !sameRefs(before, list)) for (const listener of listeners) listener(from.key);
      return list;
    });
  }

  function schedulePoll(repository: Known, ms: number): void {
    repository.cancelPoll();
    if (closed || clock.now() - repository.usedAt > forgottenMs) return;
    repository.cancelPoll = clock.after(ms, () => {
      refresh(repository).catch(() => schedulePoll(repository, ms));
    });
  }

  async function refsOf(repository: Known, fresh: boolean): Promise<RefList> {
    const { refs } = repository;
    if (refs && !fresh && clock.now() < refs.until) return refs.list;
    return refresh(repository);
  }

  return {
    async resolve(repoUrl, revision, { fresh = false } = {}) {
      checkRevision(revision);
      const repository = known(repoUrl);
      if (isObjectId(revision)) return revision;
      const commit = findRef(await refsOf(repository, fresh), revision);
      if (commit) return commit;
      if (isShortObjectId(revision)) return repository.mirror.expand(revision);
      const what = revision === '' || revision === 'HEAD' ? 'no commit yet' : `no branch or tag ${revision}`;
      throw new SourceError('RevisionNotFound', `${repository.from.url} has ${what}`);
    },
    async tree(repoUrl, commit) {
      const { mirror } = known(repoUrl);
      return gitTree(mirror.objects, await mirror.rootOf(commit));
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    keyOf: (repoUrl) => parseGitUrl(repoUrl).key,
    get gitProcesses() {
      return git.started;
    },
    close() {
      closed = true;
      for (const repository of repositories.values()) {
        repository.cancelPoll();
        void repository.watching.then((watch) => watch.stop());
        repository.mirror.close();
      }
    },
  };
}

async function listRemote(git: Git, { url }: GitUrl): Promise<string> {
  try {
    return await git.run(['ls-remote', '--quiet', '--symref', '--', url, 'HEAD', 'refs/heads/*', 'refs/tags/*']);
  } catch (error) {
    throw error instanceof SourceError && error.reason === 'RepositoryUnavailable'
      ? new SourceError(error.reason, `${url}: ${error.message}`)
      : error;
  }
}

function checkRevision(revision: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (revision.startsWith('-') || /[\u0000-\u001f\u007f ~^:?*[\\]|\.\./u.test(revision)) {
    const isRange = /^[\^~<>=v\d][\d.\sxX*<>=^~|,v-]*$/u.test(revision) && !revision.startsWith('-');
    if (isRange)
      throw new SourceError(
        'NotSupported',
        `targetRevision ${revision}: version ranges are not supported yet: name a branch, tag or commit`,
      );
    throw new SourceError(
      'InvalidRevision',
      `targetRevision ${JSON.stringify(revision)} is not the name of a branch, tag or commit`,
    );
  }
}

function sameRefs(a: RefList, b: RefList): boolean {
  if (a.head?.commit !== b.head?.commit || a.refs.size !== b.refs.size) return false;
  for (const [name, commit] of a.refs) if (b.refs.get(name) !== commit) return false;
  return true;
}
