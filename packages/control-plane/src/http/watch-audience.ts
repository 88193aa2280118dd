import type { Writable } from 'node:stream';

export interface Watcher {
  readonly to: Writable;
  /** Called after a write when more waits there than it likes to hold. */
  behind(): void;
}

/**
 * Watchers that are told the same. What comes about in one turn of the loop is joined once and written to each of them once: a write to a
 * socket costs far more than the bytes in it, so a server that falls behind must not write more often for it.
 */
export class Audience {
  readonly #watchers = new Set<Watcher>();
  #frames: Buffer[] = [];

  get isEmpty(): boolean {
    return this.#watchers.size === 0;
  }

  /** What was told before it came is not for it. */
  join(watcher: Watcher): void {
    this.flush();
    this.#watchers.add(watcher);
  }

  /** What was told before it went still is. */
  leave(watcher: Watcher): void {
    this.flush();
    this.#watchers.delete(watcher);
  }

  tell(frame: Buffer): void {
    if (this.#frames.push(frame) === 1) setImmediate(() => this.flush());
  }

  /** Writes what waits at once. */
  flush(): void {
    const frames = this.#frames;
    if (frames.length === 0) return;
    this.#frames = [];
    const bytes = frames.length === 1 ? frames[0]! : Buffer.concat(frames);
    for (const watcher of this.#watchers) if (!watcher.to.write(bytes)) watcher.behind();
  }
}
