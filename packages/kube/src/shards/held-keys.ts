import { onAbort } from '../abort.ts';

interface Hold {
  readonly key: string;
  readonly abort: AbortController;
}

/** The keys that this process works on now. */
export class HeldKeys {
  readonly #holds = new Set<Hold>();
  readonly #waiting: (() => void)[] = [];
  readonly #onRelease: () => void;

  constructor(onRelease: () => void) {
    this.#onRelease = onRelease;
  }

  /** Runs `work` with a signal that aborts when the parent does, or when another member owns the key. */
  async during<T>(key: string, parent: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const hold: Hold = { key, abort: new AbortController() };
    const removeListener = onAbort(parent, () => hold.abort.abort(parent.reason));
    this.#holds.add(hold);
    try {
      return await work(hold.abort.signal);
    } finally {
      removeListener();
      this.#holds.delete(hold);
      this.#onRelease();
      if (this.#holds.size === 0) for (const wake of this.#waiting.splice(0)) wake();
    }
  }

  /** Aborts the work on keys that may not be held any more. */
  giveUp(mayKeep: (key: string) => boolean): void {
    for (const { key, abort } of this.#holds) if (!mayKeep(key)) abort.abort(new GaveUpKey());
  }

  /** Resolves once no work is left. */
  ended(): Promise<void> {
    return this.#holds.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Whether all work on keys that may not be held has ended. */
  areWithin(mayKeep: (key: string) => boolean): boolean {
    return [...this.#holds].every(({ key }) => mayKeep(key));
  }
}

export class GaveUpKey extends Error {
  constructor() {
    super('another replica works on it now');
    this.name = 'GaveUpKey';
  }
}
