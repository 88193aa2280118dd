import type { EventLog } from './event-log.ts';
import { type Frames, frameOf } from './frames.ts';
import type { StreamView } from './stream-view.ts';

/** The answer that a stream writes to. */
export interface StreamSink {
  /** False if the client has not read what was written before. */
  write(bytes: Uint8Array): boolean;
  once(event: 'drain', listener: () => void): unknown;
  end(): unknown;
}

/**
 * One client. It has a position in the log and nothing else in memory: while the client does not read, nothing is written, and if the log has moved on meanwhile,
 * it receives `reload`.
 */
export class EventStream {
  readonly view: StreamView;
  readonly #log: EventLog;
  readonly #frames: Frames;
  readonly #sink: StreamSink;
  #position: number;
  #isFull = false;
  /** Sent when the client reads again. */
  #pendingReload: string | undefined;
  #continue: NodeJS.Immediate | undefined;
  #isEnded = false;
  /** The changes that the last facets of this client count. */
  #countedAt: number;
  #lastCounts = '';

  constructor(log: EventLog, frames: Frames, sink: StreamSink, view: StreamView, since: string | undefined) {
    this.#log = log;
    this.#frames = frames;
    this.#sink = sink;
    this.view = view;
    const position = since === undefined ? log.last : log.positionOf(since);
    this.#position = position ?? log.last;
    this.#countedAt = position ?? -1;
    if (position === undefined) this.reload('the changes since that event are no longer known');
    else this.heartbeat(new Date());
    this.pump();
  }

  /** Sends what is new, as much as the client reads. */
  pump(): void {
    if (this.#isFull || this.#isEnded || this.#position === this.#log.last) return;
    const batch = this.#frames.after(this.#position, this.view);
    if (!batch) return this.reload('the client is too far behind');
    this.#position = batch.position;
    if (batch.bytes.length > 0) this.#write(batch.bytes);
    // Who is far behind does not delay others.
    if (this.#position !== this.#log.last) this.#continue ??= setImmediate(() => this.#goOn());
  }

  #goOn(): void {
    this.#continue = undefined;
    this.pump();
  }

  /** The client has to read the lists again; the stream continues with what comes after this event. */
  reload(reason: string): void {
    if (this.#isFull) {
      this.#pendingReload = reason;
      return;
    }
    this.#position = this.#log.last;
    this.#countedAt = -1;
    this.#write(frameOf('reload', this.#id, { reason }));
  }

  /** Its id is that of the last event, also if the client has not received that one because it does not match. */
  heartbeat(now: Date): void {
    if (!this.#isFull) this.#write(frameOf('heartbeat', this.#id, { time: now.toISOString() }));
  }

  /** Whether the client asks for counts. */
  get hasCounts(): boolean {
    return this.view.types.has('facets');
  }

  /** Whether something has changed since the client has received counts. */
  get needsCounts(): boolean {
    return this.hasCounts && !this.#isFull && this.#countedAt !== this.#log.last;
  }

  /** Sends counts that are different from the last ones. */
  sendCounts(counts: object): void {
    this.#countedAt = this.#log.last;
    // The version is different each time.
    const text = JSON.stringify({ ...counts, version: '' });
    if (text === this.#lastCounts) return;
    this.#lastCounts = text;
    this.#write(frameOf('facets', this.#id, counts));
  }

  end(): void {
    this.#isEnded = true;
    clearImmediate(this.#continue);
    this.#sink.end();
  }

  get #id(): string {
    return this.#log.idOf(this.#position);
  }

  #write(bytes: Uint8Array): void {
    if (this.#isEnded) return;
    this.#isFull = !this.#sink.write(bytes);
    if (!this.#isFull) return;
    this.#sink.once('drain', () => {
      this.#isFull = false;
      const reason = this.#pendingReload;
      this.#pendingReload = undefined;
      if (reason === undefined) this.pump();
      else this.reload(reason);
    });
  }
}
