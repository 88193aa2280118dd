import type { Clock } from '@fairlead/kube';

/** Reports that nothing was received for too long: a connection that is open on one side only looks like a quiet one. */
export class Liveness {
  readonly #clock: Clock;
  readonly #silenceMs: number;
  readonly #onSilence: () => void;
  #received = true;
  #cancel = () => {};

  constructor(clock: Clock, silenceMs: number, onSilence: () => void) {
    this.#clock = clock;
    this.#silenceMs = silenceMs;
    this.#onSilence = onSilence;
    this.#arm();
  }

  received(): void {
    this.#received = true;
  }

  stop(): void {
    this.#cancel();
  }

  /** Uses a timer and no time of day: the clock may be set. */
  #arm(): void {
    this.#received = false;
    this.#cancel = this.#clock.after(this.#silenceMs, () => {
      if (this.#received) this.#arm();
      else this.#onSilence();
    });
  }
}
