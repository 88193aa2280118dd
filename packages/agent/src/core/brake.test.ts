import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DeletionBrake } from './brake.ts';

const uids = (count: number, from = 0): string[] => Array.from({ length: count }, (_, index) => `uid-${from + index}`);

test('up to ten deletions, and up to a fifth, are allowed', () => {
  assert.equal(new DeletionBrake().allow(uids(10), 12, 0), true);
  assert.equal(new DeletionBrake().allow(uids(20), 100, 0), true);
  assert.equal(new DeletionBrake().allow(uids(21), 100, 0), false);
  assert.equal(new DeletionBrake().allow(uids(11), 12, 0), false);
});

test('single deletions within a minute are counted together', () => {
  const brake = new DeletionBrake();
  const passed = uids(30).filter((uid, index) => brake.allow([uid], 50 - index, index));
  assert.ok(passed.length <= 10, `${passed.length} passed`);
  assert.equal(new DeletionBrake().allow(uids(1), 50, 0, 30), false, 'the first of thirty in progress');
  const slow = new DeletionBrake();
  assert.ok(uids(30).every((uid, index) => slow.allow([uid], 50 - index, index * 61_000)));
});

test('held deletions are allowed when exactly this set is confirmed, and released when the source has the object', () => {
  const brake = new DeletionBrake();
  brake.allow(uids(30), 30, 0);
  const { token, deletions } = brake.report(30)!;
  assert.equal(deletions, 30);
  brake.allow(uids(31), 31, 0);
  assert.equal(brake.confirm(token, 31), false, 'it is another set by now');
  brake.release('uid-30');
  assert.equal(brake.confirm(token, 30), true);
  assert.equal(brake.allow(uids(30), 30, 1), true);
  assert.equal(brake.report(30), undefined);
});
