import type { RuntimeSettings } from './runtime-settings.ts';
import type { UpdaterEnv } from './updater-env.ts';
import type { WatchedApplication } from './watched-applications.ts';

/** Fills the registry cache once before the first updates. */
export class WarmUp {
  readonly #env: UpdaterEnv;
  readonly #enabled: boolean;
  #started: Promise<void> | undefined;
  #done = false;

  constructor(env: UpdaterEnv, { warmUp }: Pick<RuntimeSettings, 'warmUp'>) {
    this.#env = env;
    this.#enabled = warmUp;
  }

  /** Whether updates must wait for it. */
  get isRunning(): boolean {
    return this.#started !== undefined && !this.#done;
  }

  run(watched: readonly WatchedApplication[]): Promise<void> {
    if (!this.#enabled) return Promise.resolve();
    this.#started ??= this.#env
      .warmUp(watched)
      .catch((error: unknown) => {
        this.#env.log.warn('warm-up: some registries could not be queried', { error: String(error) });
      })
      .finally(() => {
        this.#done = true;
      });
    return this.#started;
  }
}
