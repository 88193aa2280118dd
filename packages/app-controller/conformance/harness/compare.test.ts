import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@fairlead/apimachinery';
import { compareObservations, describeDifferences } from './compare.ts';

const result = (name: string, more: JsonObject = {}): JsonObject => ({
  kind: 'ConfigMap',
  name,
  status: 'Synced',
  syncPhase: 'Sync',
  ...more,
});
const synced = (...resources: JsonObject[]): JsonObject => ({ operationState: { syncResult: { resources } } });
const paths = (expected: JsonObject, actual: JsonObject, unordered?: ReadonlySet<string>): string[] =>
  compareObservations(expected, actual, unordered).map((one) => `${one.class} ${one.path}`);

test('a difference is named by its path and class', () => {
  const expected = { sync: { status: 'Synced' }, conditions: [{ type: 'SyncError', message: 'a' }], live: [] };
  const actual = { sync: { status: 'OutOfSync' }, conditions: [], live: [{ kind: 'Secret', name: 's' }] };
  assert.deepEqual(paths(expected, actual), [
    'state sync/status',
    'message conditions/SyncError',
    'live live/Secret s',
  ]);
  assert.deepEqual(describeDifferences(compareObservations({ a: 1 }, {})), [
    'state a\n  expected 1\n  actual   nothing',
  ]);
});

test('a temporary file has any name', () => {
  const one = 'unable to decode "$TMP": no (a)';
  assert.deepEqual(paths({ a: one }, { a: 'unable to decode "configmap/a": no (a)' }), []);
  assert.deepEqual(paths({ a: one }, { a: 'unable to decode "configmap/a": yes (a)' }), ['state a']);
});

test('a value that differed between the recordings equals everything', () => {
  assert.deepEqual(paths({ a: '$UNSTABLE', b: 'x $UNSTABLE z' }, { a: 1, b: 'x y z' }), []);
  assert.deepEqual(paths({ b: 'x $UNSTABLE z' }, { b: 'y z' }), ['state b']);
});

test('the order of results matters between kinds and waves, but not within them', () => {
  assert.deepEqual(paths(synced(result('a'), result('b')), synced(result('b'), result('a'))), []);
  const secret = { ...result('s'), kind: 'Secret' };
  assert.deepEqual(paths(synced(secret, result('a')), synced(result('a'), secret)), [
    'resources operationState/syncResult/resources/order',
  ]);
  const later = { resources: [{ kind: 'ConfigMap', name: 'a', syncWave: 1 }] };
  assert.deepEqual(
    paths({ ...synced(result('b'), result('a')), ...later }, { ...synced(result('a'), result('b')), ...later }),
    ['resources operationState/syncResult/resources/order'],
  );
});

test('the order of the resources counts unless the recordings differed in it', () => {
  const [a, b] = [
    { kind: 'A', name: 'a' },
    { kind: 'B', name: 'b' },
  ];
  assert.deepEqual(paths({ resources: [a, b] }, { resources: [b, a] }), ['resources resources/order']);
  assert.deepEqual(paths({ resources: [a, b] }, { resources: [b, a] }, new Set(['resources'])), []);
});

test('next to a failed object, the hookPhase of other objects may differ, but not their status', () => {
  const refused = result('bad', { status: 'SyncFailed' });
  const one = synced(refused, result('a', { hookPhase: 'Running' }));
  assert.deepEqual(paths(one, synced(refused, result('a', { hookPhase: 'Succeeded' }))), []);
  assert.equal(
    paths(one, synced(refused, result('a', { status: 'Pruned' })))[0],
    'resources operationState/syncResult/resources/Sync ConfigMap a/status',
  );
  assert.equal(paths(synced(result('a', { hookPhase: 'Running' })), synced(result('a'))).length, 1);
});

test('the parts of a joined message may come in any order', () => {
  assert.deepEqual(paths({ message: 'failed, reason: a,b' }, { message: 'failed, reason: b,a' }), []);
  assert.deepEqual(paths({ message: 'failed, reason: a,b' }, { message: 'failed, reason: a,c' }), ['message message']);
});
