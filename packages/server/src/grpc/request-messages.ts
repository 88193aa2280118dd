import type { Readable } from 'node:stream';
import { readFrames } from '@fairlead/agent/grpc';
import { limits } from '@fairlead/kube';
import { RpcError } from '../rpc/rpc-error.ts';
import { deadlineExceeded } from './deadline.ts';

export interface RequestLimits {
  readonly maxBytes: number;
  /** How long the next message may take. */
  readonly messageMs?: number;
  readonly encoding: string;
}

/** The messages of a request as they arrive; nothing is read while one waits for its reader. Throws an RpcError for what is not a message, too large, or late. */
export async function* requestMessages(
  stream: Readable,
  { maxBytes, encoding, messageMs = limits.apiRequestMs }: RequestLimits,
): AsyncGenerator<Buffer> {
  const waiting: Buffer[] = [];
  let incomplete = 0;
  const request: { end?: 'ended' | RpcError } = {};
  let wake = (): void => {};
  const finish = (how: 'ended' | RpcError): void => {
    request.end ??= how;
    wake();
  };
  readFrames(
    stream,
    maxBytes,
    (message) => {
      waiting.push(message);
      stream.pause();
      wake();
    },
    (size) => finish(tooLarge(size, maxBytes)),
    (bytes) => {
      incomplete = bytes;
      return request.end === undefined;
    },
    (reason) =>
      finish(new RpcError('Internal', `grpc: failed to decompress the received message: ${reason} (${encoding})`)),
  );
  stream.once('end', () => finish(incomplete > 0 ? new RpcError('Internal', 'unexpected EOF') : 'ended'));
  stream.once('error', () => finish(new RpcError('Canceled', 'context canceled')));
  stream.once('close', () => finish(new RpcError('Canceled', 'context canceled')));
  if (stream.readableEnded) finish('ended');
  else if (stream.destroyed) finish(new RpcError('Canceled', 'context canceled'));
  for (;;) {
    const next = waiting.shift();
    if (next) {
      yield next;
      continue;
    }
    if (request.end === 'ended') return;
    if (request.end) throw request.end;
    stream.resume();
    await untilWoken(
      (resolve) => (wake = resolve),
      messageMs,
      () => finish(deadlineExceeded()),
    );
  }
}

function untilWoken(onWake: (resolve: () => void) => void, ms: number, onLate: () => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(onLate, ms);
    onWake(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

const tooLarge = (size: number, maxBytes: number): RpcError =>
  new RpcError('ResourceExhausted', `grpc: received message larger than max (${size} vs. ${maxBytes})`);
