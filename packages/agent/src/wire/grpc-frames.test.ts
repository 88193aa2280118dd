import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { frame, readFrames } from './grpc-frames.ts';

/** The messages read from the bytes in chunks of this size. */
async function read(
  bytes: Buffer,
  maxBytes: number,
  piece: number,
): Promise<{ received: string[]; skipped: number[] }> {
  const stream = new PassThrough();
  const [received, skipped]: [string[], number[]] = [[], []];
  readFrames(
    stream,
    maxBytes,
    (message) => received.push(message.toString()),
    (size) => skipped.push(size),
  );
  const ended = new Promise((resolve) => stream.on('end', resolve));
  for (let at = 0; at < bytes.length; at += piece) stream.write(bytes.subarray(at, at + piece));
  stream.end();
  await ended;
  return { received, skipped };
}

const large = 'words '.repeat(2_000);

test('messages are read back as written, compressed or not, in chunks of any size', async () => {
  const bytes = Buffer.concat([
    frame(Buffer.from('a')),
    frame(Buffer.from(large), true),
    frame(Buffer.from('b'), true),
  ]);
  assert.ok(bytes.length < 500, `${bytes.length} bytes`);
  for (const piece of [1, 7, 100, bytes.length])
    assert.deepEqual(await read(bytes, 100_000, piece), { received: ['a', large, 'b'], skipped: [] });
});

test('messages that are too large, also after decompression, or not gzip are skipped; later ones are read', async () => {
  const bomb = frame(Buffer.from('0'.repeat(10_000_000)), true);
  const strange = frame(Buffer.from('not gzip at all'));
  strange[0] = 1;
  const bytes = Buffer.concat([bomb, frame(Buffer.alloc(60_000)), strange, frame(Buffer.from('after'))]);
  for (const piece of [13, 5_000, bytes.length]) {
    const { received, skipped } = await read(bytes, 50_000, piece);
    assert.deepEqual(received, ['after']);
    assert.deepEqual(skipped, [bomb.length - 5, 60_000, 15]);
  }
  assert.ok(gzipSync('0'.repeat(10_000_000)).length < 50_000, 'it is small as it travels');
});
