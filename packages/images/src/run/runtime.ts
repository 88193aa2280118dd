import { type InstrumentsOf, sleep } from '@fairlead/kube';
import { metricDefinitions } from '../metric-definitions.ts';
import { concerns } from '../webhook/dispatch.ts';
import type { ImageEvent } from '../webhook/event.ts';
import { ApplicationMetrics } from './app-metrics.ts';
import { defaultRuntimeSettings, type RuntimeSettings } from './runtime-settings.ts';
import type { Result, Round, RuntimeWorld } from './runtime-world.ts';
import { nextToRun, type Past } from './schedule.ts';
import { type Watched, Watchlist } from './watched.ts';

/** The updater's clockwork: who is looked at when. What a look does is not its matter. */
export class Runtime {
  readonly #world: RuntimeWorld;
  readonly #settings: RuntimeSettings;
  readonly #applicationMetrics: ApplicationMetrics;
  readonly #watchlist: Watchlist;
  readonly #metrics: InstrumentsOf<typeof metricDefinitions>;
  readonly #past = new Map<string, Past & { readonly uid: string }>();
  /** Who is looked at now: never the same Application twice at once. */
  readonly #inFlight = new Map<string, Promise<void>>();
  /** Those of them that have a place; the others wait to be written. */
  readonly #placed = new Set<string>();
  /** Continuous mode: who is due and has no place yet, what has ended since the last tick, and how many of a repository are under way. */
  #due: Iterator<Watched, undefined> = [].values();
  readonly #finished: Result[] = [];
  readonly #busy = new Map<string, number>();
  #warm: Promise<void> | undefined;
  #lastRound: number | undefined;

  constructor(world: RuntimeWorld, settings: Partial<RuntimeSettings> = {}) {
    this.#world = world;
    this.#settings = { ...defaultRuntimeSettings, ...settings };
    this.#applicationMetrics = new ApplicationMetrics(world.metrics);
    this.#watchlist = new Watchlist(this.#settings);
    this.#metrics = world.metrics.create(metricDefinitions);
  }

  /** When a round last ended, for the health check. */
  get lastRound(): number | undefined {
    return this.#lastRound;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { mode, intervalMs, tickMs } = this.#settings;
    const { clock, log } = this.#world;
    while (!signal.aborted) {
      try {
        if (mode === 'cycle') await this.cycle();
        else await this.tick();
      } catch (error) {
        log.error('a round of the image updater failed', {
          error: error instanceof Error ? error.message : String(error),
        });
      }
      await sleep(clock, mode === 'cycle' ? intervalMs : tickMs, signal).catch(() => {});
    }
    this.#due = [].values();
    await Promise.all(this.#inFlight.values());
  }

  /** Everybody once, and the end of all of it is waited for. */
  async cycle(): Promise<readonly Result[]> {
    const { clock } = this.#world;
    const started = clock.now();
    const { watched, broken } = await this.#list();
    await this.#warmUp(watched);
    const order = nextToRun(watched, this.#past, { ...this.#settings, now: started });
    this.#noteDeferred(
      order.deferred.map(({ entry }) => entry),
      order.turn,
    );
    const notBefore = clock.now();
    const results: Result[] = [];
    const ends: Promise<void>[] = [];
    const waiting = order.turn.values();
    const work = async (): Promise<void> => {
      for (const entry of waiting) {
        // One that a webhook began is looked at already.
        const running = this.#inFlight.get(entry.key);
        if (running) ends.push(running);
        else {
          const { placed, ended } = this.#lookAt(entry, notBefore, (result) => results.push(result));
          ends.push(ended);
          await placed;
        }
      }
    };
    await Promise.all(Array.from({ length: this.#settings.maxConcurrency }, work));
    await Promise.all(ends);
    await this.#ended({ results, watched, broken }, started);
    this.#metrics.cycleDuration.observe({}, (clock.now() - started) / 1000);
    return results;
  }

  /** Begins with everybody whose time has come and who is not under way. Nobody waits for another. */
  async tick(): Promise<void> {
    const { clock } = this.#world;
    const now = clock.now();
    const { watched, broken } = await this.#list();
    if (this.#settings.warmUp && !this.#warm && watched.length > 0) void this.#warmUp(watched);
    if (this.#warm && !(await settled(this.#warm))) return;
    const finished = this.#finished.splice(0);
    if (finished.length > 0 || broken.size > 0) void this.#ended({ results: finished, watched, broken }, now);
    const due = watched.filter(({ key }) => {
      const last = this.#past.get(key)?.lastAttempt;
      return !this.#inFlight.has(key) && (last === undefined || now - last >= this.#settings.intervalMs);
    });
    this.#due = nextToRun(due, this.#past, { ...this.#settings, perRepositoryCap: 0, now }).turn.values();
    this.#begin();
    this.#lastRound = clock.now();
  }

  /** Gives free places to those whose time has come, and again whenever one becomes free: nobody waits for the next tick. */
  #begin(): void {
    const { maxConcurrency, perRepositoryCap, intervalMs } = this.#settings;
    while (this.#placed.size < maxConcurrency) {
      const { value: entry, done } = this.#due.next();
      if (done || !entry) return;
      if (this.#inFlight.has(entry.key)) continue;
      if (perRepositoryCap > 0 && (this.#busy.get(entry.repository) ?? 0) >= perRepositoryCap) {
        this.#metrics.schedulerSkipped.increase({ reason: 'per-repo-cap' });
        continue;
      }
      this.#count(entry.repository, 1);
      // An answer from within this interval is shared by all who ask for the same image.
      const notBefore = this.#world.clock.now() - intervalMs / 2;
      const { placed, ended } = this.#lookAt(entry, notBefore, (result) => this.#finished.push(result));
      void ended.then(() => this.#count(entry.repository, -1));
      void placed.then(() => this.#begin());
    }
  }

  #count(repository: string, by: number): void {
    const count = (this.#busy.get(repository) ?? 0) + by;
    if (count > 0) this.#busy.set(repository, count);
    else this.#busy.delete(repository);
  }

  /** Something was pushed: those that it concerns are looked at now, with fresh answers. */
  async notify(events: readonly ImageEvent[]): Promise<readonly Result[]> {
    for (const event of events) this.#world.invalidate(event);
    const notBefore = this.#world.clock.now();
    const { watched, broken } = await this.#list();
    const concerned = watched.filter(({ plan }) =>
      plan?.rules.some(({ image }) => events.some((event) => concerns(event, image))),
    );
    const results: Result[] = [];
    const ends: Promise<void>[] = [];
    const waiting = concerned.values();
    const work = async (): Promise<void> => {
      for (const entry of waiting) {
        while (this.#inFlight.has(entry.key)) await this.#inFlight.get(entry.key);
        const { placed, ended } = this.#lookAt(entry, notBefore, (result) => results.push(result));
        ends.push(ended);
        await placed;
      }
    };
    await Promise.all(Array.from({ length: this.#settings.maxConcurrency }, work));
    await Promise.all(ends);
    await this.#ended({ results, watched, broken }, notBefore);
    return results;
  }

  /** Everybody who is watched now; figures and history of those who are gone end here. */
  async #list() {
    const [applications, updaters] = await Promise.all([this.#world.applications(), this.#world.updaters()]);
    const listed = this.#watchlist.list(applications, updaters);
    this.#applicationMetrics.keepOnly(listed.watched);
    const present = new Map(listed.watched.map(({ key, uid }) => [key, uid]));
    for (const [key, { uid }] of this.#past) if (present.get(key) !== uid) this.#past.delete(key);
    return listed;
  }

  #warmUp(watched: readonly Watched[]): Promise<void> {
    if (!this.#settings.warmUp) return Promise.resolve();
    this.#warm ??= this.#world.warmUp(watched).catch((error: unknown) => {
      this.#world.log.warn('registries could not all be asked beforehand', { error: String(error) });
    });
    return this.#warm;
  }

  #noteDeferred(deferred: readonly Watched[], turn: readonly Watched[]): void {
    for (const { key, uid } of deferred) {
      this.#metrics.schedulerSkipped.increase({ reason: 'per-repo-cap' });
      const past = this.#past.get(key) ?? { failed: false, deferred: 0 };
      this.#past.set(key, { ...past, deferred: past.deferred + 1, uid });
    }
    for (const { key } of turn) {
      const past = this.#past.get(key);
      if (past?.deferred) this.#past.set(key, { ...past, deferred: 0 });
    }
  }

  /** Resolves when the Application needs its place no longer; `done` is told of the end. */
  #lookAt(
    entry: Watched,
    notBefore: number,
    done: (result: Result) => void,
  ): { placed: Promise<void>; ended: Promise<void> } {
    const { key } = entry;
    let leave = (): void => {};
    const placed = new Promise<void>((resolve) => {
      leave = () => {
        this.#placed.delete(key);
        resolve();
      };
    });
    this.#placed.add(key);
    const ended = this.#look(entry, notBefore, leave, done).finally(() => {
      leave();
      this.#inFlight.delete(key);
    });
    this.#inFlight.set(key, ended);
    return { placed, ended };
  }

  async #look(entry: Watched, notBefore: number, waits: () => void, done: (result: Result) => void): Promise<void> {
    const { clock } = this.#world;
    const figures = this.#applicationMetrics.of(entry);
    const startedAt = clock.now();
    const before = this.#past.get(entry.key);
    this.#past.set(entry.key, {
      ...(before ?? { failed: false, deferred: 0 }),
      lastAttempt: startedAt,
      uid: entry.uid,
    });
    figures.attempted(startedAt);
    figures.watched(entry.plan?.rules.length ?? 0);
    const report = await this.#world.look(entry, notBefore, waits);
    const endedAt = clock.now();
    const { considered, skipped, updated, problems } = report;
    figures.looked({ considered, skipped, updated: updated.length, errors: problems.length, startedAt, endedAt });
    const past = this.#past.get(entry.key);
    // Who was deleted meanwhile has no past to write into.
    if (past?.uid === entry.uid) {
      const failed = problems.length > 0;
      const success = failed
        ? past.lastSuccess === undefined
          ? {}
          : { lastSuccess: past.lastSuccess }
        : { lastSuccess: endedAt };
      const { requeueAfter } = report;
      const soon =
        requeueAfter === undefined ? {} : { lastAttempt: endedAt - this.#settings.intervalMs + requeueAfter };
      this.#past.set(entry.key, { ...past, ...success, ...soon, failed });
    }
    done({ entry, report });
  }

  async #ended(round: Round, started: number): Promise<void> {
    const { clock, log } = this.#world;
    await this.#world.report(round).catch((error: unknown) => {
      log.warn('the status of image updaters could not be written', { error: String(error) });
    });
    this.#world.forget(started - 3 * this.#settings.intervalMs);
    this.#lastRound = clock.now();
  }
}

async function settled(promise: Promise<void>): Promise<boolean> {
  return Promise.race([
    promise.then(() => true),
    Promise.resolve()
      .then(() => Promise.resolve())
      .then(() => false),
  ]);
}
