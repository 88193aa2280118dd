import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecentFetches } from './recent-fetches.ts';

test('automatic requests within two seconds share one fetch; explicit ones do not', () => {
  let now = 0;
  const fetches = new RecentFetches({ now: () => now });
  assert.equal(fetches.isDue(['a'], true), true);
  now = 1_999;
  assert.equal(fetches.isDue(['a'], true), false);
  assert.equal(fetches.isDue(['a', 'b'], true), true, 'not all of them were fetched');
  assert.equal(fetches.isDue(['a'], false), true, 'it was requested');
  now = 3_998;
  assert.equal(fetches.isDue(['a'], true), false);
  now = 3_999;
  assert.equal(fetches.isDue(['a'], true), true);
});
