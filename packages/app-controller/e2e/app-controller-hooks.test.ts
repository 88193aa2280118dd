/** Hooks: when they run, when they are deleted, and what their failure causes. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { configMap, hook, job, policy, wave } from '../test/support/objects.ts';
import { openSuite, results, type Suite, types, until } from '../test/support/suite.ts';

let suite: Suite;
before(async () => {
  suite = await openSuite();
});
after(() => suite.close());

test('a PreSync hook ends before the first object is applied, a PostSync hook starts after the last', async () => {
  const app = await suite.create('hook-order', {
    migrate: job('migrate', { annotations: hook('PreSync') }),
    a: configMap('a'),
    smoke: job('smoke', { annotations: hook('PostSync') }),
  });
  const state = await app.sync();
  assert.equal(state.phase, 'Succeeded', state.message);
  assert.equal(state.message, 'successfully synced (no more tasks)');
  assert.deepEqual(results(state), [
    'PreSync Namespace/fle-hook-order Synced Running',
    'PreSync Job/migrate Synced Succeeded hook',
    'Sync ConfigMap/a Synced Succeeded',
    'PostSync Job/smoke Synced Succeeded hook',
  ]);
  const [migrate, a, smoke] = [
    await app.find(types.Job, 'migrate'),
    await app.find(types.ConfigMap, 'a'),
    await app.find(types.Job, 'smoke'),
  ];
  const ended = Date.parse(String(migrate?.status?.['completionTime']));
  assert.ok(Date.parse(a!.metadata.creationTimestamp!) + 1000 > ended, 'the object came after the hook had ended');
  assert.ok(Date.parse(smoke!.metadata.creationTimestamp!) >= Date.parse(a!.metadata.creationTimestamp!));
  assert.deepEqual(migrate?.metadata.finalizers ?? [], [], 'the protection of a hook ends with it');
  const { status } = await app.reaches('Synced', (one) => one.status?.sync?.status === 'Synced');
  assert.equal(status?.health?.status, 'Healthy', 'hooks have no part in the health of an Application');
  assert.deepEqual(
    status?.resources?.filter((one) => one.hook).map(({ name }) => name),
    ['migrate', 'smoke'],
  );
});

test('a PreSync hook that fails stops the sync before any object, and SyncFail hooks run', async () => {
  const app = await suite.create('hook-failure', {
    migrate: job('migrate', { command: 'exit 1', annotations: hook('PreSync') }),
    a: configMap('a'),
    cleanup: job('cleanup', { annotations: hook('SyncFail') }),
    smoke: job('smoke', { annotations: hook('PostSync') }),
  });
  const state = await app.sync();
  assert.equal(state.phase, 'Failed');
  assert.equal(state.message, 'one or more synchronization tasks completed unsuccessfully');
  assert.deepEqual(results(state).slice(1), [
    'PreSync Job/migrate Synced Failed hook',
    'SyncFail Job/cleanup Synced Succeeded hook',
  ]);
  assert.equal(await app.find(types.ConfigMap, 'a'), undefined);
  assert.equal(await app.find(types.Job, 'smoke'), undefined);
});

test('a SyncFail hook does not run when the sync succeeds; a Sync hook runs with its wave', async () => {
  const app = await suite.create('hook-sync', {
    a: configMap('a'),
    work: job('work', { annotations: hook('Sync', wave(1)) }),
    b: configMap('b', wave(2)),
    cleanup: job('cleanup', { annotations: hook('SyncFail') }),
  });
  const state = await app.sync();
  assert.deepEqual(results(state).slice(1), [
    'Sync ConfigMap/a Synced Succeeded',
    'Sync Job/work Synced Succeeded hook',
    'Sync ConfigMap/b Synced Running',
  ]);
  assert.equal(await app.find(types.Job, 'cleanup'), undefined);
});

test('HookSucceeded: a hook that succeeded is deleted at the end of the sync', async () => {
  const app = await suite.create('hook-succeeded', {
    migrate: job('migrate', { annotations: hook('PreSync', policy('HookSucceeded')) }),
    a: configMap('a'),
  });
  assert.equal((await app.sync()).phase, 'Succeeded');
  await until('the hook is deleted', async () => !(await app.find(types.Job, 'migrate')));
});

test('HookFailed: a hook that failed is deleted, and one that succeeded is kept', async () => {
  const annotations = hook('PreSync', policy('HookFailed'));
  const app = await suite.create('hook-failed', { migrate: job('migrate', { annotations }), a: configMap('a') });
  assert.equal((await app.sync()).phase, 'Succeeded');
  assert.ok(await app.find(types.Job, 'migrate'));
  const other = await suite.create('hook-failed-2', {
    migrate: job('migrate', { command: 'exit 3', annotations }),
    a: configMap('a'),
  });
  assert.equal((await other.sync()).phase, 'Failed');
  await until('the hook is deleted', async () => !(await other.find(types.Job, 'migrate')));
});

test('BeforeHookCreation: the hook of the last sync is kept until the next sync creates it again', async () => {
  const files = { migrate: job('migrate', { annotations: hook('PreSync') }), a: configMap('a') };
  const app = await suite.create('hook-before', files);
  assert.equal((await app.sync()).phase, 'Succeeded');
  const first = await app.find(types.Job, 'migrate');
  assert.ok(first);
  // The template of a Job is immutable: only a new Job can have another one.
  app.commit({ ...files, migrate: job('migrate', { command: 'sleep 0; exit 0', annotations: hook('PreSync') }) });
  assert.equal((await app.sync()).phase, 'Succeeded');
  const second = await app.find(types.Job, 'migrate');
  assert.notEqual(second?.metadata.uid, first.metadata.uid);
});

test('an object with several hook phases runs in each', async () => {
  const app = await suite.create('hook-twice', {
    notify: job('notify', { annotations: hook('PreSync,PostSync') }),
    a: configMap('a'),
  });
  const state = await app.sync();
  assert.equal(state.phase, 'Succeeded', state.message);
  assert.deepEqual(results(state).slice(1), [
    'PreSync Job/notify Synced Succeeded hook',
    'Sync ConfigMap/a Synced Succeeded',
    'PostSync Job/notify Synced Succeeded hook',
  ]);
});

test('a hook with generateName is named after the revision, the phase and the time', async () => {
  const app = await suite.create('hook-generated', {
    migrate: job('', { generateName: 'migrate-', annotations: hook('PreSync') }),
    a: configMap('a'),
  });
  const state = await app.sync();
  assert.equal(state.phase, 'Succeeded', state.message);
  const revision = state.syncResult!.revision.slice(0, 7);
  assert.deepEqual(await app.names(types.Job), [`migrate-${revision}-presync-${Date.parse(state.startedAt) / 1000}`]);
  assert.equal((await app.sync()).phase, 'Succeeded');
  assert.equal((await app.names(types.Job)).length, 2, 'each sync has its own');
});

test('Helm hooks are mapped: weights are waves, crd-install is an ordinary object, tests never run', async () => {
  const helm = (kind: string, weight: string) => ({ 'helm.sh/hook': kind, 'helm.sh/hook-weight': weight });
  const app = await suite.create('hook-helm', {
    late: job('late', { annotations: helm('pre-upgrade,pre-install', '5') }),
    early: job('early', { annotations: helm('pre-install', '-5') }),
    a: configMap('a', { 'helm.sh/hook': 'crd-install' }),
    after: job('after', {
      annotations: { ...helm('post-install', '0'), 'helm.sh/hook-delete-policy': 'hook-succeeded' },
    }),
    check: job('check', { annotations: { 'helm.sh/hook': 'test' } }),
  });
  const state = await app.sync();
  assert.equal(state.phase, 'Succeeded', state.message);
  assert.deepEqual(results(state).slice(1), [
    'PreSync Job/early Synced Succeeded hook',
    'PreSync Job/late Synced Succeeded hook',
    'Sync ConfigMap/a Synced Succeeded',
    'PostSync Job/after Synced Succeeded hook',
  ]);
  await until('the hook is deleted', async () => (await app.names(types.Job)).join() === 'early,late');
});

test('a Skip hook is neither applied nor pruned', async () => {
  const app = await suite.create('hook-skip', { a: configMap('a'), b: configMap('b') });
  assert.equal((await app.sync()).phase, 'Succeeded');
  app.commit({ a: configMap('a'), b: configMap('b', hook('Skip'), { n: '1' }), c: configMap('c', hook('Skip')) });
  assert.equal((await app.sync({ prune: true })).phase, 'Succeeded');
  assert.deepEqual(await app.names(types.ConfigMap), ['a', 'b']);
  assert.deepEqual((await app.find(types.ConfigMap, 'b'))?.data ?? {}, {}, 'it is unchanged');
  await app.reaches('Synced', ({ status }) => status?.sync?.status === 'Synced');
});

test('a sync waits for a hook with ttlSecondsAfterFinished: 0 to finish', async () => {
  const app = await suite.create('hook-ttl', {
    migrate: job('migrate', { ttl: 0, annotations: hook('PreSync') }),
    a: configMap('a'),
  });
  const state = await app.sync();
  assert.equal(state.phase, 'Succeeded', state.message);
  await until('the hook is deleted', async () => !(await app.find(types.Job, 'migrate')));
});

test('a sync waits for a hook that is deleted while it runs, until the sync is terminated', async () => {
  const app = await suite.create('hook-deleted', {
    migrate: job('migrate', { command: 'sleep 600', annotations: hook('PreSync') }),
    a: configMap('a'),
  });
  await app.begin();
  await until('the hook is there', async () => (await app.find(types.Job, 'migrate')) !== undefined);
  await suite.client.delete(
    types.Job,
    { namespace: app.namespace, name: 'migrate' },
    { propagationPolicy: 'Background' },
  );
  await until('it is deleted', async () => Boolean((await app.find(types.Job, 'migrate'))?.metadata.deletionTimestamp));
  assert.equal((await app.state())?.message, 'waiting for completion of hook batch/Job/migrate');
  await app.patch({ status: { operationState: { phase: 'Terminating' } } });
  assert.equal((await app.ended()).phase, 'Failed');
  await until('the hook is deleted', async () => !(await app.find(types.Job, 'migrate')));
});
