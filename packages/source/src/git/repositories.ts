import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, limits } from '@fairlead/kube';
import type { Tree } from '@fairlead/render';
import { DiskBudget } from '../cache/disk-budget.ts';
import type { RepositoryCredentials, Trust } from '../credentials/credentials.ts';
import { RepositoryTokens } from '../credentials/tokens/repository-tokens.ts';
import { HttpSession } from '../http/http-session.ts';
import { SourceError } from '../source-error.ts';
import { RepositoryBackoff } from '../tasks/repository-backoff.ts';
import { isVersionRange } from '../version-range.ts';
import { type CommitMetadata, readCommit } from './commit-metadata.ts';
import { createGit, type Git } from './git-process.ts';
import { GitRemote } from './git-remote.ts';
import { type GitUrl, parseGitUrl } from './git-url.ts';
import { History } from './history.ts';
import { type RefReceiver, readRefs } from './list-refs.ts';
import { Mirror } from './mirror.ts';
import { type GitRefs, RefNames } from './ref-names.ts';
import { isObjectId, isShortObjectId, RefScan } from './ref-scan.ts';
import { RefTracker } from './ref-tracker.ts';
import { type RefWatch, watchLocalRefs } from './ref-watch.ts';

export interface AccessOptions {
  /** The credentials of the repository: see `credentialsFor`. */
  readonly credentials?: RepositoryCredentials | undefined;
  /** The project that reads the repository: each has its own lane of fetches. */
  readonly project?: string | undefined;
}

/** Git repositories of Applications: resolves a revision to a commit, and a commit to a tree of files. */
export interface Repositories {
  /**
   * The commit that a revision resolves to: a branch, a tag, a commit (also abbreviated), HEAD, or the highest tag in a version range.
   * All callers within the poll interval share one request for refs per repository; `fresh` sends it again.
   */
  resolve(repoUrl: string, revision: string, options?: AccessOptions & { readonly fresh?: boolean }): Promise<string>;
  tree(repoUrl: string, commit: string, options?: AccessOptions): Promise<Tree>;
  /**
   * The object whose signature counts for a revision: the annotated tag that it refers to, if it points to that commit, otherwise the
   * commit. Its raw content, whose id was verified when it was fetched.
   */
  signable(repoUrl: string, revision: string, commit: string, options?: AccessOptions): Promise<Signable>;
  /** The names of all branches and tags, read from the server now. Nothing of the repository is kept. */
  refs(repoUrl: string, options?: AccessOptions): Promise<GitRefs>;
  /** Reads HEAD from the server now. Throws if that fails, or if there is no commit at HEAD. */
  test(repoUrl: string, options?: AccessOptions): Promise<void>;
  /** Reports when a ref of a repository in use has moved, detected by a watch or a poll. The returned function ends it. */
  onChange(listener: (repository: string) => void): () => void;
  /** Refreshes a repository now, for example after a push webhook. Does nothing for a repository that is not in use. */
  invalidate(repoUrl: string): Promise<void>;
  /** The normalized repoURL that `onChange` passes. */
  keyOf(repoUrl: string): string;
  /** What a commit says of itself. */
  commit(repoUrl: string, commit: string, options?: AccessOptions): Promise<CommitMetadata>;
  readonly gitProcesses: number;
  close(): void;
}

export interface Signable {
  readonly type: 'commit' | 'tag';
  readonly id: string;
  readonly content: Buffer;
}

export interface RepositoriesOptions {
  readonly cacheDir: string;
  readonly clock: Clock;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** How long the refs of a repository are cached before they are read again. */
  readonly pollMs: number;
  /** Whether Applications may refer to local directories: for a personal machine, not for a server with tenants. */
  readonly allowLocal: boolean;
  /** Whether `git://` may be used, which is neither encrypted nor authenticated. */
  readonly allowGitProtocol?: boolean;
  readonly trust?: Trust;
  /** The disk space for mirrors; 10 GiB by default. */
  readonly maxDiskBytes?: number;
  /** A `git` call that takes longer is killed. */
  readonly timeoutMs?: number;
  readonly git?: Git;
  /** Determines where a server redirects a repository to. */
  readonly http?: HttpSession;
  readonly tokens?: RepositoryTokens;
}

interface Known {
  readonly from: GitUrl;
  readonly remote: GitRemote;
  readonly refs: RefTracker;
  readonly mirror: Mirror;
  readonly history: History;
  readonly name: string;
}

const noWatch: RefWatch = { works: false, stop: () => {} };
const refusalMs = 10 * 60_000;

export function createRepositories(options: RepositoriesOptions): Repositories {
  const { cacheDir, clock, pollMs, trust = {}, allowLocal, allowGitProtocol = false } = options;
  const folders = prepareFolders(cacheDir);
  const protocols = ['http', 'https', 'ssh', ...(allowLocal ? ['file'] : []), ...(allowGitProtocol ? ['git'] : [])];
  const { environment, timeoutMs } = options;
  const git =
    options.git ??
    createGit({
      environment,
      workDir: folders.access,
      configFile: folders.config,
      protocols,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
  const http = options.http ?? new HttpSession({ clock, environment, trust });
  const tokens = options.tokens ?? new RepositoryTokens({ http, clock, environment });
  const disk = new DiskBudget({ dir: folders.mirrors, maxBytes: options.maxDiskBytes ?? limits.gitMirrorBytes, clock });
  const repositories = new Map<string, Known>();
  const listeners = new Set<(repository: string) => void>();

  function known(repoUrl: string, { credentials, project = '' }: AccessOptions): Known {
    const from = parseGitUrl(repoUrl);
    checkTransport(from, { allowLocal, allowGitProtocol });
    const identity = `${from.identity}\n${credentials?.name ?? ''}`;
    const repository = repositories.get(identity) ?? open(from, identity);
    // Keeps the map in order of use, least recently used first.
    repositories.delete(identity);
    repositories.set(identity, repository);
    const [oldest] = repositories;
    if (repositories.size > limits.gitRepositories && oldest) {
      repositories.delete(oldest[0]);
      oldest[1].refs.stop();
    }
    repository.remote.credentials = credentials;
    repository.remote.project = project;
    disk.used(repository.name);
    return repository;
  }

  function open(from: GitUrl, identity: string): Known {
    const remote = new GitRemote(git, from, { accessDir: folders.access, trust, tokens, http });
    const name = createHash('sha256').update(identity).digest('hex').slice(0, 32);
    const refs: RefTracker = new RefTracker(remote, {
      clock,
      pollMs,
      backoff: new RepositoryBackoff(clock, pollMs),
      watching:
        from.path === undefined ? Promise.resolve(noWatch) : watchLocalRefs(from.path, () => void refs.refresh()),
      changed: () => {
        for (const listener of listeners) listener(from.key);
      },
    });
    const measure = async (): Promise<void> => {
      const bytes = await mirror.bytes();
      disk.hold(name, bytes, () => mirror.drop());
      if (bytes > disk.maxBytes) await mirror.refuse(tooLarge(from, bytes, disk.maxBytes), clock.now() + refusalMs);
    };
    const mirror: Mirror = new Mirror(git, join(folders.mirrors, name), remote, {
      clock,
      fetched: () => void measure().catch(() => {}),
    });
    const history = new History(git, join(folders.mirrors, `${name}.history`), remote);
    return { from, remote, refs, mirror, history, name };
  }

  /** Reads refs without keeping the repository: its address and credentials may be those of a form that is filled in. */
  async function readOnce(repoUrl: string, access: AccessOptions, scan: RefReceiver): Promise<GitUrl> {
    const from = parseGitUrl(repoUrl);
    checkTransport(from, { allowLocal, allowGitProtocol });
    const remote = new GitRemote(git, from, { accessDir: folders.access, trust, tokens, http });
    remote.credentials = access.credentials;
    remote.project = access.project ?? '';
    try {
      await readRefs(remote, scan);
    } catch (error) {
      throw remote.explain(error);
    }
    return from;
  }

  async function expand({ history, name }: Known, short: string): Promise<string> {
    const commit = await history.expand(short);
    disk.hold(`${name}.history`, await history.bytes(), () => history.drop());
    return commit;
  }

  return {
    async resolve(repoUrl, revision, { fresh = false, ...access } = {}) {
      const repository = known(repoUrl, access);
      const name = revision.trim();
      if (isObjectId(name)) return name;
      const range = isVersionRange(name);
      if (!range) checkRevision(name);
      const found = await repository.refs.resolve(name, { fresh });
      if (found) return found.commit;
      if (isShortObjectId(name)) return expand(repository, name);
      throw new SourceError('RevisionNotFound', `${repository.from.url} has ${missing(name, range)}`);
    },
    async tree(repoUrl, commit, access = {}) {
      if (!isObjectId(commit))
        throw new SourceError('InvalidRevision', `${JSON.stringify(commit)} is not the id of a commit`);
      return known(repoUrl, access).mirror.tree(commit);
    },
    async signable(repoUrl, revision, commit, access = {}) {
      const { refs, mirror } = known(repoUrl, access);
      const name = revision.trim();
      const tag = isObjectId(name) ? undefined : (await refs.resolve(name))?.tagObject;
      if (tag) {
        const { type, content } = await mirror.object(tag);
        // Ignore a tag if the server lists another commit than the tag object contains.
        if (type === 'tag' && content.toString('latin1').startsWith(`object ${commit}\ntype commit\n`))
          return { type, id: tag, content };
      }
      return { type: 'commit', id: commit, content: (await mirror.object(commit)).content };
    },
    async refs(repoUrl, access = {}) {
      const scan = new RefNames();
      await readOnce(repoUrl, access, scan);
      return scan.names;
    },
    async test(repoUrl, access = {}) {
      const scan = new RefScan(['HEAD']);
      const { url } = await readOnce(repoUrl, access, scan);
      if (!scan.answers().get('HEAD'))
        throw new SourceError('RevisionNotFound', `${url} has ${missing('HEAD', false)}`);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async invalidate(repoUrl) {
      const { key } = parseGitUrl(repoUrl);
      const refreshes = [...repositories.values()]
        .filter(({ from }) => from.key === key)
        .map(({ refs }) => refs.refresh());
      await Promise.all(refreshes);
    },
    keyOf: (repoUrl) => parseGitUrl(repoUrl).key,
    async commit(repoUrl, commit, access = {}) {
      if (!isObjectId(commit))
        throw new SourceError('InvalidRevision', `${JSON.stringify(commit)} is not the id of a commit`);
      const { remote, mirror } = known(repoUrl, access);
      return readCommit(remote, mirror, commit);
    },
    get gitProcesses() {
      return git.started;
    },
    close() {
      for (const { refs, mirror } of repositories.values()) {
        refs.stop();
        mirror.close();
      }
      if (!options.git) git.close();
    },
  };
}

function prepareFolders(cacheDir: string): { mirrors: string; access: string; config: string } {
  const mirrors = join(cacheDir, 'mirrors');
  const access = join(cacheDir, 'access');
  const config = join(cacheDir, 'gitconfig');
  for (const dir of [cacheDir, mirrors, access]) mkdirSync(dir, { recursive: true, mode: 0o700 });
  // Files that a killed process could not remove.
  for (const name of readdirSync(access)) rmSync(join(access, name), { recursive: true, force: true });
  // git refuses a repository of another user, because of its hooks and configuration; a fetch runs neither.
  writeFileSync(config, '[safe]\n\tdirectory = *\n', { mode: 0o600 });
  return { mirrors, access, config };
}

function checkTransport({ transport, url }: GitUrl, allowed: { allowLocal: boolean; allowGitProtocol: boolean }): void {
  if (transport === 'local' && !allowed.allowLocal) {
    throw new SourceError(
      'NotSupported',
      `${url}: repositories on the controller’s own disk are not allowed here: use https://`,
    );
  }
  if (transport === 'git' && !allowed.allowGitProtocol) {
    throw new SourceError('NotSupported', `${url}: git:// is not allowed, because it is not encrypted: use https://`);
  }
}

function missing(revision: string, range: boolean): string {
  if (revision === '' || revision === 'HEAD') return 'no commit at HEAD: push one, or name a branch in targetRevision';
  return range ? `no tag in the range ${revision}` : `no branch or tag ${revision}`;
}

const tooLarge = ({ url }: GitUrl, bytes: number, limit: number): SourceError =>
  new SourceError(
    'TooLarge',
    `${url} needs ${mebibytes(bytes)} of disk space, and the limit for all repositories is ${mebibytes(limit)}`,
  );

const mebibytes = (bytes: number): string => `${Math.ceil(bytes / 1024 ** 2)} MiB`;

function checkRevision(revision: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (revision.startsWith('-') || revision.length > 1024 || /[\u0000-\u001f\u007f ~^:?*[\\]|\.\.|@\{/u.test(revision)) {
    throw new SourceError(
      'InvalidRevision',
      `targetRevision ${JSON.stringify(revision.slice(0, 200))} is not the name of a branch, tag or commit, nor a range of versions`,
    );
  }
}
