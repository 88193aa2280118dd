import type { Writable } from 'node:stream';

export interface Watcher {
  readonly to: Writable;
  /** Called after a write when more waits there than it likes to hold. */
  behind(): void;
}

/** A watcher's place among those that are told the same. */
export interface Seat {
  /** Writes at once what waits for this watcher. */
  flush(): void;
  /** What was told before it went still reaches it. */
  leave(): void;
}

interface Listener {
  readonly watcher: Watcher;
  /** How many frames it has been sent, or were told before it came. */
  told: number;
}

/** Written to in one turn of the loop. */
const listenersATurn = 32;

/**
 * Watchers that are told the same, in rounds. A write to a socket costs far more than the bytes in it, so whoever's turn comes is sent all
 * that was told since its last in one write: a server that falls behind does not write more often for it, and nobody waits longer than a
 * round. A round takes many turns of the loop, so that new requests are read and answered while the rest is still being told.
 */
export class Audience {
  readonly #listeners = new Set<Listener>();
  /** What not everyone has been sent yet. While there is any, a round is under way. */
  #frames: Buffer[] = [];
  /** How many frames were told in all. */
  #told = 0;
  #joined: { readonly from: number; readonly to: number; readonly bytes: Buffer } | undefined;

  get isEmpty(): boolean {
    return this.#listeners.size === 0;
  }

  /** What was told before it came is not for it. */
  join(watcher: Watcher): Seat {
    const listener = { watcher, told: this.#told };
    this.#listeners.add(listener);
    return {
      flush: () => this.#send(listener),
      leave: () => {
        this.#send(listener);
        this.#listeners.delete(listener);
        listener.told = Number.POSITIVE_INFINITY;
      },
    };
  }

  tell(frame: Buffer): void {
    this.#told++;
    if (this.#frames.push(frame) === 1) setImmediate(() => this.#beginRound());
  }

  #beginRound(): void {
    this.#goOn(this.#listeners.values(), this.#told);
  }

  #goOn(round: Iterator<Listener>, toldAtBeginning: number): void {
    for (let turn = 0; turn < listenersATurn; turn++) {
      const next = round.next();
      if (next.done) return this.#endRound(toldAtBeginning);
      this.#send(next.value);
    }
    setImmediate(() => this.#goOn(round, toldAtBeginning));
  }

  /** Everyone has been sent what was told before the round; what was told during it, only those whose turn came after. */
  #endRound(toldAtBeginning: number): void {
    this.#frames = this.#since(toldAtBeginning);
    this.#joined = undefined;
    if (this.#frames.length > 0) setImmediate(() => this.#beginRound());
  }

  #send(listener: Listener): void {
    if (listener.told >= this.#told) return;
    const bytes = this.#bytesSince(listener.told);
    listener.told = this.#told;
    if (!listener.watcher.to.write(bytes)) listener.watcher.behind();
  }

  #since(told: number): Buffer[] {
    return this.#frames.slice(this.#frames.length - (this.#told - told));
  }

  /** Joined once for all that are as far. */
  #bytesSince(from: number): Buffer {
    const to = this.#told;
    if (this.#joined?.from !== from || this.#joined.to !== to) {
      const frames = this.#since(from);
      this.#joined = { from, to, bytes: frames.length === 1 ? frames[0]! : Buffer.concat(frames) };
    }
    return this.#joined.bytes;
  }
}
