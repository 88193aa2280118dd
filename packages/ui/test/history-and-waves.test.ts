import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OperationState, SyncResultItem } from '../app/api/read-application.ts';
import { compareManifests } from '../app/application/history/compare-model.ts';
import { waveProgress } from '../app/application/operation/wave-progress.ts';

const configMap = (name: string, data: object) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'demo' },
  data,
});

test('two revisions are compared object by object', () => {
  const changes = compareManifests(
    [configMap('a', { size: '1' }), configMap('b', {}), configMap('gone', {})],
    [configMap('a', { size: '2' }), configMap('b', {}), configMap('new', {})],
  );
  assert.deepEqual(
    changes.map(({ name, change }) => `${name} ${change}`),
    ['a changed', 'gone removed', 'new added'],
  );
  assert.match(changes[0]?.from ?? '', /size: "1"/u);
  assert.equal(changes[2]?.from, '');
});

const ref = { group: '', namespace: 'demo' };
const plan = {
  waves: [
    { phase: 'PreSync', wave: 0, tasks: [{ ...ref, kind: 'Job', name: 'migrate', action: 'hook', hook: 'PreSync' }] },
    { phase: 'Sync', wave: 0, tasks: [{ ...ref, kind: 'ConfigMap', name: 'a', action: 'create' }] },
    { phase: 'Sync', wave: 1, tasks: [{ ...ref, kind: 'ConfigMap', name: 'b', action: 'update' }] },
  ],
} as const;
const operation = (...results: readonly Partial<SyncResultItem>[]): OperationState => ({
  phase: 'Running',
  message: '',
  startedAt: '',
  finishedAt: '',
  initiatedBy: '',
  revision: '',
  results: results.map((result) => ({
    ...ref,
    kind: 'ConfigMap',
    name: '',
    status: '',
    hookPhase: '',
    hookType: '',
    phase: 'Sync',
    message: '',
    ...result,
  })),
});
const states = (state: OperationState) => waveProgress(plan, state).map((wave) => wave.state);

test('a wave is done, runs, or waits for those before it', () => {
  assert.deepEqual(states(operation()), ['Running', 'Waiting', 'Waiting']);
  const hook = { kind: 'Job', name: 'migrate', phase: 'PreSync' };
  assert.deepEqual(states(operation({ ...hook, hookPhase: 'Running' })), ['Running', 'Waiting', 'Waiting']);
  assert.deepEqual(states(operation({ ...hook, hookPhase: 'Succeeded' }, { name: 'a', status: 'Synced' })), [
    'Succeeded',
    'Succeeded',
    'Running',
  ]);
});

test('a wave whose object was refused has failed, with the message', () => {
  const waves = waveProgress(plan, operation({ name: 'a', status: 'SyncFailed', message: 'is forbidden' }));
  assert.equal(waves[1]?.state, 'Failed');
  assert.equal(waves[1]?.tasks[0]?.message, 'is forbidden');
});
