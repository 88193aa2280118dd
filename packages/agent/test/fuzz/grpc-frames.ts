/** Frames are read the same for any chunk boundaries, and the buffer never exceeds the limit. */
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { fuzzTarget } from '../../../../scripts/fuzz/target.ts';
import { frame, readFrames } from '../../src/wire/grpc-frames.ts';

const maxBytes = 4_000;
const bytes = fc.string({
  unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
  maxLength: 60,
});
const piece = fc.oneof(
  fc
    .record({ message: bytes, times: fc.constantFrom(1, 1, 50, 200), gzip: fc.boolean() })
    .map(({ message, times, gzip }) => frame(Buffer.from(message.repeat(times), 'latin1'), gzip).toString('latin1')),
  fc
    .record({ flag: fc.nat({ max: 255 }), size: fc.nat({ max: 0xffff_ffff }), rest: bytes })
    .map(({ flag, size, rest }) => {
      const head = Buffer.alloc(5);
      head[0] = flag;
      head.writeUInt32BE(size >>> 0, 1);
      return head.toString('latin1') + rest;
    }),
  bytes,
);

async function read(input: Buffer, chunk: number) {
  const stream = new PassThrough();
  const [messages, skipped]: [string[], number[]] = [[], []];
  let held = 0;
  let most = 0;
  readFrames(
    stream,
    maxBytes,
    (message) => messages.push(message.toString('latin1')),
    (size) => skipped.push(size),
    (bytesHeld) => {
      held = bytesHeld;
      most = Math.max(most, bytesHeld);
      return true;
    },
  );
  const ended = new Promise((resolve) => stream.on('end', resolve));
  for (let at = 0; at < input.length; at += chunk) stream.write(input.subarray(at, at + chunk));
  stream.end();
  await ended;
  return { messages, skipped, held, most };
}

export const target = fuzzTarget({
  inputs: fc.record({ pieces: fc.array(piece, { maxLength: 5 }), chunk: fc.integer({ min: 1, max: 700 }) }),
  async check({ pieces, chunk }: { readonly pieces: readonly string[]; readonly chunk: number }) {
    const input = Buffer.from(pieces.join(''), 'latin1');
    const [whole, inChunks] = [await read(input, Math.max(1, input.length)), await read(input, chunk)];
    assert.deepEqual(inChunks.messages, whole.messages);
    assert.deepEqual(inChunks.skipped, whole.skipped);
    assert.equal(inChunks.held, whole.held);
    assert.ok(inChunks.most <= maxBytes + 5 + chunk, `${inChunks.most} bytes were held`);
    for (const message of whole.messages) assert.ok(message.length <= maxBytes);
  },
});
