import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoized } from './collections.ts';

test('a result is computed once, and again after it was evicted', () => {
  const computed: string[] = [];
  const upper = memoized((text) => {
    computed.push(text);
    return text.toUpperCase();
  }, 2);
  assert.deepEqual(['a', 'a', 'b', 'a', 'c', 'a'].map(upper), ['A', 'A', 'B', 'A', 'C', 'A']);
  assert.deepEqual(computed, ['a', 'b', 'c', 'a']);
});

test('an error is not cached', () => {
  let calls = 0;
  const failing = memoized(() => {
    calls += 1;
    throw new Error('no');
  });
  assert.throws(() => failing('a'), /no/);
  assert.throws(() => failing('a'), /no/);
  assert.equal(calls, 2);
});
