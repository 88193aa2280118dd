/** Pushed in on one side, iterated on the other. Errors and the end come after what was pushed before them, unless dropped. */
export class EventPipe<T> implements AsyncIterable<T> {
  readonly #items: T[] = [];
  #end: { readonly error?: unknown } | undefined;
  #wake: (() => void) | undefined;
  readonly #onClose: () => void;

  /** `onClose` runs when the reader leaves, once. */
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

  /** Fails the reader at once: what it has not read is lost. */
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
