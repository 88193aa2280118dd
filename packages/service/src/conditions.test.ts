import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextConditions } from './conditions.ts';

const error = { type: 'ErrorOccurred', status: 'True', reason: 'InvalidPath', message: 'no' };

test('a condition keeps the time of its last change of status', () => {
  const first = nextConditions([], [error], 'then');
  assert.deepEqual(first, [{ ...error, lastTransitionTime: 'then' }]);
  const second = nextConditions(first, [{ ...error, message: 'still no' }], 'now');
  assert.deepEqual(second, [{ ...error, message: 'still no', lastTransitionTime: 'then' }]);
});

test('a condition that no longer applies becomes False with the reason Resolved, and stays', () => {
  const resolved = nextConditions([{ ...error, lastTransitionTime: 'then' }], [], 'now');
  const desired = [
    { type: 'ErrorOccurred', status: 'False', reason: 'ErrorOccurredResolved', message: '', lastTransitionTime: 'now' },
  ];
  assert.deepEqual(resolved, desired);
  assert.deepEqual(nextConditions(resolved, [], 'later'), desired);
});
