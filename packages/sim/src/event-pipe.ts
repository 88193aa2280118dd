/** A queue that one side pushes to and the other iterates over. Errors and the end are delivered after earlier items, unless dropped. */
export class EventPipe<T> implements AsyncIterable<T> {
  readonly #items: T[] = [];
  #end: { readonly error?: unknown } | undefined;
  #wake: (() => void) | undefined;
  readonly #onClose: () => void;

  /** `onClose` runs once when the reader stops. */
  constructor(onClose: () => void = () => {}) {
    this.#onClose = onClose;
  }

  push(item: T): void {
    if (this.#end) return;
    this.#items.push(item);
    this.#wake?.();
  }

  end(): void {
    this.#end ??= {};
    this.#wake?.();
  }

  /** Fails the reader at once: unread items are lost. */
  fail(error: unknown): void {
    this.#items.length = 0;
    this.#end = { error };
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    try {
      for (;;) {
        while (this.#items.length > 0) yield this.#items.shift()!;
        if (this.#end) {
          if ('error' in this.#end) throw this.#end.error;
          return;
        }
        await new Promise<void>((resolve) => (this.#wake = resolve));
        this.#wake = undefined;
      }
    } finally {
      this.#onClose();
    }
  }
}
