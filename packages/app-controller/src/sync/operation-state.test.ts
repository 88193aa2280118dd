import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Application, applicationKind, type OperationState } from '@fairlead/api';
import { SimApiServer, Simulation } from '@fairlead/sim';
import { nextTry, resumable, stateWith, writeOperation } from './operation-state.ts';
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

test('an operation is resumed if the state belongs to it and is not finished', () => {
  const found = (operationState: OperationState) => resumable(application({ operation, status: { operationState } }));
  assert.equal(found(state), state);
  assert.equal(found({ ...state, phase: 'Terminating' })?.phase, 'Terminating');
  assert.equal(found({ ...state, phase: 'Succeeded' }), undefined);
  assert.equal(found({ ...state, operation: { sync: {} } }), undefined, 'another one');
  assert.equal(resumable(application({ operation })), undefined);
});

test('the result of a pass is stored in the state; a pass without a result keeps the previous one', () => {
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
  const blocked = { phase: 'Running', message: 'blocked', results: [] } as const;
  assert.deepEqual(
    stateWith(application({}), state, blocked).syncResult,
    { revision: '', source },
    'the requested revision',
  );
  const named = { ...state, operation: { sync: { revision: 'v1' } } };
  assert.deepEqual(stateWith(application({}), named, blocked).syncResult, { revision: 'v1', source });
  assert.equal(stateWith(application({}), state, { ...blocked, noResult: true }).syncResult, undefined);
});

test('a retry starts at the same revision, or with refresh without one', () => {
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

/** Writes that this attempt has failed, while the Application has this state. */
async function writtenOver(operationState: OperationState) {
  const sim = new Simulation(1);
  const server = new SimApiServer(sim);
  const { type } = applicationKind;
  const read = server.store.create(type, application({ operation, status: { operationState: state } }));
  server.store.replace(type, { ...read, status: { operationState } });
  const client = server.client(sim.process('controller'));
  let done = false;
  const written = writeOperation(
    { client, applications: { wrote: () => {} } },
    read,
    state,
    () => ({ status: { operationState: { ...state, phase: 'Failed' } } }),
    new AbortController().signal,
  ).finally(() => {
    done = true;
  });
  await sim.reach(() => done, 60_000);
  const [stored] = server.store.list<Application>(type);
  return { written: await written, phase: stored?.status?.operationState?.phase };
}

test('the operation state is written over concurrent status changes, unless the operation ended or was replaced', async () => {
  assert.equal((await writtenOver({ ...state, message: 'from another writer' })).phase, 'Failed');
  assert.deepEqual(await writtenOver({ ...state, phase: 'Succeeded' }), { written: undefined, phase: 'Succeeded' });
  const nextOne = { ...state, startedAt: '2026-01-01T11:00:00Z' };
  assert.deepEqual(await writtenOver(nextOne), { written: undefined, phase: 'Running' });
  assert.equal((await writtenOver({ ...state, retryCount: 1 })).written, undefined, 'another try');
});
