import type { Clock } from '@fairlead/kube';

/** Says when nothing was heard of the other end for too long: a connection that is open on one side only looks like a quiet one. */
export class Liveness {
  readonly #clock: Clock;
  readonly #silenceMs: number;
  readonly #onSilence: () => void;
  #heard = true;
  #cancel = () => {};

  constructor(clock: Clock, silenceMs: number, onSilence: () => void) {
    this.#clock = clock;
    this.#silenceMs = silenceMs;
    this.#onSilence = onSilence;
    this.#arm();
  }

  heard(): void {
    this.#heard = true;
  }

  stop(): void {
    this.#cancel();
  }

  /** Durations, not times: the clock may be set meanwhile. */
  #arm(): void {
    this.#heard = false;
    this.#cancel = this.#clock.after(this.#silenceMs, () => {
      if (this.#heard) this.#arm();
      else this.#onSilence();
    });
  }
}
