import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readLines } from './read-lines.ts';

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function* cut(bytes: Uint8Array, borders: readonly number[]): AsyncGenerator<Uint8Array> {
  const at = [...new Set(borders.map((border) => border % (bytes.length + 1)))].sort((a, b) => a - b);
  let start = 0;
  for (const border of [...at, bytes.length]) {
    yield bytes.subarray(start, border);
    start = border;
  }
}

test('lines are complete for any chunk boundaries, also within a character', async () => {
  const text = fc
    .string({ unit: fc.constantFrom('a', 'é', '漢', '🚢', '"', ' '), minLength: 1 })
    .filter((s) => s.trim() !== '');
  await fc.assert(
    fc.asyncProperty(fc.array(text), fc.array(fc.nat(10_000)), async (lines, borders) => {
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
      assert.deepEqual(await collect(readLines(cut(bytes, borders))), lines);
    }),
  );
});

test('a stream that ends within a line throws after the previous lines', async () => {
  const lines: string[] = [];
  const read = async () => {
    for await (const line of readLines(cut(Buffer.from('one\ntwo\n{"cut'), []))) lines.push(line);
  };
  await assert.rejects(read, /ended within a line/);
  assert.deepEqual(lines, ['one', 'two']);
});
