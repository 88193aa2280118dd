import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '@fairlead/kube';
import {
  HttpSession,
  parseGitUrl,
  type RepositoryCredentials,
  RepositoryTokens,
  sequential,
  type Trust,
} from '@fairlead/source';
import {
  createGit,
  type Git,
  GitFailure,
  GitRemote,
  isMirrorDamaged,
  MirrorFolder,
  ObjectReader,
} from '@fairlead/source/git';
import { ImagesError } from '../images-error.ts';
import { type CommitSettings, fastImport } from './fast-import.ts';

export interface WriteRepositoriesOptions {
  readonly dir: string;
  readonly clock: Clock;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly trust?: Trust;
  readonly allowLocal?: boolean;
}

export interface FileAtCommit {
  readonly content: string;
  readonly mode: string;
}

/** A commit of the branch, with its changed files. */
export interface PastCommit {
  readonly id: string;
  readonly email: string;
  readonly author: string;
  readonly paths: ReadonlySet<string>;
}

/** How far back a revert is recognized, and how much history is kept. */
const depth = 50;

/** Repositories that are written to: a bare copy of each is kept, so that an update costs a small fetch and a push. */
export class WriteRepositories {
  readonly #options: WriteRepositoriesOptions;
  readonly #git: Git;
  readonly #http: HttpSession;
  readonly #tokens: RepositoryTokens;
  readonly #known = new Map<string, WriteRepository>();

  constructor(options: WriteRepositoriesOptions) {
    const { dir, environment, clock, trust, allowLocal = false } = options;
    this.#options = options;
    const protocols = ['https', 'http', 'ssh', ...(allowLocal ? ['file'] : [])];
    this.#git = createGit({ environment, workDir: dir, configFile: '/dev/null', protocols });
    this.#http = new HttpSession({ clock, environment, ...(trust ? { trust } : {}) });
    this.#tokens = new RepositoryTokens({ http: this.#http, clock, environment });
  }

  /** By credentials too: content is not shared between different credentials. */
  open(url: string, credentials: RepositoryCredentials | undefined): WriteRepository {
    const { dir, clock, trust = {}, allowLocal = false } = this.#options;
    const from = parseGitUrl(url);
    if (from.transport === 'local' && !allowLocal) {
      throw new ImagesError('InvalidTarget', `${url}: repositories on this machine are not written to`);
    }
    const key = createHash('sha256')
      .update(`${from.url}\n${credentials?.name ?? ''}`)
      .digest('hex')
      .slice(0, 32);
    let repository = this.#known.get(key);
    if (!repository) {
      const accessDir = join(dir, 'access');
      mkdirSync(accessDir, { recursive: true, mode: 0o700 });
      const remote = new GitRemote(this.#git, from, { accessDir, trust, tokens: this.#tokens });
      repository = new WriteRepository(this.#git, remote, new MirrorFolder(this.#git, join(dir, key)), clock);
      this.#known.set(key, repository);
    }
    repository.use(credentials);
    return repository;
  }

  close(): void {
    for (const repository of this.#known.values()) repository.close();
    void this.#http.close();
  }
}

/** One repository with one set of credentials. */
export class WriteRepository {
  readonly #git: Git;
  readonly #remote: GitRemote;
  readonly #folder: MirrorFolder;
  readonly #reader: ObjectReader;
  /** One at a time: fetches and commits share one copy on disk. */
  readonly inTurn = sequential();
  #fetches = 0;

  constructor(git: Git, remote: GitRemote, folder: MirrorFolder, clock: Clock) {
    this.#git = git;
    this.#remote = remote;
    this.#folder = folder;
    this.#reader = new ObjectReader(git, folder.path, clock);
  }

  use(credentials: RepositoryCredentials | undefined): void {
    this.#remote.credentials = credentials;
  }

  close(): void {
    this.#reader.close();
  }

  async defaultBranch(): Promise<string> {
    const answer = await this.#asked(() => this.#remote.run(['ls-remote', '--symref', 'origin', 'HEAD']));
    const branch = /^ref: refs\/heads\/(\S+)\tHEAD$/mu.exec(answer)?.[1];
    if (!branch) throw new ImagesError('RepositoryUnavailable', `${this.#remote.from.url} has no default branch`);
    return branch;
  }

  /** The current commit of a branch; undefined if there is no such branch. */
  async fetch(branch: string): Promise<string | undefined> {
    checkBranch(branch);
    const ref = `refs/heads/${branch}`;
    for (let again = false; ; again = true) {
      await this.#folder.ensure();
      try {
        await this.#remote.run(
          ['fetch', '--quiet', '--no-tags', '--force', `--depth=${depth}`, 'origin', `+${ref}:${ref}`],
          {
            gitDir: this.#folder.path,
          },
        );
        await this.#tidy();
        return (await this.#run(['rev-parse', '--verify', ref])).trim();
      } catch (error) {
        if (error instanceof GitFailure && /couldn't find remote ref/iu.test(error.stderr)) return undefined;
        if (again || !isMirrorDamaged(error, this.#folder.path)) throw asImagesError(this.#remote.explain(error));
        this.#reader.close();
        await this.#folder.remove();
      }
    }
  }

  /** Each fetch leaves a pack and each commit some objects: they are repacked occasionally. */
  async #tidy(): Promise<void> {
    this.#fetches += 1;
    if (this.#fetches % 100 !== 0 || (await this.#folder.packs()) < 50) return;
    this.#reader.close();
    await this.#run(['gc', '--quiet', '--prune=now']);
  }

  /** Files of a commit, without symbolic links. */
  async read(commit: string, paths: readonly string[]): Promise<ReadonlyMap<string, FileAtCommit>> {
    const found = new Map<string, FileAtCommit>();
    for (let at = 0; at < paths.length; at += 500) {
      const listed = await this.#run(['ls-tree', '-z', '--full-tree', commit, '--', ...paths.slice(at, at + 500)]);
      await Promise.all(
        listed.split('\0').flatMap((line) => {
          const [, mode, type, id = '', path = ''] = /^(\d+) (\w+) (\w+)\t(.*)$/su.exec(line) ?? [];
          if (mode === undefined || type !== 'blob') return [];
          if (mode === '120000')
            throw new ImagesError('CannotWrite', `${path} is a link, and links are not written through`);
          return this.#reader.read(id).then((object) => {
            if (object) found.set(path, { content: object.content.toString('utf8'), mode });
          });
        }),
      );
    }
    return found;
  }

  /** The commits of a branch, newest first. */
  async history(commit: string): Promise<PastCommit[]> {
    const log = await this.#run([
      'log',
      `--max-count=${depth}`,
      '--name-only',
      '-z',
      '--format=%x01%H%x02%ce%x02%cn%x02',
      commit,
    ]);
    return log
      .split('\x01')
      .slice(1)
      .map((entry) => {
        const [id = '', email = '', author = '', names = ''] = entry.split('\x02');
        return {
          id,
          email,
          author,
          paths: new Set(names.split('\0').flatMap((name) => name.replace(/^\n/u, '') || [])),
        };
      });
  }

  /** Without a parent, the commit is the first of a branch. */
  commit(
    parent: string | undefined,
    files: ReadonlyMap<string, FileAtCommit>,
    settings: CommitSettings,
  ): Promise<string> {
    return fastImport(this.#git, this.#folder.path, parent, files, settings);
  }

  /**
   * True if the server has accepted the commit as the branch, or deleted the branch if the commit is empty; false if the branch has moved.
   * Throws if the server rejects it.
   */
  async push(commit: string, branch: string, expected: string | undefined): Promise<boolean> {
    const ref = `refs/heads/${branch}`;
    try {
      await this.#remote.run(
        ['push', '--porcelain', `--force-with-lease=${ref}:${expected ?? ''}`, 'origin', `${commit}:${ref}`],
        {
          gitDir: this.#folder.path,
        },
      );
      return true;
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error;
      const said = error.stderr;
      if (
        /\[rejected\]|stale info|non-fast-forward|fetch first|cannot lock ref|failed to update ref|reference already exists/iu.test(
          said,
        )
      )
        return false;
      // The server checks the lease again, so that a late conflict looks like a rejection.
      if (/\[remote rejected\]/iu.test(said) && /incorrect old value|is at [0-9a-f]+ but expected/iu.test(said))
        return false;
      const now = await this.fetch(branch).catch(() => expected);
      if (now !== expected) return now === commit;
      throw this.#refusal(error);
    }
  }

  #refusal(error: GitFailure): ImagesError {
    const hook = error.stderr
      .split('\n')
      .flatMap((line) => /^remote:\s*(.+?)\s*$/u.exec(line)?.[1] ?? [])
      .filter((line) => !/^(?:error|fatal)?:?\s*$/iu.test(line));
    if (hook.length > 0 || /\[remote rejected\]|hook declined|protected branch/iu.test(error.stderr)) {
      const why = hook[0] ?? /\[remote rejected\].*\((.+)\)/iu.exec(error.stderr)?.[1] ?? 'it gave no reason';
      return new ImagesError('PushRefused', `${this.#remote.from.url} refused the push: ${why}`);
    }
    return asImagesError(this.#remote.explain(error));
  }

  #run(args: readonly string[]): Promise<string> {
    return this.#git.run(args, { gitDir: this.#folder.path });
  }

  async #asked<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      throw asImagesError(this.#remote.explain(error));
    }
  }
}

function asImagesError(error: unknown): ImagesError {
  if (error instanceof ImagesError) return error;
  return new ImagesError('RepositoryUnavailable', error instanceof Error ? error.message : String(error), {
    cause: error,
  });
}

const isControl = (text: string): boolean => [...text].some((letter) => letter <= ' ' || letter === '\x7f');

/** Branch names that Git would reject, or that could be mistaken for something else. */
export function checkBranch(branch: string): void {
  const bad = /[~^:?*[\\]|\.\.|@\{|\/\/|^[-/.]|\/\.|[/.]$|\.lock(?:\/|$)|^@$|^$/u.test(branch) || isControl(branch);
  if (bad) throw new ImagesError('InvalidTarget', `${JSON.stringify(branch)} is not the name of a branch`);
}
