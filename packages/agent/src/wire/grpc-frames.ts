import type { Readable, Writable } from 'node:stream';
import { constants, gunzipSync, gzipSync } from 'node:zlib';
import { textAt } from '@fairlead/apimachinery';

/** The status codes of gRPC that are used. */
export const grpcStatus = {
  ok: 0,
  cancelled: 1,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const;

export class GrpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = 'GrpcError';
    this.code = code;
  }
}

/** Compressing smaller messages costs more time than it saves. */
const worthBytes = 2_048;

/** A message with its prefix: whether it is compressed, and its length. */
export function frame(message: Uint8Array, gzip = false): Buffer {
  const small = gzip && message.length >= worthBytes ? gzipSync(message, { level: constants.Z_BEST_SPEED }) : undefined;
  const body = small && small.length < message.length ? small : message;
  const head = Buffer.alloc(5);
  head[0] = body === message ? 0 : 1;
  head.writeUInt32BE(body.length, 1);
  return Buffer.concat([head, body]);
}

/** Called when a message is sent, or cannot be. */
export type Sent = (error?: Error | null) => void;

/** Writes to a stream of HTTP/2; one that is closed takes nothing. */
export function writeFrame(stream: Writable, bytes: Buffer, sent?: Sent): void {
  if (stream.destroyed || stream.writableEnded) sent?.(new GrpcError(grpcStatus.cancelled, 'the call is over'));
  else stream.write(bytes, sent);
}

/**
 * Calls back with each message of a stream. A message that is larger than `maxBytes` is skipped as it arrives, and its size reported:
 * it takes no memory, and the messages after it are read. One that would be too large after decompression is skipped too. `hold` gets the
 * number of bytes of incomplete messages whenever it changes; if it returns false, the rest of the stream is discarded. A message that
 * cannot be decompressed counts as too large, unless `onInvalid` takes the reason.
 */
export function readFrames(
  stream: Readable,
  maxBytes: number,
  onMessage: (message: Buffer) => void,
  onTooLarge: (size: number) => void,
  hold: (bytes: number) => boolean = () => true,
  onInvalid?: (reason: string) => void,
): void {
  let waiting: Buffer[] = [];
  let have = 0;
  let skip = 0;
  let discards = false;
  stream.on('data', (chunk: Buffer) => {
    if (discards) return;
    let rest = chunk;
    if (skip > 0) {
      const gone = Math.min(skip, rest.length);
      skip -= gone;
      rest = rest.subarray(gone);
    }
    if (rest.length === 0) return;
    waiting.push(rest);
    have += rest.length;
    if (!hold(have)) {
      discards = true;
      waiting = [];
      return;
    }
    if (have < 5) return;
    const [first = rest] = waiting;
    let buffer = waiting.length === 1 ? first : undefined;
    const size = (): number => {
      buffer ??= Buffer.concat(waiting, have);
      return buffer.readUInt32BE(1);
    };
    // Joining the chunks for each piece of a large message would take quadratic time.
    if (
      waiting.length > 1 &&
      first.length >= 5 &&
      first.readUInt32BE(1) <= maxBytes &&
      have < 5 + first.readUInt32BE(1)
    )
      return;
    buffer ??= Buffer.concat(waiting, have);
    while (buffer.length >= 5) {
      const length = size();
      if (length > maxBytes) {
        onTooLarge(length);
        const gone = Math.min(buffer.length, 5 + length);
        skip = 5 + length - gone;
        buffer = buffer.subarray(gone);
        continue;
      }
      if (buffer.length < 5 + length) break;
      const message = buffer.subarray(5, 5 + length);
      if (buffer[0] === 0) onMessage(message);
      else {
        const whole = unpacked(message, maxBytes);
        if ('message' in whole) onMessage(whole.message);
        else if (whole.problem === 'too large' || !onInvalid) onTooLarge(length);
        else onInvalid(whole.problem);
      }
      buffer = buffer.subarray(5 + length);
    }
    // A copy, so that the end of a large chunk does not keep all of it.
    waiting = buffer.length > 0 ? [buffer.length < chunk.length ? Buffer.from(buffer) : buffer] : [];
    have = buffer.length;
    hold(have);
  });
}

function unpacked(message: Buffer, maxBytes: number): { readonly message: Buffer } | { readonly problem: string } {
  try {
    return { message: gunzipSync(message, { maxOutputLength: maxBytes }) };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { problem: textAt(error, 'code') === 'ERR_BUFFER_TOO_LARGE' ? 'too large' : error.message };
  }
}
