import type { Clock } from '@fairlead/kube';
import type { RepositoryBackoff } from '../tasks/repository-backoff.ts';
import { RepeatedTask } from '../tasks/shared-task.ts';
import type { GitRemote } from './git-remote.ts';
import { readRefs } from './list-refs.ts';
import { RefScan, type ResolvedRef } from './ref-scan.ts';
import type { RefWatch } from './ref-watch.ts';

/** A watched repository is polled less often, only for changes that the watch may miss. */
const watchedPollFactor = 10;
/** A revision or repository that is not used for this long is no longer polled; the next use refreshes it. */
const forgottenMs = 15 * 60_000;
/** The revisions of one repository that are polled: those that were used last. */
const maxRevisions = 5_000;

export interface RefTrackerOptions {
  readonly clock: Clock;
  readonly pollMs: number;
  readonly backoff: RepositoryBackoff;
  /** Resolves before the first request, so that no change is lost between it and the start of the watch. */
  readonly watching: Promise<RefWatch>;
  changed(): void;
}

/**
 * What the revisions that are asked for resolve to in one repository. One request an interval serves all who ask; it goes on in the background
 * while somebody does, and tells when a revision has moved.
 */
export class RefTracker {
  readonly #remote: GitRemote;
  readonly #options: RefTrackerOptions;
  readonly #refresh = new RepeatedTask(() => this.#refreshNow());
  /** When each revision was last asked for, the latest last. */
  readonly #used = new Map<string, number>();
  /** The last result, and until when it is valid if no newer refresh succeeds. */
  #found: { readonly answers: ReadonlyMap<string, ResolvedRef | undefined>; readonly until: number } | undefined;
  /** The server sends all refs, whichever are needed. */
  #sendsAll = false;
  #cancelPoll = (): void => {};
  #stopped = false;

  constructor(remote: GitRemote, options: RefTrackerOptions) {
    this.#remote = remote;
    this.#options = options;
  }

  /** Undefined for a revision that does not exist. */
  async resolve(revision: string, { fresh = false } = {}): Promise<ResolvedRef | undefined> {
    const { clock, backoff } = this.#options;
    const now = clock.now();
    this.#used.delete(revision);
    this.#used.set(revision, now);
    if (fresh) return this.#after(revision);
    if (this.#found && now < this.#found.until && this.#found.answers.has(revision))
      return this.#found.answers.get(revision);
    backoff.check();
    // A request under way may not include this revision.
    const answers = await this.#refresh.join();
    return answers.has(revision) ? answers.get(revision) : this.#after(revision);
  }

  /** Refreshes now, since a ref may have moved. A failure is reported by the next `resolve`. */
  async refresh(): Promise<void> {
    if (!this.#stopped) await this.#refresh.after().catch(() => {});
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelPoll();
    void this.#options.watching.then((watch) => watch.stop());
  }

  async #after(revision: string): Promise<ResolvedRef | undefined> {
    return (await this.#refresh.after()).get(revision);
  }

  async #refreshNow(): Promise<ReadonlyMap<string, ResolvedRef | undefined>> {
    const { clock, pollMs, watching, backoff } = this.#options;
    const interval = (await watching).works ? pollMs * watchedPollFactor : pollMs;
    try {
      const answers = await backoff.run(() => this.#ask());
      const before = this.#found?.answers;
      this.#found = { answers, until: clock.now() + 2 * interval };
      if (before && hasMoved(before, answers)) this.#options.changed();
      return answers;
    } finally {
      this.#schedulePoll(interval);
    }
  }

  async #ask(): Promise<ReadonlyMap<string, ResolvedRef | undefined>> {
    this.#forget();
    if (this.#used.size === 0) return new Map();
    const scan = new RefScan(this.#used.keys());
    try {
      this.#sendsAll = await readRefs(this.#remote, scan, this.#sendsAll);
    } catch (error) {
      throw this.#remote.explain(error);
    }
    return scan.answers();
  }

  #forget(): void {
    const since = this.#options.clock.now() - forgottenMs;
    for (const [revision, at] of this.#used) {
      if (this.#used.size <= maxRevisions && at >= since) return;
      this.#used.delete(revision);
    }
  }

  #schedulePoll(ms: number): void {
    const { clock } = this.#options;
    this.#cancelPoll();
    const [last = Number.NEGATIVE_INFINITY] = [...this.#used.values()].slice(-1);
    if (this.#stopped || clock.now() - last > forgottenMs) return;
    this.#cancelPoll = clock.after(ms, () => void this.#refresh.join().catch(() => {}));
  }
}

/** Whether a revision that was known resolves to something else. */
const hasMoved = (
  before: ReadonlyMap<string, ResolvedRef | undefined>,
  now: ReadonlyMap<string, ResolvedRef | undefined>,
): boolean =>
  [...now].some(
    ([revision, found]) =>
      before.has(revision) &&
      (before.get(revision)?.commit !== found?.commit || before.get(revision)?.tagObject !== found?.tagObject),
  );
