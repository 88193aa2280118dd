/** Operations: selective, dry, local, retried, rolled back, terminated, timed out. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Application, applicationKind } from '@fairlead/api';
import { configMap, hook, job, pod, wave } from '../test/support/objects.ts';
import { openSuite, results, type Suite, types, until } from '../test/support/suite.ts';

let suite: Suite;
before(async () => {
  suite = await openSuite();
});
after(() => suite.close());

test('a selective sync applies only the selected objects, runs no hooks, and is not in the history', async () => {
  const files = { a: configMap('a'), b: configMap('b'), migrate: job('migrate', { annotations: hook('PreSync') }) };
  const app = await suite.create('selective', files);
  await app.sync();
  app.commit({ ...files, a: configMap('a', {}, { n: '2' }), b: configMap('b', {}, { n: '2' }) });
  const state = await app.sync({ resources: [{ kind: 'ConfigMap', name: 'b' }] });
  assert.deepEqual(results(state), ['Sync ConfigMap/b Synced Running']);
  assert.equal((await app.find(types.ConfigMap, 'a'))?.data?.['n'], undefined);
  assert.equal((await app.find(types.ConfigMap, 'b'))?.data?.['n'], '2');
  assert.equal((await app.get()).status?.history?.length, 1);
});

test('a dry run reports what a sync would do and changes nothing', async () => {
  const app = await suite.create('dry-run', { a: configMap('a') });
  await app.sync();
  app.commit({ b: configMap('b') });
  const state = await app.sync({ dryRun: true, prune: true });
  assert.equal(state.phase, 'Succeeded', state.message);
  assert.deepEqual(
    state.syncResult?.resources?.map(({ name, status, message }) => [name, status, message]),
    [
      ['a', 'Pruned', 'pruned (dry run)'],
      ['b', 'Synced', 'configmap/b created (dry run)'],
    ],
  );
  assert.deepEqual(await app.names(types.ConfigMap), ['a']);
  assert.equal((await app.get()).status?.history?.length, 1);
});

test('local manifests are synced instead of the source, and cannot be rolled back to', async () => {
  const app = await suite.create('local', { a: configMap('a') });
  const state = await app.sync({ manifests: [JSON.stringify(configMap('a', {}, { from: 'here' }))] });
  assert.equal(state.phase, 'Succeeded', state.message);
  assert.deepEqual((await app.find(types.ConfigMap, 'a'))?.data, { from: 'here' });
  assert.equal((await app.get()).status?.history, undefined);
  const wrong = await app.sync({ manifests: ['kind: [', 'apiVersion: v1'] });
  assert.equal(wrong.phase, 'Error');
  assert.match(wrong.message!, /^operation\.sync\.manifests\[0\]: contains no object/);
});

test('a failed sync is retried with growing delays up to the limit', async () => {
  const app = await suite.create('retry', {
    broken: job('broken', { command: 'exit 1', annotations: hook('PreSync') }),
  });
  const reported: string[] = [];
  const stop = new AbortController();
  const { resourceVersion } = await suite.client.list(applicationKind.type, { namespace: suite.namespace });
  const watching = (async () => {
    const options = { namespace: suite.namespace, resourceVersion, signal: stop.signal };
    for await (const event of suite.client.watch<Application>(applicationKind.type, options)) {
      if (event.type !== 'MODIFIED' || event.object.metadata.name !== app.name) continue;
      const { phase, message } = event.object.status?.operationState ?? {};
      reported.push(`${phase}: ${message}`);
    }
  })().catch(() => {});
  await app.begin({}, { retry: { limit: 2, backoff: { duration: '1s', factor: 2 } } });
  const state = await app.ended();
  for (const n of [1, 2]) {
    const announced = new RegExp(`^Running: .*Retrying attempt #${n} at \\d{4}-.*Z\\.$`, 'u');
    await until(`try ${n} is announced`, () => reported.some((one) => announced.test(one)));
  }
  stop.abort();
  await watching;
  assert.equal(state.phase, 'Failed');
  assert.equal(state.retryCount, 2);
  assert.match(state.message!, /\(retried 2 times\)\.$/);
  const took = Date.parse(state.finishedAt!) - Date.parse(state.startedAt);
  assert.ok(took >= 2_000, `1 s and 2 s were waited, and all took ${took} ms`);
});

test('a retry uses the same revision; with refresh, the newest', async () => {
  for (const refresh of [false, true]) {
    const broken = { migrate: job('migrate', { command: 'exit 1', annotations: hook('PreSync') }), a: configMap('a') };
    const app = await suite.create(`retry-${refresh ? 'newest' : 'same'}`, broken);
    const revision = app.commit(broken);
    await app.begin({ revision }, { retry: { limit: 1, refresh, backoff: { duration: '1s' } } });
    // The first attempt is for the requested revision, however early this happens.
    const newest = app.commit({ a: configMap('a') });
    const state = await app.ended();
    assert.equal(state.retryCount, 1);
    assert.equal(state.phase, refresh ? 'Succeeded' : 'Failed', state.message);
    assert.equal(state.syncResult?.revision, refresh ? newest : revision);
  }
});

test('rollback: a sync to a revision of the history, with the source of that revision', async () => {
  const app = await suite.create('rollback', { a: configMap('a', {}, { n: '1' }), b: configMap('b') });
  const first = await app.sync();
  app.commit({ a: configMap('a', {}, { n: '2' }) });
  await app.sync({ prune: true });
  assert.deepEqual(await app.names(types.ConfigMap), ['a']);
  await app.patch({ spec: { source: { path: 'elsewhere' } } });
  const [entry] = (await app.get()).status!.history!;
  assert.equal(entry?.id, 0);
  assert.equal(entry?.revision, first.syncResult?.revision);
  const state = await app.sync({ revision: entry!.revision!, source: entry!.source!, syncStrategy: { apply: {} } });
  assert.equal(state.phase, 'Succeeded', state.message);
  assert.deepEqual((await app.find(types.ConfigMap, 'a'))?.data, { n: '1' });
  assert.deepEqual(await app.names(types.ConfigMap), ['a', 'b']);
  const { history } = (await app.get()).status!;
  assert.deepEqual(
    history?.map(({ id, source }) => [id, source?.path]),
    [
      [0, '.'],
      [1, '.'],
      [2, '.'],
    ],
  );
});

test('the history keeps as many syncs as configured, ten by default', async () => {
  const app = await suite.create('history', { a: configMap('a') }, { spec: { revisionHistoryLimit: 2 } });
  for (let n = 0; n < 3; n++) await app.sync();
  assert.deepEqual(
    (await app.get()).status?.history?.map(({ id }) => id),
    [1, 2],
  );
});

test('terminate: running hooks are deleted, and the sync ends as failed', async () => {
  const app = await suite.create('terminate', {
    migrate: job('migrate', { command: 'sleep 600', annotations: hook('PreSync') }),
    a: configMap('a'),
  });
  await app.begin({}, { retry: { limit: 5 } });
  await app.reaches('waiting for the hook', ({ status }) =>
    /completion of hook batch\/Job\/migrate/.test(status?.operationState?.message ?? ''),
  );
  await app.patch({ status: { operationState: { phase: 'Terminating', message: 'operation is terminating' } } });
  const state = await app.ended();
  assert.equal(state.phase, 'Failed');
  assert.equal(state.message, 'Operation terminated');
  assert.equal(state.retryCount, undefined, 'a terminated sync is not retried');
  const hooked = state.syncResult?.resources?.find(({ kind }) => kind === 'Job');
  assert.equal(`${hooked?.hookPhase} ${hooked?.message}`, 'Failed Terminated');
  await until('the hook is deleted', async () => !(await app.find(types.Job, 'migrate')));
  assert.equal(await app.find(types.ConfigMap, 'a'), undefined);
});

test('a new operation terminates the hooks of an unfinished operation', async () => {
  const app = await suite.create('overtaken', {
    migrate: job('', { generateName: 'migrate-', command: 'sleep 600', annotations: hook('PreSync') }),
    a: configMap('a'),
  });
  await app.begin();
  await app.reaches('waiting for the hook', ({ status }) =>
    /completion of hook/.test(status?.operationState?.message ?? ''),
  );
  const revision = app.commit({ a: configMap('a') });
  await app.patch({ operation: { sync: { revision, syncOptions: ['CreateNamespace=true'] } } });
  const state = await app.ended();
  assert.equal(state.phase, 'Succeeded', state.message);
  await until('the old hook is deleted', async () => (await app.names(types.Job)).length === 0);
});

test('a sync that cannot continue terminates its running hooks', async () => {
  const app = await suite.create('cut-off', {
    migrate: job('migrate', { command: 'sleep 600', annotations: hook('PreSync') }),
    a: configMap('a'),
  });
  await app.begin();
  await app.reaches('waiting for the hook', ({ status }) =>
    /completion of hook/.test(status?.operationState?.message ?? ''),
  );
  await app.patch({ spec: { project: 'nowhere' } });
  const state = await app.ended();
  assert.equal(state.phase, 'Error');
  assert.match(state.message!, /^Failed to load application project: .* "nowhere" not found$/);
  assert.equal(state.syncResult?.resources?.find(({ kind }) => kind === 'Job')?.message, 'Terminated');
  await until('the hook is deleted', async () => !(await app.find(types.Job, 'migrate')));
});

test('a restarted controller resumes a running sync, and hooks run once', async () => {
  const app = await suite.create('taken-up', {
    migrate: job('migrate', { command: 'sleep 6', annotations: hook('PreSync') }),
    first: job('first', { command: 'sleep 3', annotations: hook('Sync', wave(1)) }),
    a: configMap('a', wave(2)),
    smoke: job('smoke', { command: 'sleep 3', annotations: hook('PostSync') }),
  });
  await app.begin();
  const made = new Map<string, Set<string>>();
  for (const name of ['migrate', 'first', 'smoke']) {
    await until(`${name} runs`, async () => (await app.find(types.Job, name)) !== undefined);
    await suite.restart();
  }
  const watching = async (): Promise<boolean> => {
    for (const { metadata } of await app.list(types.Job)) {
      made.set(metadata.name, (made.get(metadata.name) ?? new Set()).add(metadata.uid!));
    }
    return (await app.get()).operation === undefined;
  };
  await until('the sync ends', watching);
  const state = await app.ended();
  assert.equal(state.phase, 'Succeeded', state.message);
  assert.equal(state.retryCount, undefined);
  assert.deepEqual([...made].map(([name, uids]) => `${name} ${uids.size}`).sort(), ['first 1', 'migrate 1', 'smoke 1']);
  for (const name of made.keys()) {
    const pods = (await app.list(types.Pod)).filter(({ metadata }) => metadata.name.startsWith(name));
    assert.equal(pods.length, 1, `${name} ran once`);
  }
});

test('two syncs in the same second are distinct: each runs its hooks', async () => {
  const app = await suite.create('twice', {
    migrate: pod('migrate', 'exit 0', hook('PreSync')),
    a: configMap('a', wave(1)),
  });
  const states = [await app.sync(), await app.sync(), await app.sync()];
  assert.deepEqual(
    states.map(({ phase }) => phase),
    ['Succeeded', 'Succeeded', 'Succeeded'],
  );
  assert.equal(new Set(states.map(({ startedAt }) => startedAt)).size, 3);
});
