import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tarOf } from '../../test/support/tar-writer.ts';
import { readTar, readTarStream, type TarEntry, TarError } from './index.ts';

const limits = { files: 10, fileBytes: 10_000, totalBytes: 100_000 };
const archive = tarOf({ 'a/b': 'hello', c: 'x'.repeat(1000), empty: '' });

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function readStream(bytes: Buffer, size: number): Promise<TarEntry[]> {
  const entries: TarEntry[] = [];
  for await (const entry of readTarStream(pieces(bytes, size), limits)) entries.push(entry);
  return entries;
}

test('an archive has the same entries in memory and as a stream of any piece size', async () => {
  const entries = [...readTar(archive)];
  assert.deepEqual(
    entries.map(({ name, content }) => [name, content.length]),
    [
      ['a/b', 5],
      ['c', 1000],
      ['empty', 0],
    ],
  );
  for (const size of [1, 511, 512, 4096]) assert.deepEqual(await readStream(archive, size), entries);
});

test('an archive that is cut off is invalid, in memory and as a stream', async () => {
  for (const end of [100, 512, 700]) {
    const part = archive.subarray(0, end);
    assert.throws(() => [...readTar(part)], TarError);
    await assert.rejects(readStream(part, 64), TarError);
  }
});

test('a header with a wrong checksum is invalid', () => {
  const damaged = Buffer.from(archive);
  damaged.writeUInt8(0x41, 3);
  assert.throws(() => [...readTar(damaged)], { name: 'TarError', reason: 'Invalid' });
});

test('limits stop a reader before it reads further', () => {
  assert.throws(() => [...readTar(archive, { files: 2, fileBytes: 10_000 })], { reason: 'TooLarge' });
  assert.throws(() => [...readTar(archive, { files: 10, fileBytes: 999 })], { reason: 'TooLarge' });
});
