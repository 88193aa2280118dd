import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { measureEventLoopLag } from '@fairlead/kube/testing';
import { unpack } from '../src/archive/unpack.ts';
import { type TarInput, tarOf } from './support/tar-writer.ts';

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 64 * 1024) yield bytes.subarray(at, at + 64 * 1024);
}

/** Unpacks, and asserts that this does not block the event loop. */
async function unpackMeasured(entries: readonly TarInput[]): Promise<{ bytes: number } | Error> {
  const archive = gzipSync(tarOf(entries), { level: 1 });
  const lag = measureEventLoopLag();
  const result = await unpack(pieces(archive)).catch((error: Error) => error);
  const longest = lag.stop();
  assert.ok(longest <= 250, `the event loop was blocked for ${longest} ms`);
  return result;
}

const MiB = 1024 * 1024;
const file = (name: string, content: string | Uint8Array = ''): TarInput => ({ name, content });

test('an archive of nearly 100 MiB is unpacked', async () => {
  const content = randomBytes(18 * MiB);
  const result = await unpackMeasured(Array.from({ length: 5 }, (_, i) => file(`f${i}`, content)));
  assert.ok(!(result instanceof Error) && result.bytes > 90 * MiB);
});

test('an archive of 19,000 files is unpacked', async () => {
  const result = await unpackMeasured(
    Array.from({ length: 19_000 }, (_, i) => file(`a/${i % 100}/${i}.yaml`, `a: ${i}`)),
  );
  assert.ok(!(result instanceof Error));
});

const refused: [what: string, entries: () => readonly TarInput[], message: RegExp][] = [
  [
    'an archive that unpacks to more than 200 times its size',
    () => Array.from({ length: 6 }, (_, i) => file(`f${i}`, Buffer.alloc(10 * MiB))),
    /unpacked it has more than 200 times its size/,
  ],
  [
    'an archive of more than 100 MiB',
    () => {
      const content = randomBytes(18 * MiB);
      return Array.from({ length: 6 }, (_, i) => file(`f${i}`, content));
    },
    /unpacked it has more than 104857600 bytes/,
  ],
  [
    'folders 65 deep',
    () => [{ name: '././@LongLink', type: 'L', content: `${'d/'.repeat(65)}f` }, file('f')],
    /is more than 64 folders deep/,
  ],
  [
    'few files in many folders',
    () => Array.from({ length: 700 }, (_, i) => file(`${i}/${'d/'.repeat(40)}f`)),
    /more than 20000 files and directories/,
  ],
];
for (const [what, entries, message] of refused) {
  test(`${what} is refused`, async () => {
    const result = await unpackMeasured(entries());
    assert.ok(result instanceof Error);
    assert.match(result.message, message);
  });
}
