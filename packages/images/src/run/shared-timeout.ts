import type { Clock } from '@fairlead/kube';

interface Pending {
  readonly due: number;
  readonly run: () => void;
}

/**
 * A timeout of the same length for many tasks, with one timer. Rounds start thousands of tasks that end within microseconds, and a timer
 * for each of them costs more than the task.
 */
export class SharedTimeout {
  readonly #clock: Clock;
  readonly #ms: number;
  /** In the order of `due`, because all have the same length. */
  readonly #pending = new Set<Pending>();
  #disarm: (() => void) | undefined;

  constructor(clock: Clock, ms: number) {
    this.#clock = clock;
    this.#ms = ms;
  }

  /** Calls `run` after the timeout, unless the returned function is called before. */
  start(run: () => void): () => void {
    const pending: Pending = { due: this.#clock.now() + this.#ms, run };
    this.#pending.add(pending);
    this.#disarm ??= this.#clock.after(this.#ms, () => this.#expire());
    return () => {
      this.#pending.delete(pending);
      // Nothing to wait for: the timer must not keep the process alive.
      if (this.#pending.size === 0) this.#stopTimer();
    };
  }

  #expire(): void {
    this.#disarm = undefined;
    const now = this.#clock.now();
    for (const pending of this.#pending) {
      if (pending.due > now) {
        this.#disarm = this.#clock.after(pending.due - now, () => this.#expire());
        return;
      }
      this.#pending.delete(pending);
      pending.run();
    }
  }

  #stopTimer(): void {
    this.#disarm?.();
    this.#disarm = undefined;
  }
}
