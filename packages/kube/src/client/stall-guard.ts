import { onAbort } from '../abort.ts';
import type { Clock } from '../clock.ts';

/** Aborts its signal when nothing was heard for `stallMs`, or when the outer signal does. One timer, however often it hears. */
export class StallGuard {
  readonly #controller = new AbortController();
  readonly #clock: Clock;
  readonly #stallMs: number;
  #heard: number;
  #cancel: () => void = () => {};
  #leave: () => void = () => {};

  constructor(clock: Clock, stallMs: number, outer: AbortSignal) {
    this.#clock = clock;
    this.#stallMs = stallMs;
    this.#heard = clock.now();
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
    this.#heard = this.#clock.now();
  }

  end(): void {
    this.#cancel();
    this.#leave();
  }

  #arm(ms: number): void {
    this.#cancel = this.#clock.after(ms, () => {
      // The clock may have been set back since.
      this.#heard = Math.min(this.#heard, this.#clock.now());
      const left = this.#heard + this.#stallMs - this.#clock.now();
      if (left > 0) return this.#arm(left);
      this.end();
      this.#controller.abort(new Error(`nothing was heard for ${this.#stallMs} ms`));
    });
  }
}
