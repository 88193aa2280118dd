import { onAbort } from '../abort.ts';
import type { Clock } from '../clock.ts';

/** Aborts its signal if nothing was received for `stallMs`, or if the outer signal aborts. Uses one timer for any number of resets. */
export class StallGuard {
  readonly #controller = new AbortController();
  readonly #clock: Clock;
  readonly #stallMs: number;
  #lastReceived: number;
  #cancel: () => void = () => {};
  #leave: () => void = () => {};

  constructor(clock: Clock, stallMs: number, outer: AbortSignal) {
    this.#clock = clock;
    this.#stallMs = stallMs;
    this.#lastReceived = clock.now();
    this.#arm(stallMs);
    this.#leave = onAbort(outer, () => {
      this.end();
      this.#controller.abort(outer.reason);
    });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  alive(): void {
    this.#lastReceived = this.#clock.now();
  }

  end(): void {
    this.#cancel();
    this.#leave();
  }

  #arm(ms: number): void {
    this.#cancel = this.#clock.after(ms, () => {
      // The clock may have been set back in the meantime.
      this.#lastReceived = Math.min(this.#lastReceived, this.#clock.now());
      const left = this.#lastReceived + this.#stallMs - this.#clock.now();
      if (left > 0) return this.#arm(left);
      this.end();
      this.#controller.abort(new Error(`nothing was received for ${this.#stallMs} ms`));
    });
  }
}
