/** Waves: their order, what they wait for, what stops them, and the order of deletion. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { configMap, deployment, hook, job, options, pod, secret, wave } from '../test/support/objects.ts';
import { openSuite, results, type Suite, types, until } from '../test/support/suite.ts';

let suite: Suite;
before(async () => {
  suite = await openSuite();
});
after(() => suite.close());

test('waves run in order, negative ones first, and each waits until the previous one is healthy', async () => {
  const app = await suite.create('waves', {
    last: configMap('last', wave(2)),
    web: deployment('web', { annotations: wave(1), minReadySeconds: 5 }),
    first: configMap('first', wave(-1)),
    middle: configMap('middle'),
  });
  await app.begin();
  const waiting = await app.reaches('waiting for the Deployment', ({ status }) =>
    /healthy state.*web/.test(status?.operationState?.message ?? ''),
  );
  assert.equal(waiting.status?.operationState?.message, 'waiting for healthy state of apps/Deployment/web');
  assert.deepEqual(results(waiting.status?.operationState).slice(1), [
    'Sync ConfigMap/first Synced Succeeded',
    'Sync ConfigMap/middle Synced Succeeded',
    'Sync Deployment/web Synced Running',
  ]);
  const state = await app.ended();
  assert.equal(state.phase, 'Succeeded', state.message);
  assert.deepEqual(results(state).slice(1), [
    'Sync ConfigMap/first Synced Succeeded',
    'Sync ConfigMap/middle Synced Succeeded',
    'Sync Deployment/web Synced Succeeded',
    'Sync ConfigMap/last Synced Running',
  ]);
  assert.deepEqual(
    state.syncResult?.resources?.find(({ kind }) => kind === 'Deployment')?.images,
    ['busybox:1.36'],
    'results name the images',
  );
});

test('a degraded wave stops the sync, SyncFail hooks run, and the results name the object', async () => {
  const app = await suite.create('wave-degraded', {
    broken: pod('broken', 'exit 1'),
    fine: configMap('fine'),
    later: configMap('later', wave(1)),
    rescue: job('rescue', { annotations: hook('SyncFail') }),
  });
  const state = await app.sync();
  assert.equal(results(state).at(-1), 'SyncFail Job/rescue Synced Succeeded hook');
  assert.equal(state.phase, 'Failed');
  assert.equal(state.message, 'one or more synchronization tasks completed unsuccessfully');
  assert.ok(results(state).includes('Sync Pod/broken Synced Failed'), results(state).join());
  assert.equal(await app.find(types.ConfigMap, 'later'), undefined);
  assert.ok(await app.find(types.ConfigMap, 'fine'));
});

test('a sync does not wait for the health of the last wave', async () => {
  const app = await suite.create('wave-last', { broken: pod('broken', 'exit 1'), fine: configMap('fine') });
  const state = await app.sync();
  assert.equal(state.phase, 'Succeeded', state.message);
  assert.equal(state.message, 'successfully synced (all tasks run)');
  await app.reaches('Degraded', ({ status }) => status?.health?.status === 'Degraded');
});

test('a namespace and a CustomResourceDefinition are applied before their dependents in any wave', async () => {
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'gadgets.waves.example', annotations: wave(7) },
    spec: {
      group: 'waves.example',
      scope: 'Namespaced',
      names: { kind: 'Gadget', plural: 'gadgets', singular: 'gadget', listKind: 'GadgetList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  };
  const app = await suite.create('wave-needs', {
    crd,
    namespace: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'fle-wave-needs-2', annotations: wave(9) } },
    gadget: {
      apiVersion: 'waves.example/v1',
      kind: 'Gadget',
      metadata: { name: 'g', namespace: 'fle-wave-needs-2', annotations: wave(-3) },
    },
  });
  const state = await app.sync();
  assert.equal(state.phase, 'Succeeded', state.message);
  assert.deepEqual(results(state).slice(1), [
    'Sync Namespace/fle-wave-needs-2 Synced Running',
    'Sync CustomResourceDefinition/gadgets.waves.example Synced Running',
    'Sync Gadget/g Synced Running',
  ]);
});

test('prunes run in reverse wave order, each wave after the previous one is gone', async () => {
  const app = await suite.create('prune-order', {
    keep: configMap('keep'),
    a: configMap('a', wave(0)),
    b: configMap('b', wave(1)),
    c: configMap('c', wave(2)),
  });
  assert.equal((await app.sync()).phase, 'Succeeded');
  const gone: string[] = [];
  const stop = new AbortController();
  const watching = (async () => {
    const { resourceVersion } = await suite.client.list(types.ConfigMap, { namespace: app.namespace });
    for await (const event of suite.client.watch(types.ConfigMap, {
      namespace: app.namespace,
      resourceVersion,
      signal: stop.signal,
    })) {
      if (event.type === 'DELETED') gone.push(event.object.metadata.name);
    }
  })().catch(() => {});
  app.commit({ keep: configMap('keep') });
  const state = await app.sync({ prune: true });
  assert.equal(state.phase, 'Succeeded', state.message);
  await until('all three are deleted', () => gone.length === 3);
  stop.abort();
  await watching;
  assert.deepEqual(gone, ['c', 'b', 'a']);
  assert.ok(results(state).includes('Sync ConfigMap/c Pruned Succeeded'));
  assert.deepEqual(await app.names(types.ConfigMap), ['keep']);
});

test('PruneLast: objects are pruned after all others are applied and healthy', async () => {
  const app = await suite.create('prune-last', { old: configMap('old', options('PruneLast=true')), s: secret('s') });
  assert.equal((await app.sync()).phase, 'Succeeded');
  app.commit({ s: secret('s'), web: deployment('web', { annotations: wave(3) }) });
  await app.begin({ prune: true });
  await until('the Deployment is there', async () => (await app.find(types.Deployment, 'web')) !== undefined);
  const state = await app.ended();
  assert.equal(state.phase, 'Succeeded', state.message);
  assert.equal(results(state).at(-1), 'Sync ConfigMap/old Pruned Succeeded');
  assert.equal(await app.find(types.ConfigMap, 'old'), undefined);
});
