import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecentFetches } from './recent-fetches.ts';

test('one look serves all who come within a moment, and none who asks for a look of its own', () => {
  let now = 0;
  const looks = new RecentFetches({ now: () => now });
  assert.equal(looks.isDue(['a'], true), true);
  now = 1_999;
  assert.equal(looks.isDue(['a'], true), false);
  assert.equal(looks.isDue(['a', 'b'], true), true, 'not all of them were looked at');
  assert.equal(looks.isDue(['a'], false), true, 'it was asked for');
  now = 3_998;
  assert.equal(looks.isDue(['a'], true), false);
  now = 3_999;
  assert.equal(looks.isDue(['a'], true), true);
});
