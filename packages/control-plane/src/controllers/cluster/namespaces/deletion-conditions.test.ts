import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deletionConditions, type Remaining } from './deletion-conditions.ts';

const nothing: Remaining = { kinds: new Map(), finalizers: new Map(), errors: [] };
const left: Remaining = {
  kinds: new Map([
    ['widgets.example.com', 2],
    ['configmaps.', 1],
  ]),
  finalizers: new Map([['example.com/hold', 3]]),
  errors: ['b failed', 'a failed'],
};
const said = (remaining: Remaining) =>
  Object.fromEntries(
    deletionConditions([], remaining, 'now')!.map(({ type, status, reason, message }) => [
      type,
      [status, reason, message],
    ]),
  );

test('remaining objects of a namespace are counted by kind and by finalizer', () => {
  const conditions = said(left);
  assert.deepEqual(conditions['NamespaceContentRemaining'], [
    'True',
    'SomeResourcesRemain',
    'Some resources are remaining: configmaps. has 1 resource instances, widgets.example.com has 2 resource instances',
  ]);
  assert.deepEqual(conditions['NamespaceFinalizersRemaining'], [
    'True',
    'SomeFinalizersRemain',
    'Some content in the namespace has finalizers remaining: example.com/hold in 3 resource instances',
  ]);
  assert.deepEqual(conditions['NamespaceDeletionContentFailure'], [
    'True',
    'ContentDeletionFailed',
    'Failed to delete all resource types, 2 remaining: a failed, b failed',
  ]);
});

test('conditions of an empty namespace are all False and written once', () => {
  const conditions = deletionConditions([], nothing, 'then')!;
  assert.ok(conditions.every(({ status }) => status === 'False'));
  assert.equal(conditions.length, 5);
  assert.equal(deletionConditions(conditions, nothing, 'now'), undefined);
});

test('a condition keeps its time while its status is unchanged', () => {
  const before = deletionConditions([], left, 'then')!;
  const fewer = deletionConditions(before, { ...left, kinds: new Map([['configmaps.', 1]]) }, 'now')!;
  const remaining = fewer.find(({ type }) => type === 'NamespaceContentRemaining')!;
  assert.equal(remaining.lastTransitionTime, 'then');
  const none = deletionConditions(fewer, nothing, 'now')!;
  assert.equal(none.find(({ type }) => type === 'NamespaceContentRemaining')!.lastTransitionTime, 'now');
});
