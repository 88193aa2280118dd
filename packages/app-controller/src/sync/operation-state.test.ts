import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application, OperationState } from '@fairlead/api';
import { nextTry, resumable, stateWith } from './operation-state.ts';
import { retryAt } from './retry.ts';

const source = { repoURL: 'https://example.com/shop', path: 'web' };
const operation = { sync: { prune: true }, retry: { limit: 3, backoff: { duration: '10s' } } };
const state: OperationState = { operation, phase: 'Running', startedAt: '2026-01-01T10:00:00Z' };
const application = (change: Partial<Application>): Application => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'shop', namespace: 'argocd' },
  spec: { project: 'default', source, destination: {} },
  ...change,
});

test('an operation is resumed if it is the one that was started, and not finished', () => {
  const found = (operationState: OperationState) => resumable(application({ operation, status: { operationState } }));
  assert.equal(found(state), state);
  assert.equal(found({ ...state, phase: 'Terminating' })?.phase, 'Terminating');
  assert.equal(found({ ...state, phase: 'Succeeded' }), undefined);
  assert.equal(found({ ...state, operation: { sync: {} } }), undefined, 'another one');
  assert.equal(resumable(application({ operation })), undefined);
});

test('what a pass came to is in the state; a pass that came to nothing leaves what was known', () => {
  const results = [{ group: '', version: 'v1', kind: 'ConfigMap', namespace: 'web', name: 'a' }];
  const one = stateWith(application({}), state, {
    phase: 'Running',
    message: 'waiting',
    results,
    revisions: ['abc'],
    sources: [source],
  });
  assert.deepEqual(one.syncResult, { revision: 'abc', source, resources: results });
  const after = stateWith(application({}), one, { phase: 'Error', message: 'away', results: [] });
  assert.deepEqual(after.syncResult, one.syncResult);
  assert.equal(after.message, 'away');
});

test('the next try starts again at the same revision, or with refresh without one', () => {
  const failed: OperationState = {
    ...state,
    retryCount: 2,
    finishedAt: '2026-01-01T10:05:00Z',
    message: 'no. Retrying attempt #2 at …',
    syncResult: { revision: 'abc', source, resources: [] },
  };
  assert.equal(retryAt(failed), Date.parse('2026-01-01T10:05:20Z'), 'twice ten seconds after it failed');
  assert.equal(retryAt(state), undefined, 'under way');
  const again = nextTry(failed);
  assert.equal(again.message, 'Retrying operation. Attempt #2');
  assert.equal(again.finishedAt, undefined);
  assert.deepEqual(again.syncResult, { revision: 'abc', source });
  const refresh = { ...failed, operation: { ...operation, retry: { ...operation.retry, refresh: true } } };
  assert.equal(nextTry(refresh).syncResult, undefined);
  assert.equal(nextTry(refresh).message, 'Retrying operation with latest revisions. Attempt #2');
});
