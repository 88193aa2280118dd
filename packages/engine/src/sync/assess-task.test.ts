import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@fairlead/apimachinery';
import type { Health } from '../health/health.ts';
import { assessTask } from './assess-task.ts';
import type { TaskState } from './sync-task.ts';

const pod: KubeObject = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'web' } };
const state = (hook: boolean, live: KubeObject | undefined = pod): TaskState => ({
  task: {
    id: { group: '', kind: 'Pod', namespace: 'web', name: 'p' },
    phase: 'Sync',
    wave: 0,
    action: 'apply',
    hook,
    target: pod,
  },
  result: { status: 'Synced', phase: 'Running', message: 'pod/p created' },
  ...(live ? { live } : {}),
});
const outcome = (hook: boolean, health: Health | undefined, live?: KubeObject): string => {
  const result = assessTask(state(hook, live), () => health);
  return result ? `${result.status} ${result.phase}: ${result.message}` : 'nothing new';
};

const cases: [health: Health | undefined, resource: string, hook: string][] = [
  [undefined, 'Synced Succeeded: pod/p created', 'Synced Succeeded: p created'],
  [{ status: 'Healthy' }, 'Synced Succeeded: pod/p created', 'Synced Succeeded: pod/p created'],
  [{ status: 'Healthy', message: 'up' }, 'Synced Succeeded: up', 'Synced Succeeded: up'],
  [{ status: 'Degraded', message: 'exit 1' }, 'Synced Failed: exit 1', 'Synced Failed: exit 1'],
  [{ status: 'Degraded' }, 'Synced Failed: Degraded', 'Synced Failed: Degraded'],
  [{ status: 'Unknown', message: '?' }, 'nothing new', 'Synced Failed: ?'],
  [{ status: 'Progressing', message: '1 of 2' }, 'nothing new', 'Synced Running: 1 of 2'],
  [{ status: 'Suspended' }, 'nothing new', 'nothing new'],
];
for (const [health, resource, hook] of cases) {
  test(`a ${health?.status ?? 'healthless'} object: ${resource}; as a hook: ${hook}`, () => {
    assert.equal(outcome(false, health), resource);
    assert.equal(outcome(true, health), hook);
  });
}

test('a missing object has failed', () => {
  const { live: _, ...gone } = state(false);
  const result = assessTask(gone, () => undefined);
  assert.equal(
    `${result?.status} ${result?.phase}: ${result?.message}`,
    'SyncFailed Error: Resource /Pod/p is missing, it might have been deleted',
  );
});

test('a sync waits for a hook that is being deleted, since its finalizer keeps it', () => {
  const going = { ...pod, metadata: { ...pod.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
  assert.equal(outcome(true, { status: 'Progressing' }, going), 'nothing new');
  assert.equal(outcome(true, { status: 'Healthy', message: 'done' }, going), 'Synced Succeeded: done');
});

test('a finished task is not assessed again', () => {
  const done: TaskState = { ...state(true), result: { status: 'Synced', phase: 'Failed', message: 'x' } };
  assert.equal(
    assessTask(done, () => ({ status: 'Healthy' })),
    undefined,
  );
});
