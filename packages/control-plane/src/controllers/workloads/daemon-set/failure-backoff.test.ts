import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FailureBackoff } from './failure-backoff.ts';

test('each replacement doubles the back-off', () => {
  const backoff = new FailureBackoff();
  assert.equal(backoff.take('a', 0), undefined);
  assert.equal(backoff.take('a', 400), 600);
  assert.equal(backoff.take('a', 1000), undefined);
  assert.equal(backoff.take('a', 2500), 500);
  assert.equal(backoff.take('b', 2500), undefined, 'another node');
  let now = 3000;
  for (let n = 0; n < 20; n += 1) now += backoff.take('a', now) ?? 0;
  assert.equal(backoff.take('a', now + 31 * 60_000 * 2), undefined);
});
