import type { Clock } from '@fairlead/kube';
import { RepeatedTask } from '../tasks/shared-task.ts';
import type { GitRemote } from './git-remote.ts';
import { parseRefList, type RefList } from './ref-list.ts';
import type { RefWatch } from './ref-watch.ts';

/** A watched repository is polled less often, only for changes that the watch may miss. */
const watchedPollFactor = 10;
/** A repository that is not used for this long is no longer polled; the next use refreshes it. */
const forgottenMs = 15 * 60_000;
/** A server that fails is left alone this long, however many Applications ask. */
const maxFailureMs = 10_000;

export interface RefTrackerOptions {
  readonly clock: Clock;
  readonly pollMs: number;
  /** Resolves before the first `ls-remote`, so that no change is lost between it and the start of the watch. */
  readonly watching: Promise<RefWatch>;
  changed(): void;
}

/**
 * The names of one repository and what they point at. One `git ls-remote` an interval serves all who ask; it goes on in the background
 * while somebody does, and tells when a name has moved.
 */
export class RefTracker {
  readonly #remote: GitRemote;
  readonly #options: RefTrackerOptions;
  readonly #refresh = new RepeatedTask(() => this.#refreshNow());
  /** Names beyond branches and tags that were asked for. */
  readonly #others = new Set<string>();
  /** The last result, and until when it is valid if no newer refresh succeeds. */
  #found: { readonly list: RefList; readonly output: string; readonly until: number } | undefined;
  #failure: { readonly error: unknown; readonly until: number } | undefined;
  #usedAt = 0;
  #cancelPoll = (): void => {};
  #stopped = false;

  constructor(remote: GitRemote, options: RefTrackerOptions) {
    this.#remote = remote;
    this.#options = options;
  }

  async list({ fresh = false, name = '' }: { fresh?: boolean; name?: string } = {}): Promise<RefList> {
    const now = this.#options.clock.now();
    this.#usedAt = now;
    if (/^refs\/(?!heads\/|tags\/)/u.test(name) && !this.#others.has(name)) {
      this.#others.add(name);
      return this.#refresh.after();
    }
    if (fresh) return this.#refresh.after();
    if (this.#found && now < this.#found.until) return this.#found.list;
    if (this.#failure && now < this.#failure.until) throw this.#failure.error;
    return this.#refresh.join();
  }

  /** Refreshes now, since a ref may have moved. A failure is reported by the next `list`. */
  async refresh(): Promise<void> {
    if (!this.#stopped) await this.#refresh.after().catch(() => {});
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelPoll();
    void this.#options.watching.then((watch) => watch.stop());
  }

  async #refreshNow(): Promise<RefList> {
    const { clock, pollMs, watching } = this.#options;
    const interval = (await watching).works ? pollMs * watchedPollFactor : pollMs;
    try {
      const output = await this.#lsRemote();
      const before = this.#found;
      const list = before?.output === output ? before.list : parseRefList(output);
      this.#found = { list, output, until: clock.now() + 2 * interval };
      this.#failure = undefined;
      if (before && before.output !== output) this.#options.changed();
      return list;
    } catch (error) {
      this.#failure = { error, until: clock.now() + Math.min(pollMs, maxFailureMs) };
      throw error;
    } finally {
      this.#schedulePoll(interval);
    }
  }

  async #lsRemote(): Promise<string> {
    const names = ['HEAD', 'refs/heads/*', 'refs/tags/*', ...this.#others];
    try {
      return await this.#remote.run(['ls-remote', '--quiet', '--symref', '--', 'origin', ...names]);
    } catch (error) {
      throw this.#remote.explain(error);
    }
  }

  #schedulePoll(ms: number): void {
    const { clock } = this.#options;
    this.#cancelPoll();
    if (this.#stopped || clock.now() - this.#usedAt > forgottenMs) return;
    this.#cancelPoll = clock.after(ms, () => void this.#refresh.join().catch(() => {}));
  }
}
