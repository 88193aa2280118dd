import { RecentBuffers } from '../../http/recent-buffers.ts';
import type { EventLog } from './event-log.ts';
import { eventOf, type StreamView, viewKey } from './stream-view.ts';

/** Changes that one turn reads: others wait no longer than that takes. */
const mostChanges = 1_000;
const mostBytes = 256 * 1024;

export interface Batch {
  readonly bytes: Uint8Array;
  /** The position after it. */
  readonly position: number;
}

export const frameOf = (event: string, id: string, data: object): Buffer =>
  Buffer.from(`event: ${event}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`);

/** Events of the log as clients receive them. Clients with the same view and position share the bytes. */
export class Frames {
  readonly #log: EventLog;
  /** A change is encoded once for each type that it has for clients. */
  readonly #encoded = new RecentBuffers(256);
  readonly #batches = new Map<string, Batch>();
  #batchesOf = -1;

  constructor(log: EventLog) {
    this.#log = log;
  }

  /** The next events after a position; undefined if they are no longer kept. */
  after(position: number, view: StreamView): Batch | undefined {
    if (!this.#log.isCovered(position)) return undefined;
    if (this.#batchesOf !== this.#log.last) {
      this.#batches.clear();
      this.#batchesOf = this.#log.last;
    }
    const key = `${position} ${viewKey(view)}`;
    const batch = this.#batches.get(key) ?? this.#read(position, view);
    this.#batches.set(key, batch);
    return batch;
  }

  #read(position: number, view: StreamView): Batch {
    const buffers: Uint8Array[] = [];
    let [at, bytes] = [position, 0];
    while (at < this.#log.last && at - position < mostChanges && bytes < mostBytes) {
      at += 1;
      const change = this.#log.at(at);
      const sent = change && eventOf(view, change);
      if (!sent) continue;
      const id = this.#log.idOf(at);
      const text = (): string => frameOf(sent.event, id, sent.data).toString();
      const buffer = this.#encoded.get(change, sent.type, text);
      buffers.push(buffer);
      bytes += buffer.length;
    }
    return { bytes: buffers.length === 1 ? (buffers[0] ?? new Uint8Array()) : Buffer.concat(buffers), position: at };
  }
}
