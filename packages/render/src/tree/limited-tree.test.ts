import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitedTree } from './limited-tree.ts';
import type { Tree } from './tree.ts';

const mebibyte = 1024 * 1024;

/** A tree whose files have the size in their name, in MiB. */
const tree: Tree = {
  stat: async () => undefined,
  list: async () => undefined,
  read: async (path) => Buffer.alloc(Number(path) * mebibyte),
};

test('a file of 20 MiB is read, and a larger one is an error', async () => {
  const limited = limitedTree(tree);
  assert.equal((await limited.read('20'))?.length, 20 * mebibyte);
  await assert.rejects(limited.read('20.1'), { reason: 'TooLarge', message: /20\.1 is larger than 20 MiB/ });
});

test('one render reads at most 128 MiB, in any number of files', async () => {
  const limited = limitedTree(tree);
  for (let file = 0; file < 8; file++) await limited.read('16');
  await assert.rejects(limited.read('1'), { reason: 'TooLarge', message: /more than 128 MiB/ });
  assert.ok(await limitedTree(tree).read('1'), 'the next render starts at 0');
});
