/** What the controller does by itself: sync, self-heal, retry, wait for a window, refresh. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { appProjectKind } from '@fairlead/api';
import { configMap, wave } from '../test/support/objects.ts';
import { openSuite, type Suite, types, until } from '../test/support/suite.ts';

let suite: Suite;
before(async () => {
  suite = await openSuite();
});
after(() => suite.close());

const automated = (change: object = {}) => ({
  spec: {
    syncPolicy: { automated: { prune: true, selfHeal: true, ...change }, syncOptions: ['CreateNamespace=true'] },
  },
});
const isSynced = ({ status, operation }: { status?: { sync?: { status: string } }; operation?: unknown }): boolean =>
  status?.sync?.status === 'Synced' && operation === undefined;

test('self-heal reverts drift, with a growing delay', async () => {
  const app = await suite.create('heal', { a: configMap('a', {}, { n: '1' }) }, automated());
  await app.reaches('synced', isSynced);
  const heals: { began: number; ended: number }[] = [];
  for (let i = 0; i < 3; i++) {
    await suite.client.patch(types.ConfigMap, { namespace: app.namespace, name: 'a' }, 'merge', { data: { n: 'x' } });
    await until('healed', async () => (await app.find(types.ConfigMap, 'a'))?.data?.['n'] === '1', 20_000);
    const { status } = await app.reaches('idle', isSynced);
    const { startedAt, finishedAt } = status!.operationState!;
    heals.push({ began: Date.parse(startedAt), ended: Date.parse(finishedAt!) });
  }
  // The maximum depends on the machine; the simulation checks it to the millisecond.
  const waits = heals.slice(1).map(({ began }, i) => began - heals[i]!.ended);
  assert.ok(waits[0]! >= 2_000, `the second 2 s after the first at the earliest: ${waits}`);
  assert.ok(waits[1]! >= 6_000, `the third 6 s after the second at the earliest: ${waits}`);
  assert.equal((await app.state())?.operation.sync?.autoHealAttemptsCount, 3);
});

test('self-heal applies only the objects that drifted', async () => {
  const app = await suite.create('heal-part', { a: configMap('a'), b: configMap('b') }, automated());
  await app.reaches('synced', isSynced);
  await suite.client.delete(types.ConfigMap, { namespace: app.namespace, name: 'a' });
  await until('healed', async () => (await app.find(types.ConfigMap, 'a')) !== undefined);
  await app.reaches('idle', isSynced);
  assert.deepEqual((await app.state())?.operation.sync?.resources, [{ kind: 'ConfigMap', name: 'a' }]);
});

test('a failed sync is retried, and a newer commit does not wait for the retry', async () => {
  const broken = { ...configMap('a'), data: { n: 1 } };
  const change = automated();
  const retry = { limit: 3, backoff: { duration: '30s' } };
  const app = await suite.create(
    'retry',
    { a: broken },
    { spec: { syncPolicy: { ...change.spec.syncPolicy, retry } } },
  );
  const waiting = await app.reaches(
    'a second try is announced',
    ({ status }) => status?.operationState?.retryCount === 1,
  );
  assert.match(waiting.status!.operationState!.message!, /Retrying attempt #1 at /);
  app.commit({ a: configMap('a', {}, { n: '2' }) });
  await app.reaches('synced to the newer commit', isSynced, 15_000);
  assert.equal((await app.find(types.ConfigMap, 'a'))?.data?.['n'], '2');
});

test('a sync that would delete everything is refused, and the message names the field that permits it', async () => {
  const app = await suite.create('empty', { a: configMap('a') }, automated());
  await app.reaches('synced', isSynced);
  app.commit({ 'readme.txt': 'nothing here' });
  const refused = await app.reaches('refused', ({ status }) =>
    Boolean(status?.conditions?.some(({ type }) => type === 'SyncError')),
  );
  assert.match(
    refused.status!.conditions!.find(({ type }) => type === 'SyncError')!.message,
    /auto-sync will wipe out all resources/,
  );
  assert.ok(await app.find(types.ConfigMap, 'a'));
  await app.patch({ spec: { syncPolicy: { automated: { allowEmpty: true } } } });
  await until('gone', async () => (await app.find(types.ConfigMap, 'a')) === undefined);
});

test('a closed window blocks automated syncs until its end; manualSync permits manual syncs', async () => {
  const window = { kind: 'deny', schedule: '0 0 * * *', duration: '24h', applications: ['window'], manualSync: true };
  await suite.client.create(appProjectKind.type, {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'windows', namespace: suite.namespace },
    spec: { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }], syncWindows: [window] },
  } as never);
  const { spec } = automated();
  await suite.client.create(types.Namespace, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'fle-window' },
  });
  const app = await suite.create(
    'window',
    { a: configMap('a') },
    { spec: { ...spec, project: 'windows', syncPolicy: { automated: {} } } },
  );
  const held = await app.reaches('held', ({ status }) =>
    Boolean(status?.conditions?.some(({ type }) => type === 'SyncWindow')),
  );
  assert.match(
    held.status!.conditions!.find(({ type }) => type === 'SyncWindow')!.message,
    /^automated sync waits: the deny window '0 0 \* \* \*' for 24h of project 'windows' is open/,
  );
  assert.equal(await app.find(types.ConfigMap, 'a'), undefined);
  assert.equal((await app.sync()).phase, 'Succeeded');
  assert.ok(await app.find(types.ConfigMap, 'a'));
});

test('a closed allow window blocks only the Applications that it selects by name, namespace and cluster', async () => {
  // February 29 is not today, except on one day in four years.
  const shut = { kind: 'allow', schedule: '0 0 29 2 *', duration: '1m', timeZone: 'Europe/Berlin', manualSync: false };
  const windows = [
    { ...shut, applications: ['allowed-by-name'] },
    { ...shut, namespaces: ['fle-allowed-by-namespace'] },
    { ...shut, clusters: ['elsewhere'] },
  ];
  await suite.client.create(appProjectKind.type, {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'allowed', namespace: suite.namespace },
    spec: { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }], syncWindows: windows },
  } as never);
  const { spec } = automated();
  const create = async (name: string) => {
    const metadata = { name: `fle-${name}` };
    await suite.client.create(types.Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata });
    return suite.create(
      name,
      { a: configMap('a') },
      { spec: { ...spec, project: 'allowed', syncPolicy: { automated: {} } } },
    );
  };
  const held = [await create('allowed-by-name'), await create('allowed-by-namespace')];
  const free = await create('allowed-at-any-time');
  await free.reaches('synced', ({ status }) => status?.sync?.status === 'Synced');
  for (const app of held) {
    const { status } = await app.reaches('held', (one) =>
      Boolean(one.status?.conditions?.some(({ type }) => type === 'SyncWindow')),
    );
    assert.equal(status?.sync?.status, 'OutOfSync');
    assert.equal(await app.find(types.ConfigMap, 'a'), undefined);
  }
});

test('syncOverrun: a sync that started in time continues when its window closes; without it, the sync waits for the next window', async () => {
  await suite.configure({
    'resource.customizations.health.ConfigMap':
      'return {status = obj.data ~= nil and obj.data.gate == "shut" and "Progressing" or "Healthy"}',
  });
  const began = Math.floor(Date.now() / 60_000) * 60_000;
  const at = new Date(began);
  const create = async (name: string, syncOverrun: boolean) => {
    const windows = (durationMs: number) => [
      {
        kind: 'allow',
        schedule: `${at.getUTCMinutes()} ${at.getUTCHours()} * * *`,
        duration: `${durationMs}ms`,
        applications: [name],
        syncOverrun,
      },
    ];
    const metadata = { name, namespace: suite.namespace };
    await suite.client.create(appProjectKind.type, {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata,
      spec: {
        sourceRepos: ['*'],
        destinations: [{ server: '*', namespace: '*' }],
        clusterResourceWhitelist: [{ group: '*', kind: '*' }],
        syncWindows: windows(12 * 3_600_000),
      },
    } as never);
    const files = { gate: configMap('gate', {}, { gate: 'shut' }), after: configMap('after', wave(1)) };
    const app = await suite.create(name, files, { spec: { project: name } });
    await app.begin();
    await app.reaches('waiting for the gate', ({ status }) =>
      /healthy state of \/ConfigMap\/gate/.test(status?.operationState?.message ?? ''),
    );
    // The window was open when the sync started and is closed now.
    const spec = { syncWindows: windows(Date.now() - began) };
    const change = (to: object) => suite.client.patch(appProjectKind.type, metadata, 'merge', { spec: to });
    await change(spec);
    const key = { namespace: app.namespace, name: 'gate' };
    const open = () => suite.client.patch(types.ConfigMap, key, 'merge', { data: { gate: 'open' } });
    return { app, open, letGo: () => change({ syncWindows: null }) };
  };
  const held = await create('overrun-not', false);
  await held.app.reaches('held', ({ status }) =>
    /^Sync operation blocked by sync window$/.test(status?.operationState?.message ?? ''),
  );
  const free = await create('overrun', true);
  for (const { open } of [held, free]) await open();
  const state = await free.app.ended();
  assert.equal(state.phase, 'Succeeded', state.message);
  assert.ok(await free.app.find(types.ConfigMap, 'after'));
  assert.equal((await held.app.state())?.phase, 'Running');
  assert.equal(await held.app.find(types.ConfigMap, 'after'), undefined);
  await held.letGo();
  assert.equal((await held.app.ended()).phase, 'Succeeded');
  await suite.configure({});
});

test('the refresh annotation is handled and removed', async () => {
  const app = await suite.create('refresh', { a: configMap('a') });
  await app.reaches('compared', ({ status }) => status?.sync?.status === 'OutOfSync');
  for (const value of ['normal', 'hard']) {
    await app.patch({ metadata: { annotations: { 'argocd.argoproj.io/refresh': value } } });
    await app.reaches('taken', ({ metadata }) => metadata.annotations?.['argocd.argoproj.io/refresh'] === undefined);
  }
});
