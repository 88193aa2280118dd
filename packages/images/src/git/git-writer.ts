import { elementAt } from '@fairlead/apimachinery';
import { type Clock, type Random, sleep } from '@fairlead/kube';
import type { RepositoryCredentials } from '@fairlead/source';
import { ImagesError } from '../images-error.ts';
import { asImagesError } from '../update/decide-update.ts';
import type { CommitIdentity, SigningSettings } from './fast-import.ts';
import { repositoryPath } from './repository-path.ts';
import { rollbackOf } from './rollback.ts';
import type { FileAtCommit, WriteRepositories, WriteRepository } from './write-repository.ts';

/** A change that one Application needs. */
export interface WriteJob {
  readonly repository: string;
  readonly credentials: RepositoryCredentials | undefined;
  /** The branch to read; empty or `HEAD` for the default branch of the remote. */
  readonly base: string;
  /** The branch to push to; empty for the branch that is read. */
  readonly branch: string;
  readonly application: string;
  readonly message: string;
  /**
   * Start the branch again from its base if someone has changed these files in the base since: for branches of pull requests, which would
   * conflict. A branch with commits of someone else is left as it is.
   */
  readonly isRebuilt?: boolean;
  /** The files that the edit may read; of those in one list, the first that exists. */
  readonly paths: readonly string[];
  /** New contents by path; empty if nothing changes. Called again if the branch has moved. */
  edit(read: (path: string) => string | undefined): ReadonlyMap<string, string>;
}

export type WriteOutcome =
  | { readonly kind: 'committed'; readonly commit: string; readonly base: string; readonly branch: string }
  /** `branch` has the change already. */
  | { readonly kind: 'unchanged'; readonly base: string; readonly branch: string }
  /** The change was reverted by a user. */
  | { readonly kind: 'held'; readonly reason: string };

export interface GitWriterOptions {
  readonly repositories: WriteRepositories;
  readonly clock: Clock;
  readonly random: Random;
  /** How long changes to one branch are collected before they become one commit. */
  readonly windowMs: number;
  readonly identity: CommitIdentity;
  readonly signOff?: boolean;
  readonly signing?: SigningSettings | undefined;
  readonly maxTries?: number;
}

interface Waiting {
  readonly job: WriteJob;
  resolve(outcome: WriteOutcome): void;
  reject(error: unknown): void;
}

/**
 * Writes to Git: all changes for one branch of one repository within a window are one commit. Jobs are independent: one whose files cannot
 * be edited is not in the commit, and the others are. A job is done when the server has the commit.
 */
export class GitWriter {
  readonly #options: GitWriterOptions;
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #running = new Map<string, Promise<void>>();

  constructor(options: GitWriterOptions) {
    this.#options = options;
  }

  write(job: WriteJob): Promise<WriteOutcome> {
    const key = JSON.stringify([job.repository, job.credentials?.name ?? '', job.base, job.branch]);
    return new Promise((resolve, reject) => {
      const batch = this.#waiting.get(key);
      if (batch) {
        batch.push({ job, resolve, reject });
        return;
      }
      this.#waiting.set(key, [{ job, resolve, reject }]);
      this.#options.clock.after(this.#options.windowMs, () => this.#flush(key));
    });
  }

  /** Deletes a branch on the server; one that does not exist is deleted already. */
  async deleteBranch(
    { repository, credentials }: Pick<WriteJob, 'repository' | 'credentials'>,
    branch: string,
  ): Promise<void> {
    const opened = this.#options.repositories.open(repository, credentials);
    await opened.inTurn(async () => {
      const commit = await opened.fetch(branch);
      if (commit !== undefined) await opened.push('', branch, commit);
    });
  }

  /** Resolves when nothing waits or runs. */
  async idle(): Promise<void> {
    while (this.#running.size > 0 || this.#waiting.size > 0) {
      await Promise.all(this.#running.values());
      if (this.#waiting.size > 0) await sleep(this.#options.clock, this.#options.windowMs);
    }
  }

  /** One at a time per branch: jobs that arrive during a write are part of the next. */
  #flush(key: string): void {
    const running = this.#running.get(key);
    if (running) {
      void running.then(() => this.#flush(key));
      return;
    }
    const batch = this.#waiting.get(key);
    if (!batch) return;
    this.#waiting.delete(key);
    const task = this.#commit(batch).finally(() => this.#running.delete(key));
    this.#running.set(key, task);
  }

  async #commit(batch: readonly Waiting[]): Promise<void> {
    try {
      await this.#tryCommit(batch);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  #tryCommit(batch: readonly Waiting[]): Promise<void> {
    const { repository: url, credentials } = elementAt(batch, 0).job;
    let repository: WriteRepository;
    try {
      repository = this.#options.repositories.open(url, credentials);
    } catch (error) {
      throw asImagesError(error);
    }
    return repository.inTurn(() => this.#commitTo(repository, batch));
  }

  async #commitTo(repository: WriteRepository, batch: readonly Waiting[]): Promise<void> {
    const { clock, random, maxTries = 8 } = this.#options;
    const { repository: url, base, branch } = elementAt(batch, 0).job;
    const from = await resolveBranch(base, () => repository.defaultBranch());
    const to = branch === '' ? from : branch;
    let left = [...batch];
    for (let tries = 1; ; tries++) {
      const own = await repository.fetch(to);
      const isKept = own !== undefined && !(await this.#isOutdated(repository, own, from, left));
      const tip = isKept ? own : to === from ? undefined : await repository.fetch(from);
      if (tip === undefined) throw new ImagesError('RepositoryUnavailable', `${url} has no branch ${from}`);
      const { files, done, failed } = await this.#edit(
        repository,
        { tip, base: from, branch: isKept ? to : from },
        left,
      );
      for (const [waiting, error] of failed) waiting.reject(error);
      for (const [waiting, outcome] of done) waiting.resolve(outcome);
      left = left.filter((waiting) => !failed.has(waiting) && !done.has(waiting));
      if (left.length === 0) return;
      const commit = await repository.commit(tip, files, {
        message: this.#message(left.map(({ job }) => job)),
        identity: this.#options.identity,
        at: clock.now() / 1000,
        signing: this.#options.signing,
      });
      if (await repository.push(commit, to, own)) {
        for (const { resolve } of left) resolve({ kind: 'committed', commit, base: from, branch: to });
        return;
      }
      if (tries >= maxTries)
        throw new ImagesError(
          'RepositoryUnavailable',
          `${url}: the branch ${to} was changed by concurrent pushes ${tries} times`,
        );
      await sleep(clock, 50 * 2 ** Math.min(tries, 5) * (0.5 + random()));
    }
  }

  /** Whether a branch of ours was made from other versions of its files than the base has now. */
  async #isOutdated(
    repository: WriteRepository,
    own: string,
    base: string,
    batch: readonly Waiting[],
  ): Promise<boolean> {
    if (!batch.some(({ job }) => job.isRebuilt)) return false;
    const [last, parent] = await repository.history(own);
    if (!parent || last?.email !== this.#options.identity.email) return false;
    const tip = await repository.fetch(base);
    if (tip === undefined || tip === parent.id) return false;
    const paths = [...new Set(batch.flatMap(({ job }) => safePaths(job)))];
    const [then, now] = await Promise.all([repository.read(parent.id, paths), repository.read(tip, paths)]);
    return paths.some((path) => then.get(path)?.content !== now.get(path)?.content);
  }

  /** The results of the jobs on one state of the branch; each sees the changes of the previous ones. */
  async #edit(
    repository: WriteRepository,
    { tip, base, branch }: { readonly tip: string; readonly base: string; readonly branch: string },
    batch: readonly Waiting[],
  ) {
    const paths = [...new Set(batch.flatMap(({ job }) => safePaths(job)))];
    const present = new Map(await repository.read(tip, paths));
    const files = new Map<string, FileAtCommit>();
    const done = new Map<Waiting, WriteOutcome>();
    const failed = new Map<Waiting, unknown>();
    const history = lazy(() => repository.history(tip));
    for (const waiting of batch) {
      try {
        const changes = new Map(
          Array.from(
            waiting.job.edit((path) => present.get(repositoryPath(path))?.content),
            ([path, content]) => [repositoryPath(path), content],
          ),
        );
        for (const [path, content] of changes) if (present.get(path)?.content === content) changes.delete(path);
        if (changes.size === 0) {
          done.set(waiting, { kind: 'unchanged', base, branch });
          continue;
        }
        const reason = await rollbackOf(
          repository,
          await history(),
          waiting.job,
          [...changes.keys()],
          this.#options.identity.email,
        );
        if (reason !== undefined) {
          done.set(waiting, { kind: 'held', reason });
          continue;
        }
        for (const [path, content] of changes) {
          const file = { content, mode: present.get(path)?.mode ?? '100644' };
          present.set(path, file);
          files.set(path, file);
        }
      } catch (error) {
        failed.set(waiting, error);
      }
    }
    return { files, done, failed };
  }

  #message(jobs: readonly WriteJob[]): string {
    const { identity, signOff } = this.#options;
    const [only, ...others] = jobs;
    const text = only && others.length === 0 ? only.message.trim() : combined(jobs);
    return `${text}\n${signOff ? `\nSigned-off-by: ${identity.name} <${identity.email}>\n` : ''}`;
  }
}

/** The branch to read: the remote's default branch if none or `HEAD` is configured. */
export const resolveBranch = async (branch: string, remoteDefault: () => Promise<string>): Promise<string> =>
  branch === '' || branch === 'HEAD' ? remoteDefault() : branch;

/** Skips invalid paths: each is reported by its job when the job is edited. */
function safePaths({ paths }: WriteJob): string[] {
  return paths.flatMap((path) => {
    try {
      return repositoryPath(path);
    } catch {
      return [];
    }
  });
}

function combined(jobs: readonly WriteJob[]): string {
  const names = jobs.map(({ application }) => application);
  const shown = names.length > 5 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');
  return [`build: automatic update of ${shown}`, ...new Set(jobs.map(({ message }) => message.trim()))].join('\n\n');
}

function lazy<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
