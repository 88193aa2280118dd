import type { RuntimeSettings } from './runtime-settings.ts';
import { orderUpdates } from './update-order.ts';
import type { UpdateRunner } from './update-runner.ts';
import type { Result, UpdaterEnv } from './updater-env.ts';
import type { WarmUp } from './warm-up.ts';
import type { WatchedApplication } from './watched-applications.ts';

/**
 * The continuous mode: each Application is updated when its own interval has passed, so that a slow one does not delay the others. A tick
 * lists what is due; a slot that becomes free is used at once, without waiting for the next tick.
 */
export class ContinuousMode {
  readonly #env: UpdaterEnv;
  readonly #settings: RuntimeSettings;
  readonly #runner: UpdateRunner;
  readonly #warmUp: WarmUp;
  #due: Iterator<WatchedApplication, undefined> = [].values();
  /** Results since the last tick. */
  readonly #finished: Result[] = [];
  /** Running updates per repository. */
  readonly #running = new Map<string, number>();

  constructor(env: UpdaterEnv, settings: RuntimeSettings, runner: UpdateRunner, warmUp: WarmUp) {
    this.#env = env;
    this.#settings = settings;
    this.#runner = runner;
    this.#warmUp = warmUp;
  }

  async tick(): Promise<void> {
    const now = this.#env.clock.now();
    const { perRepositoryCap } = this.#settings;
    const { watched, broken } = await this.#runner.list();
    if (watched.length > 0) void this.#warmUp.run(watched);
    // A warm-up without requests ends within these microtasks.
    for (let i = 0; i < 3 && this.#warmUp.isRunning; i++) await Promise.resolve();
    if (this.#warmUp.isRunning) return;
    const results = this.#finished.splice(0);
    if (results.length > 0 || broken.size > 0) void this.#runner.endRound({ results, watched, broken }, now);
    const due = watched.filter(({ key }) => {
      const last = this.#runner.history.get(key)?.lastAttempt;
      return !this.#runner.isRunning(key) && (last === undefined || now - last >= this.#settings.intervalMs);
    });
    // The cap applies when a slot is taken. In a fixed order, those at its end would never get one of a busy repository.
    const schedule = perRepositoryCap > 0 && this.#settings.schedule === 'default' ? 'lru' : this.#settings.schedule;
    const order = orderUpdates(due, this.#runner.history, { ...this.#settings, schedule, perRepositoryCap: 0, now });
    this.#due = order.scheduled.values();
    this.#fillSlots();
    this.#runner.markRound();
  }

  stop(): void {
    this.#due = [].values();
  }

  #fillSlots(): void {
    const { maxConcurrency, perRepositoryCap, intervalMs } = this.#settings;
    while (this.#runner.usedSlots < maxConcurrency) {
      const { value: entry, done } = this.#due.next();
      if (done || !entry) return;
      if (this.#runner.isRunning(entry.key)) continue;
      if (perRepositoryCap > 0 && (this.#running.get(entry.repository) ?? 0) >= perRepositoryCap) {
        this.#runner.metrics.schedulerSkipped.increase({ reason: 'per-repo-cap' });
        continue;
      }
      this.#count(entry.repository, 1);
      // Applications with the same image share a registry response within half an interval.
      const notBefore = this.#env.clock.now() - intervalMs / 2;
      const { slotReleased, ended } = this.#runner.start(entry, notBefore, (result) => this.#finished.push(result));
      void ended.then(() => this.#count(entry.repository, -1));
      void slotReleased.then(() => this.#fillSlots());
    }
  }

  #count(repository: string, by: number): void {
    const count = (this.#running.get(repository) ?? 0) + by;
    if (count > 0) this.#running.set(repository, count);
    else this.#running.delete(repository);
  }
}
