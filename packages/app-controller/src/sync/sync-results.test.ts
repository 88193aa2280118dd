import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@fairlead/apimachinery';
import type { SyncTask } from '@fairlead/engine';
import { keptResults, SyncResults } from './sync-results.ts';

const task = (name: string, phase: SyncTask['phase'] = 'Sync', hook = false): SyncTask => {
  const target = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'web' },
    spec: { template: { spec: { containers: [{ image: 'nginx:1' }, { image: 'envoy:2' }, {}] } } },
  } as KubeObject;
  return {
    id: { group: 'apps', kind: 'Deployment', namespace: 'web', name },
    phase,
    wave: 0,
    action: 'apply',
    hook,
    target,
  };
};

test('a result is written in the format of Argo CD, and can be read back', () => {
  const results = new SyncResults();
  assert.ok(results.isEmpty);
  results.set(task('web'), { status: 'Synced', phase: 'Running', message: 'deployment.apps/web created' });
  results.set(task('job', 'PreSync', true), { status: 'Synced', phase: 'Succeeded', message: 'done' });
  const [web, job] = results.all;
  assert.deepEqual(web, {
    group: 'apps',
    version: 'v1',
    kind: 'Deployment',
    namespace: 'web',
    name: 'web',
    status: 'Synced',
    message: 'deployment.apps/web created',
    hookPhase: 'Running',
    syncPhase: 'Sync',
    images: ['nginx:1', 'envoy:2'],
  });
  assert.equal(job?.hookType, 'PreSync');
  const again = new SyncResults(results.all);
  assert.deepEqual(again.of(task('web')), {
    status: 'Synced',
    phase: 'Running',
    message: 'deployment.apps/web created',
  });
  assert.equal(again.of(task('web', 'PostSync')), undefined, 'the same object in another phase is another task');
});

test('with very many results, only failures and hooks are reported in full', () => {
  const results = new SyncResults();
  for (let n = 0; n < 1200; n++) results.set(task(`d${n}`), { status: 'Synced', phase: 'Running', message: 'created' });
  results.set(task('bad'), { status: 'SyncFailed', phase: 'Failed', message: 'no quota' });
  const { all } = results;
  assert.equal(all.length, 1201);
  assert.equal(all[0]?.message, undefined);
  assert.equal(all.at(-1)?.message, 'no quota');
  assert.equal(new SyncResults(all).of(task('d7'))?.phase, 'Running', 'a sync can still be resumed');
});

test('when a sync has ended, a thousand results are kept, the most relevant first', () => {
  const results = new SyncResults();
  for (let n = 0; n < 1500; n++) results.set(task(`d${n}`), { status: 'Synced', phase: 'Running', message: 'created' });
  results.set(task('job', 'PostSync', true), { status: 'Synced', phase: 'Succeeded', message: 'done' });
  results.set(task('bad'), { status: 'SyncFailed', phase: 'Failed', message: 'no quota' });
  const kept = keptResults(results.all);
  assert.equal(kept.length, 1000);
  assert.deepEqual(
    kept.slice(-2).map(({ name }) => name),
    ['job', 'bad'],
  );
  assert.equal(kept[0]?.name, 'd0');
});

test('objects without a namespace are listed in that of the destination, except the destination namespace and pruned objects', () => {
  const scoped = (kind: string, name: string, change: Partial<SyncTask> = {}): SyncTask => {
    const id = { group: '', kind, namespace: '', name };
    const target = { apiVersion: 'v1', kind, metadata: { name } };
    return { id, phase: 'Sync', wave: 0, action: 'apply', hook: false, target, ...change };
  };
  const results = new SyncResults([], 'web');
  const tasks = [
    scoped('Namespace', 'other'),
    scoped('Namespace', 'web', { phase: 'PreSync' }),
    scoped('PersistentVolume', 'p', { action: 'prune' }),
  ];
  for (const one of tasks) results.set(one, { status: 'Synced', phase: 'Running', message: '' });
  assert.deepEqual(
    results.all.map(({ name, namespace }) => [name, namespace]),
    [
      ['other', 'web'],
      ['web', ''],
      ['p', ''],
    ],
  );
  const again = new SyncResults(results.all, 'web');
  assert.ok(tasks.every((one) => again.of(one)?.phase === 'Running'));
});
