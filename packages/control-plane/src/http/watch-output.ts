import type { Writable } from 'node:stream';

/** Where the frames of one watch go, in their order. */
export interface WatchOutput {
  add(frame: Buffer): void;
  /** Writes what waits at once. */
  flush(): void;
}

/**
 * Frames for many watchers, written once a turn of the loop. A write to a socket costs far more than the bytes in it, so a server that
 * falls behind must not write more often for it: what came about meanwhile goes out together.
 */
export class WatchOutputs {
  private waiting: Output[] = [];
  private joined: { readonly frames: readonly Buffer[]; readonly bytes: Buffer } | undefined;

  /** `written` is called after each write. */
  to(socket: () => Writable | null, written: (socket: Writable) => void): WatchOutput {
    return new Output(this, socket, written);
  }

  /** Has `output` written when all that is to be told now has been. */
  soon(output: Output): void {
    if (this.waiting.push(output) === 1) setImmediate(() => this.writeAll());
  }

  /** Watchers of one kind mostly wait for the same frames: these are joined once. */
  join(frames: readonly Buffer[]): Buffer {
    if (frames.length === 1) return frames[0]!;
    const known = this.joined;
    if (known?.frames.length === frames.length && known.frames.every((frame, i) => frame === frames[i])) {
      return known.bytes;
    }
    const bytes = Buffer.concat(frames);
    this.joined = { frames, bytes };
    return bytes;
  }

  private writeAll(): void {
    const due = this.waiting;
    this.waiting = [];
    for (const output of due) output.flush();
    this.joined = undefined;
  }
}

class Output implements WatchOutput {
  private readonly all: WatchOutputs;
  private readonly socket: () => Writable | null;
  private readonly written: (socket: Writable) => void;
  private frames: Buffer[] = [];

  constructor(all: WatchOutputs, socket: () => Writable | null, written: (socket: Writable) => void) {
    this.all = all;
    this.socket = socket;
    this.written = written;
  }

  add(frame: Buffer): void {
    if (this.frames.push(frame) === 1) this.all.soon(this);
  }

  flush(): void {
    if (this.frames.length === 0) return;
    const { frames } = this;
    this.frames = [];
    const socket = this.socket();
    if (!socket) return;
    socket.write(this.all.join(frames));
    this.written(socket);
  }
}
