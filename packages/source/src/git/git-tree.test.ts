import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTreeObject } from './git-tree.ts';

const id = '12'.repeat(20);
const entry = (mode: string, name: string): Buffer =>
  Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]);

test('the entries of a tree object are parsed and sorted by name', () => {
  assert.deepEqual(parseTreeObject(Buffer.concat([entry('40000', 'dir'), entry('100644', 'a')]), 20), [
    { name: 'a', type: 'file', id },
    { name: 'dir', type: 'directory', id },
  ]);
});

test('a tree object that ends within an entry is damaged', () => {
  const whole = entry('100644', 'a');
  for (let length = 1; length < whole.length; length++)
    assert.throws(
      () => parseTreeObject(whole.subarray(0, length), 20),
      { reason: 'InvalidArchive' },
      `${length} bytes`,
    );
});
