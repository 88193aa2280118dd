import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retryDelay, retryDuration } from './retry.ts';

test('durations are parsed', () => {
  for (const [text, ms] of [
    ['5s', 5000],
    ['2m30s', 150_000],
    ['1h', 3_600_000],
    ['100ms', 100],
    ['1.5s', 1500],
    ['7', 7000],
  ] as const) {
    assert.equal(retryDuration(text, -1), ms, text);
  }
  for (const text of ['', undefined]) assert.equal(retryDuration(text, -1), -1, text);
  for (const text of ['soon', '5 s', '5x'])
    assert.throws(() => retryDuration(text, -1), /^Error: unable to parse .* as a duration$/);
});

test('delays grow by the factor up to the maximum, and end at the limit', () => {
  const strategy = { limit: 5, backoff: { duration: '5s', factor: 2, maxDuration: '30s' } };
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6].map((tries) => retryDelay(strategy, tries)),
    [5000, 10_000, 20_000, 30_000, 30_000, undefined],
  );
});

test('without a strategy there is no retry; a limit below 0 is unlimited', () => {
  assert.equal(retryDelay(undefined, 1), undefined);
  assert.equal(retryDelay({ limit: -1 }, 1000), 180_000);
});
