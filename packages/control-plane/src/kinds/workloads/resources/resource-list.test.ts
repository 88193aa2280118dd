import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMultipleOf, isWhole, minus } from './resource-list.ts';

test('a difference has the format of the first quantity', () => {
  assert.equal(minus('2', '500m'), '1500m');
});

test('integers and multiples are recognized', () => {
  assert.deepEqual(['1', '1k', '1500m', '2000m'].map(isWhole), [true, true, false, true]);
  assert.deepEqual([isMultipleOf('4Mi', '2Mi'), isMultipleOf('3Mi', '2Mi')], [true, false]);
});
