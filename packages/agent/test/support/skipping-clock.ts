import type { Clock } from '@fairlead/kube';

/** A real clock of which a test can skip time: timers that are due run at once, in order. */
export class SkippingClock implements Clock {
  #skipped = 0;
  readonly #timers = new Map<object, { due: number; run: () => void; timer: NodeJS.Timeout }>();

  now(): number {
    return Date.now() + this.#skipped;
  }

  after(ms: number, run: () => void): () => void {
    const id = {};
    const timer = setTimeout(() => this.#ring(id), Math.min(ms, 0x7fffffff));
    this.#timers.set(id, { due: this.now() + ms, run, timer });
    return () => {
      clearTimeout(this.#timers.get(id)?.timer);
      this.#timers.delete(id);
    };
  }

  skip(ms: number): void {
    this.#skipped += ms;
    const due = [...this.#timers].filter(([, timer]) => timer.due <= this.now());
    for (const [id] of due.sort(([, a], [, b]) => a.due - b.due)) this.#ring(id);
  }

  #ring(id: object): void {
    const known = this.#timers.get(id);
    if (!known) return;
    clearTimeout(known.timer);
    this.#timers.delete(id);
    known.run();
  }
}
