import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countLine, readCountLine, Tally } from './tally.ts';

test('cases are counted by group, and skipped cases are named by reason', () => {
  const tally = new Tally();
  tally.add({ group: 'get', name: 'a', passed: true, exact: true });
  tally.add({ group: 'get', name: 'b', passed: true });
  tally.add({ group: 'get', name: 'c', passed: false, detail: 'wrong' });
  tally.add({ group: 'delete', name: 'd', passed: false, skipped: 'old kubectl' });
  tally.add({ group: 'delete', name: 'e', passed: false, skipped: 'old kubectl' });
  assert.deepEqual(tally.lines(), [
    'get: 2 of 3, 1 exact',
    'delete: 0 of 2, 2 skipped',
    'skipped: delete/d, delete/e: old kubectl',
    '2 passed, 1 failed, 2 skipped',
  ]);
});

test('the last line is read back as counts', () => {
  for (const counts of [
    { passed: 3, failed: 0, skipped: 0 },
    { passed: 3, failed: 1, skipped: 2 },
  ])
    assert.deepEqual(readCountLine(`get: 2 of 3\n${countLine(counts)}\n`), counts);
});

test('an output that does not end with the counts has none', () => {
  for (const output of ['', '3 passed, 0 failed\nTypeError: x', 'Error: no 3 passed'])
    assert.equal(readCountLine(output), undefined);
});
