import type { ServerResponse } from 'node:http';
import { limits } from '@fairlead/kube';

/** Messages that come faster than this are sent together. */
const batchMs = 50;
const batchBytes = 64 * 1024;

/**
 * Writes the messages of a stream. One that comes alone is sent at once; more are collected for a moment, because each write costs more than the message.
 * A client that reads nothing for too long is disconnected.
 */
export class StreamWriter {
  readonly #response: ServerResponse;
  #waiting: Uint8Array[] = [];
  #bytes = 0;
  #sentAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #isFull = false;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  /** Resolves when more can be written. */
  async write(message: Uint8Array): Promise<void> {
    if (!this.add(message)) await this.drained();
  }

  /** Whether more can be written at once; if not, `drained` says when. */
  add(message: Uint8Array): boolean {
    this.#waiting.push(message);
    this.#bytes += message.length;
    const left = this.#sentAt + batchMs - performance.now();
    if (left <= 0 || this.#bytes >= batchBytes) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), left);
    return !this.#isFull;
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const [first, ...more] = this.#waiting;
    if (first === undefined || this.#response.destroyed) return;
    this.#isFull = !this.#response.write(more.length === 0 ? first : Buffer.concat(this.#waiting));
    this.#waiting = [];
    this.#bytes = 0;
    this.#sentAt = performance.now();
  }

  /** Sends what waits, and ends the answer. */
  end(): void {
    this.flush();
    this.#response.end();
  }

  /** Resolves also if the connection is closed. */
  drained(): Promise<void> {
    const response = this.#response;
    if (response.destroyed || !response.writableNeedDrain) {
      this.#isFull = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const stalled = setTimeout(() => response.destroy(), limits.serverStalledMs);
      const done = (): void => {
        clearTimeout(stalled);
        response.off('drain', done);
        response.off('close', done);
        this.#isFull = false;
        resolve();
      };
      response.once('drain', done);
      response.once('close', done);
    });
  }
}
