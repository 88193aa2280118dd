import type { Writable } from 'node:stream';

export interface Watcher {
  readonly to: Writable;
  /** Called after a write if its buffer is too full. */
  behind(): void;
}

/** A watcher's membership in an audience. */
export interface Seat {
  /** Writes the pending frames of this watcher at once. */
  flush(): void;
  /** Frames published before it leaves are still sent to it. */
  leave(): void;
}

interface Listener {
  readonly watcher: Watcher;
  /** The number of frames that were sent to it, or published before it joined. */
  sent: number;
}

/** The number of writes in one turn of the event loop. */
const listenersATurn = 32;

/**
 * Watchers that receive the same frames, in rounds. A write to a socket costs far more than the bytes in it, so each watcher is sent all
 * frames published since its last write in one write: a busy server does not write more often, and no watcher waits longer than a round. A
 * round takes many turns of the event loop, so that new requests are served in between.
 */
export class Audience {
  readonly #listeners = new Set<Listener>();
  /** Frames that are not sent to all watchers yet. While there are any, a round is in progress. */
  #frames: Buffer[] = [];
  /** How many frames were published in total. */
  #published = 0;
  #joined: { readonly from: number; readonly to: number; readonly bytes: Buffer } | undefined;

  get isEmpty(): boolean {
    return this.#listeners.size === 0;
  }

  /** Frames published before it joins are not sent to it. */
  join(watcher: Watcher): Seat {
    const listener = { watcher, sent: this.#published };
    this.#listeners.add(listener);
    return {
      flush: () => this.#send(listener),
      leave: () => {
        this.#send(listener);
        this.#listeners.delete(listener);
        listener.sent = Number.POSITIVE_INFINITY;
      },
    };
  }

  publish(frame: Buffer): void {
    this.#published++;
    if (this.#frames.push(frame) === 1) setImmediate(() => this.#beginRound());
  }

  #beginRound(): void {
    this.#goOn(this.#listeners.values(), this.#published);
  }

  #goOn(round: Iterator<Listener>, publishedAtStart: number): void {
    for (let turn = 0; turn < listenersATurn; turn++) {
      const next = round.next();
      if (next.done) return this.#endRound(publishedAtStart);
      this.#send(next.value);
    }
    setImmediate(() => this.#goOn(round, publishedAtStart));
  }

  /** All watchers have been sent the frames published before the round; frames published during it were sent only to later watchers. */
  #endRound(publishedAtStart: number): void {
    this.#frames = this.#since(publishedAtStart);
    this.#joined = undefined;
    if (this.#frames.length > 0) setImmediate(() => this.#beginRound());
  }

  #send(listener: Listener): void {
    if (listener.sent >= this.#published) return;
    const bytes = this.#bytesSince(listener.sent);
    listener.sent = this.#published;
    if (!listener.watcher.to.write(bytes)) listener.watcher.behind();
  }

  #since(from: number): Buffer[] {
    return this.#frames.slice(this.#frames.length - (this.#published - from));
  }

  /** Joined once for all watchers at the same position. */
  #bytesSince(from: number): Buffer {
    const to = this.#published;
    if (this.#joined?.from !== from || this.#joined.to !== to) {
      const frames = this.#since(from);
      this.#joined = { from, to, bytes: frames.length === 1 ? frames[0]! : Buffer.concat(frames) };
    }
    return this.#joined.bytes;
  }
}
