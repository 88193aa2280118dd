import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application } from '@fairlead/api';
import { statusChanges, syncEnded, syncStarted } from './events.ts';

const application = (sync?: string, health?: string): Application => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'a', namespace: 'argocd' },
  spec: { project: 'default', destination: {} },
  status: { ...(sync ? { sync: { status: sync } } : {}), ...(health ? { health: { status: health } } : {}) },
});

test('a changed status is reported, an unchanged one is not', () => {
  const notes = statusChanges(application('OutOfSync', 'Healthy'), application('Synced', 'Healthy')).map(
    ({ note }) => note,
  );
  assert.deepEqual(notes, ['Updated sync status: OutOfSync -> Synced']);
  assert.deepEqual(
    statusChanges(application(), application('Synced', 'Healthy')).map(({ note }) => note),
    ['Updated sync status:  -> Synced; Updated health status:  -> Healthy'],
  );
});

test('the end of a sync is reported with its revision, and as a warning if it failed', () => {
  const state = { operation: {}, startedAt: '', syncResult: { revision: 'abc' } };
  assert.deepEqual(
    [syncEnded(application(), { ...state, phase: 'Succeeded' })].map(({ type, note }) => `${type}: ${note}`),
    ['Normal: Sync operation to abc succeeded'],
  );
  assert.deepEqual(
    [syncEnded(application(), { ...state, phase: 'Failed', message: 'no quota' })].map(
      ({ type, note }) => `${type}: ${note}`,
    ),
    ['Warning: Sync operation to abc failed: no quota'],
  );
});

test('the event of the start or end of a sync includes the status changes', () => {
  const started = syncStarted(application(), application('OutOfSync', 'Missing'), 'abc');
  assert.equal(
    started.note,
    "Initiated automated sync to 'abc'; Updated sync status:  -> OutOfSync; Updated health status:  -> Missing",
  );
  const state = { operation: {}, startedAt: '', syncResult: { revision: 'abc' }, phase: 'Succeeded' };
  const ended = syncEnded(application('OutOfSync', 'Missing'), state, application('Synced', 'Missing'));
  assert.equal(ended.note, 'Sync operation to abc succeeded; Updated sync status: OutOfSync -> Synced');
});

test('a new condition is reported, an existing one is not, and the content of the status is reported once', () => {
  const before: Application = {
    ...application(),
    status: { conditions: [{ type: 'SyncError', message: 'old' }] },
  };
  const after: Application = {
    ...application(),
    status: {
      conditions: [
        { type: 'SyncError', message: 'old' },
        { type: 'OutOfSync', message: 'ConfigMap web/a does not exist' },
        { type: 'SharedResourceWarning', message: 'ConfigMap/a is part of applications a and b' },
      ],
    },
  };
  assert.deepEqual(
    statusChanges(before, after).map(({ type, reason, note }) => [type, reason, note]),
    [['Warning', 'SharedResourceWarning', 'ConfigMap/a is part of applications a and b']],
  );
});
