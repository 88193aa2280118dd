import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type NewCondition, setConditions, truncateConditions } from './conditions.ts';

const warning = (n: number): NewCondition => ({ type: 'SharedResourceWarning', message: `ConfigMap/${n} is shared` });

test('an unchanged condition keeps its time; unowned types remain; the others are removed', () => {
  const before = [
    { type: 'SyncError', message: 'same', lastTransitionTime: 'then' },
    { type: 'ComparisonError', message: 'gone', lastTransitionTime: 'then' },
    { type: 'SomeoneElses', message: 'x', lastTransitionTime: 'then' },
  ];
  const owned = new Set(['SyncError', 'ComparisonError']);
  const now: NewCondition[] = [
    { type: 'SyncError', message: 'same' },
    { type: 'SyncError', message: 'new' },
  ];
  assert.deepEqual(setConditions(before, owned, now, 'now'), [
    { type: 'SomeoneElses', message: 'x', lastTransitionTime: 'then' },
    { type: 'SyncError', message: 'new', lastTransitionTime: 'now' },
    { type: 'SyncError', message: 'same', lastTransitionTime: 'then' },
  ]);
});

test('thousands of conditions of one type are truncated without losing other types', () => {
  const error: NewCondition = { type: 'ComparisonError', message: 'x' };
  const kept = truncateConditions([...Array.from({ length: 5_000 }, (_, n) => warning(n)), error]);
  assert.equal(kept.length, 22);
  assert.deepEqual(kept.slice(-2), [error, { type: 'SharedResourceWarning', message: 'and 4980 more of this kind' }]);
  assert.deepEqual(truncateConditions([warning(1), error]), [warning(1), error]);
});
