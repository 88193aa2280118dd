import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecentActivity } from './recent-activity.ts';

test('a single user sees no activity of others', () => {
  const activity = new RecentActivity(1_000);
  for (const now of [0, 10, 20]) assert.equal(activity.record('a', now), false);
});

test('others count as active for a while after their last activity', () => {
  const activity = new RecentActivity(1_000);
  activity.record('a', 0);
  assert.equal(activity.record('b', 10), true);
  assert.equal(activity.record('b', 1_000), true);
  assert.equal(activity.record('b', 1_001), false);
  assert.equal(activity.record('a', 1_002), true);
});
