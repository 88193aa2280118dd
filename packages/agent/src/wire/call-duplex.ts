import { Duplex } from 'node:stream';
import { BytesSchema } from './gen/tunnel_pb.ts';
import type { Sent } from './grpc-frames.ts';
import { decodeMessage, encodeMessage } from './rpc.ts';

/** The part of a call that carries bytes in both directions. */
export interface ByteCall {
  send(message: Uint8Array, sent: Sent): void;
  setPaused(paused: boolean): void;
  /** Closes the own direction. */
  end(): void;
  /** Ends the call. */
  close(): void;
}

/** Smaller messages pass each other, and hold up no other call. */
const chunkBytes = 32 * 1024;

/**
 * A call as a stream of bytes, with back-pressure in both directions: what is not read stays in the window of the call, and a write is
 * complete when the peer has room for it.
 */
export class CallDuplex extends Duplex {
  readonly #call: ByteCall;

  constructor(call: ByteCall) {
    super({ highWaterMark: 2 * chunkBytes, allowHalfOpen: true });
    this.#call = call;
  }

  /** A message of the call has arrived. */
  receive(message: Uint8Array): void {
    if (this.destroyed) return;
    const { data } = decodeMessage(BytesSchema, message);
    // An empty chunk would end the stream.
    if (data.length > 0 && !this.push(data)) this.#call.setPaused(true);
  }

  /** The peer sends no more. */
  receiveEnd(): void {
    if (!this.destroyed) this.push(null);
  }

  override _read(): void {
    this.#call.setPaused(false);
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: Sent): void {
    if (chunk.length <= chunkBytes) return this.#call.send(encodeMessage(BytesSchema, { data: chunk }), done);
    this.#call.send(encodeMessage(BytesSchema, { data: chunk.subarray(0, chunkBytes) }), (error) => {
      if (error) done(error);
      else this._write(chunk.subarray(chunkBytes), 'binary', done);
    });
  }

  override _final(done: Sent): void {
    this.#call.end();
    done();
  }

  override _destroy(error: Error | null, done: Sent): void {
    this.#call.close();
    done(error);
  }
}
