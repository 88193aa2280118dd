import { limits } from '@fairlead/kube';

/** Events for one client of a stream, in order: what was there when it began, then each change. */
export class WatchQueue<T> {
  readonly #signal: AbortSignal;
  #events: T[] = [];
  /** The event that comes next. */
  #at = 0;
  #wake = (): void => {};

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  push(event: T): void {
    this.#events.push(event);
    this.#wake();
  }

  /** Sorts what was there. */
  sort(compare: (a: T, b: T) => number): void {
    this.#events.sort(compare);
  }

  /** Ends when the signal aborts, and when a client is too many changes behind: it starts again then. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    const mostBehind = this.#events.length + limits.serverStreamEvents;
    const wake = (): void => this.#wake();
    this.#signal.addEventListener('abort', wake, { once: true });
    while (!this.#signal.aborted && this.#events.length - this.#at <= mostBehind) {
      const event = this.#events[this.#at];
      if (event === undefined) await this.#changed();
      else {
        this.#at += 1;
        yield event;
      }
    }
    this.#signal.removeEventListener('abort', wake);
  }

  #changed(): Promise<void> {
    this.#events = [];
    this.#at = 0;
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
