import { messageOf } from '@fairlead/apimachinery';
import { sleep } from '@fairlead/kube';
import type { ImageEvent } from '../webhook/event.ts';
import { ContinuousMode } from './continuous-mode.ts';
import { runCycle } from './cycle-mode.ts';
import { defaultRuntimeSettings, type RuntimeSettings } from './runtime-settings.ts';
import { UpdateRunner } from './update-runner.ts';
import type { Result, UpdaterEnv } from './updater-env.ts';
import { WarmUp } from './warm-up.ts';
import { updateForEvents } from './webhook-updates.ts';

/** Decides when each Application is updated: in cycles, continuously, and after webhooks. */
export class Runtime {
  readonly #env: UpdaterEnv;
  readonly #settings: RuntimeSettings;
  readonly #runner: UpdateRunner;
  readonly #warmUp: WarmUp;
  readonly #continuous: ContinuousMode;

  constructor(env: UpdaterEnv, settings: Partial<RuntimeSettings> = {}) {
    this.#env = env;
    this.#settings = { ...defaultRuntimeSettings, ...settings };
    this.#runner = new UpdateRunner(env, this.#settings);
    this.#warmUp = new WarmUp(env, this.#settings);
    this.#continuous = new ContinuousMode(env, this.#settings, this.#runner, this.#warmUp);
  }

  /** When a round last ended, for the health check. */
  get lastRound(): number | undefined {
    return this.#runner.lastRound;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { mode, intervalMs, tickMs } = this.#settings;
    const { clock, log } = this.#env;
    while (!signal.aborted) {
      try {
        if (mode === 'continuous') await this.tick();
        else if (!(await this.#endsInTime(signal))) continue;
      } catch (error) {
        log.error('an update round failed', { error: messageOf(error) });
      }
      await sleep(clock, mode === 'cycle' ? intervalMs : tickMs, signal).catch(() => {});
    }
    this.#continuous.stop();
    this.#runner.cancelAll();
    await this.#runner.idle();
  }

  /** An Application is deleted: the responses that its update waits for are not needed. */
  cancel(key: string): void {
    this.#runner.cancel(key);
  }

  /** False for a cycle that takes longer than the interval: it continues next to the next one, which skips its running updates. */
  async #endsInTime(signal: AbortSignal): Promise<boolean> {
    const { clock, log } = this.#env;
    const ended = new AbortController();
    const cycle = this.cycle()
      .catch((error: unknown) => log.error('an update round failed', { error: messageOf(error) }))
      .finally(() => ended.abort());
    const overdue = sleep(clock, this.#settings.intervalMs, AbortSignal.any([signal, ended.signal])).then(
      () => false,
      () => true,
    );
    return Promise.race([cycle.then(() => true), overdue]);
  }

  cycle(): Promise<readonly Result[]> {
    return runCycle(this.#env, this.#settings, this.#runner, this.#warmUp);
  }

  tick(): Promise<void> {
    return this.#continuous.tick();
  }

  notify(events: readonly ImageEvent[]): Promise<readonly Result[]> {
    return updateForEvents(this.#env, this.#runner, events);
  }
}
