import type { InstrumentsOf } from '@fairlead/kube';
import { metricDefinitions } from '../metric-definitions.ts';
import { ApplicationMetrics } from './app-metrics.ts';
import type { RuntimeSettings } from './runtime-settings.ts';
import type { UpdateHistory } from './update-order.ts';
import type { Result, Round, UpdaterEnv } from './updater-env.ts';
import { type WatchedApplication, Watchlist } from './watched-applications.ts';

/** A started update. The slot is released early if the update waits for slow registries, or only for a commit. */
export interface StartedUpdate {
  readonly slotReleased: Promise<void>;
  readonly ended: Promise<void>;
}

/**
 * Runs updates of single Applications and keeps their history and metrics.
 *
 * - At most one update of an Application runs at a time.
 * - An update that waits for a slow registry or a shared commit does not take a slot.
 * - The history and metrics of a deleted Application are removed, also while its update still runs.
 */
export class UpdateRunner {
  readonly metrics: InstrumentsOf<typeof metricDefinitions>;
  readonly #env: UpdaterEnv;
  readonly #settings: RuntimeSettings;
  readonly #applicationMetrics: ApplicationMetrics;
  readonly #watchlist: Watchlist;
  readonly #history = new Map<string, UpdateHistory & { readonly uid: string }>();
  readonly #inFlight = new Map<string, Promise<void>>();
  readonly #cancels = new Map<string, AbortController>();
  readonly #slots = new Set<string>();
  #lastRound: number | undefined;

  constructor(env: UpdaterEnv, settings: RuntimeSettings) {
    this.#env = env;
    this.#settings = settings;
    this.#applicationMetrics = new ApplicationMetrics(env.metrics);
    this.#watchlist = new Watchlist(settings);
    this.metrics = env.metrics.create(metricDefinitions);
  }

  get history(): ReadonlyMap<string, UpdateHistory> {
    return this.#history;
  }

  get usedSlots(): number {
    return this.#slots.size;
  }

  /** When a round last ended, for the health check. */
  get lastRound(): number | undefined {
    return this.#lastRound;
  }

  isRunning(key: string): boolean {
    return this.#inFlight.has(key);
  }

  /** Ends the update of an Application that waits for registries. A commit that is being written is completed. */
  cancel(key: string): void {
    this.#cancels.get(key)?.abort();
  }

  cancelAll(): void {
    for (const key of this.#cancels.keys()) this.cancel(key);
  }

  /** Resolves when every update that runs now has ended. */
  async idle(): Promise<void> {
    await Promise.all(this.#inFlight.values());
  }

  /** The Applications that are watched now. */
  async list(): Promise<ReturnType<Watchlist['list']>> {
    const [applications, updaters] = await Promise.all([this.#env.applications(), this.#env.updaters()]);
    const listed = this.#watchlist.list(applications, updaters);
    this.#applicationMetrics.keepOnly(listed.watched);
    const present = new Map(listed.watched.map(({ key, uid }) => [key, uid]));
    for (const [key, { uid }] of this.#history) if (present.get(key) !== uid) this.#history.delete(key);
    return listed;
  }

  /** Counts Applications that were deferred by the repository cap, and clears the count of those that run now. */
  recordDeferred(deferred: readonly WatchedApplication[], scheduled: readonly WatchedApplication[]): void {
    for (const { key, uid } of deferred) {
      this.metrics.schedulerSkipped.increase({ reason: 'per-repo-cap' });
      const before = this.#history.get(key) ?? { failed: false, deferred: 0 };
      this.#history.set(key, { ...before, deferred: before.deferred + 1, uid });
    }
    for (const { key } of scheduled) {
      const before = this.#history.get(key);
      if (before?.deferred) this.#history.set(key, { ...before, deferred: 0 });
    }
  }

  /** Updates the Applications with `maxConcurrency` slots, and waits for all. An update that already runs is joined, or repeated afterwards. */
  async updateAll(
    entries: readonly WatchedApplication[],
    notBefore: number,
    ifRunning: 'join' | 'repeat',
  ): Promise<Result[]> {
    const results: Result[] = [];
    const ends: Promise<void>[] = [];
    const queue = entries.values();
    const work = async (): Promise<void> => {
      for (const entry of queue) {
        if (ifRunning === 'repeat') while (this.isRunning(entry.key)) await this.#inFlight.get(entry.key);
        const running = this.#inFlight.get(entry.key);
        if (running) ends.push(running);
        else {
          const { slotReleased, ended } = this.start(entry, notBefore, (result) => results.push(result));
          ends.push(ended);
          await slotReleased;
        }
      }
    };
    await Promise.all(Array.from({ length: this.#settings.maxConcurrency }, work));
    await Promise.all(ends);
    return results;
  }

  start(entry: WatchedApplication, notBefore: number, done: (result: Result) => void): StartedUpdate {
    const { key } = entry;
    const { promise: slotReleased, resolve } = Promise.withResolvers<void>();
    const release = (): void => {
      this.#slots.delete(key);
      resolve();
    };
    this.#slots.add(key);
    const canceled = new AbortController();
    this.#cancels.set(key, canceled);
    const ended = this.#update(entry, notBefore, release, canceled.signal, done).finally(() => {
      release();
      this.#inFlight.delete(key);
      this.#cancels.delete(key);
    });
    this.#inFlight.set(key, ended);
    return { slotReleased, ended };
  }

  async endRound(round: Round, started: number): Promise<void> {
    const { clock, log } = this.#env;
    await this.#env.report(round).catch((error: unknown) => {
      log.warn('cannot write the status of image updaters', { error: String(error) });
    });
    this.#env.prune(started - 3 * this.#settings.intervalMs);
    this.#lastRound = clock.now();
  }

  markRound(): void {
    this.#lastRound = this.#env.clock.now();
  }

  async #update(
    entry: WatchedApplication,
    notBefore: number,
    onWaiting: () => void,
    signal: AbortSignal,
    done: (result: Result) => void,
  ): Promise<void> {
    const { clock } = this.#env;
    const metrics = this.#applicationMetrics.of(entry);
    const startedAt = clock.now();
    const earlier = this.#history.get(entry.key) ?? { failed: false, deferred: 0 };
    this.#history.set(entry.key, { ...earlier, lastAttempt: startedAt, uid: entry.uid });
    metrics.attempted(startedAt);
    metrics.watched(entry.plan?.rules.length ?? 0);
    const report = await this.#env.update(entry, notBefore, onWaiting, signal);
    const endedAt = clock.now();
    const { considered, skipped, updated, problems, requeueAfter } = report;
    metrics.ended({ considered, skipped, updated: updated.length, errors: problems.length, startedAt, endedAt });
    const history = this.#history.get(entry.key);
    // The Application may have been deleted or replaced meanwhile.
    if (history?.uid === entry.uid) {
      const failed = problems.length > 0;
      const success = failed ? {} : { lastSuccess: endedAt };
      const requeue =
        requeueAfter === undefined ? {} : { lastAttempt: endedAt - this.#settings.intervalMs + requeueAfter };
      this.#history.set(entry.key, { ...history, ...success, ...requeue, failed });
    }
    done({ entry, report });
  }
}
