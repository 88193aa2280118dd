/** Deleting an Application: what is deleted, in which order, and what is kept. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { configMap, hook, job, options, policy, wave } from '../test/support/objects.ts';
import { openSuite, type Suite, types, until } from '../test/support/suite.ts';

let suite: Suite;
before(async () => {
  suite = await openSuite();
});
after(() => suite.close());

const cascade = (kind = '') => ({ metadata: { finalizers: [`resources-finalizer.argocd.argoproj.io${kind}`] } });

test('cascade deletion removes the objects of the Application, last wave first, and keeps all others', async () => {
  const app = await suite.create('cascade', { a: configMap('a'), b: configMap('b', wave(1)) }, cascade());
  assert.equal((await app.sync()).phase, 'Succeeded');
  await suite.client.create(types.ConfigMap, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'stranger', namespace: app.namespace },
  });
  // A finalizer on the object of the last wave delays the first wave.
  const key = { namespace: app.namespace, name: 'b' };
  await suite.client.patch(types.ConfigMap, key, 'merge', { metadata: { finalizers: ['example.com/hold'] } });
  await app.delete();
  await until('b is going', async () => Boolean((await app.find(types.ConfigMap, 'b'))?.metadata.deletionTimestamp));
  assert.ok(!(await app.find(types.ConfigMap, 'a'))?.metadata.deletionTimestamp, 'a waits for b');
  await suite.client.patch(types.ConfigMap, key, 'merge', { metadata: { finalizers: [] } });
  await until('the Application is deleted', async () => !(await app.exists()));
  assert.deepEqual(await app.names(types.ConfigMap), ['stranger']);
});

for (const kind of ['/foreground', '/background']) {
  test(`cascade deletion with ${kind}`, async () => {
    const app = await suite.create(`cascade-${kind.slice(1)}`, { a: configMap('a') }, cascade(kind));
    assert.equal((await app.sync()).phase, 'Succeeded');
    await app.delete();
    await until('the Application is deleted', async () => !(await app.exists()));
    assert.deepEqual(await app.names(types.ConfigMap), []);
  });
}

test('without the finalizer the objects remain', async () => {
  const app = await suite.create('no-cascade', { a: configMap('a') });
  assert.equal((await app.sync()).phase, 'Succeeded');
  await app.delete();
  await until('the Application is deleted', async () => !(await app.exists()));
  assert.deepEqual(await app.names(types.ConfigMap), ['a']);
});

test('Delete=false, resource-policy keep and CustomResourceDefinitions are kept', async () => {
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'retaineds.deletion.example' },
    spec: {
      group: 'deletion.example',
      scope: 'Namespaced',
      names: { kind: 'Retained', plural: 'retaineds', singular: 'retained', listKind: 'RetainedList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  };
  const app = await suite.create(
    'keep',
    {
      a: configMap('a', options('Delete=false')),
      b: configMap('b', { 'helm.sh/resource-policy': 'keep' }),
      c: configMap('c'),
      crd,
    },
    cascade(),
  );
  assert.equal((await app.sync()).phase, 'Succeeded');
  await app.delete();
  await until('the Application is deleted', async () => !(await app.exists()));
  assert.deepEqual(await app.names(types.ConfigMap), ['a', 'b']);
  const definitions = {
    ...types.Namespace,
    group: 'apiextensions.k8s.io',
    kind: 'CustomResourceDefinition',
    plural: 'customresourcedefinitions',
  };
  assert.ok(await app.find(definitions, 'retaineds.deletion.example'));
  await suite.client.delete(definitions, { name: 'retaineds.deletion.example' });
});

test('Delete=false of the Application is overridden by the annotation of an object', async () => {
  const syncPolicy = { syncOptions: ['CreateNamespace=true', 'Delete=false'] };
  const files = { a: configMap('a'), b: configMap('b', options('Delete=true')) };
  const app = await suite.create('keep-all', files, { ...cascade(), spec: { syncPolicy } });
  assert.equal((await app.sync()).phase, 'Succeeded');
  await app.delete();
  await until('the Application is deleted', async () => !(await app.exists()));
  assert.deepEqual(await app.names(types.ConfigMap), ['a']);
});

test('Delete=confirm and Prune=confirm: nothing is deleted before it is approved', async () => {
  const app = await suite.create(
    'confirm-delete',
    {
      a: configMap('a', options('Delete=confirm')),
      b: configMap('b'),
      c: configMap('c', options('Prune=confirm')),
    },
    cascade(),
  );
  assert.equal((await app.sync()).phase, 'Succeeded');
  await app.delete();
  const held = await app.reaches('approval is requested', ({ status }) =>
    (status?.conditions ?? []).some(({ type }) => type === 'DeletionError'),
  );
  const message = held.status?.conditions?.find(({ type }) => type === 'DeletionError')?.message ?? '';
  assert.match(
    message,
    /^ConfigMap fle-confirm-delete\/a, ConfigMap fle-confirm-delete\/c may be deleted only with approval: annotate/,
  );
  assert.deepEqual(await app.names(types.ConfigMap), ['a', 'b', 'c']);
  const approved = /deletion-approved: (\S+)/.exec(message)![1]!;
  await app.patch({ metadata: { annotations: { 'argocd.argoproj.io/deletion-approved': approved } } });
  await until('the Application is deleted', async () => !(await app.exists()));
  assert.deepEqual(await app.names(types.ConfigMap), []);
});

test('PreDelete hooks run before the first deletion, PostDelete hooks after the last', async () => {
  const app = await suite.create(
    'delete-hooks',
    {
      a: configMap('a'),
      backup: job('backup', { annotations: hook('PreDelete'), command: 'sleep 4' }),
      farewell: job('farewell', { annotations: hook('PostDelete', policy('HookSucceeded')), command: 'sleep 8' }),
    },
    cascade(),
  );
  assert.equal((await app.sync()).phase, 'Succeeded');
  assert.deepEqual(await app.names(types.Job), [], 'no sync runs them');
  const { metadata } = await app.reaches(
    'held by finalizers',
    ({ metadata: { finalizers = [] } }) => finalizers.length > 1,
  );
  assert.deepEqual(metadata.finalizers, [
    'resources-finalizer.argocd.argoproj.io',
    'pre-delete-finalizer.argocd.argoproj.io',
    'pre-delete-finalizer.argocd.argoproj.io/cleanup',
    'post-delete-finalizer.argocd.argoproj.io',
    'post-delete-finalizer.argocd.argoproj.io/cleanup',
  ]);
  await app.delete();
  await until('PreDelete runs', async () => (await app.names(types.Job)).join() === 'backup');
  assert.deepEqual(await app.names(types.ConfigMap), ['a'], 'nothing is deleted while it runs');
  await until('PostDelete runs', async () => (await app.names(types.Job)).includes('farewell'));
  assert.deepEqual(await app.names(types.ConfigMap), []);
  await until('the Application is deleted', async () => !(await app.exists()));
  await until('the hook is deleted', async () => !(await app.names(types.Job)).includes('farewell'));
});

test('a PreDelete hook that fails blocks the deletion, is reported, and is retried', async () => {
  const annotations = hook('PreDelete');
  const app = await suite.create(
    'delete-hook-fails',
    { a: configMap('a'), backup: job('backup', { annotations, command: 'exit 1' }) },
    cascade(),
  );
  assert.equal((await app.sync()).phase, 'Succeeded');
  await app.reaches('held by finalizers', ({ metadata: { finalizers = [] } }) => finalizers.length > 1);
  await app.delete();
  const held = await app.reaches('the failure is reported', ({ status }) =>
    (status?.conditions ?? []).some(({ type }) => type === 'DeletionError'),
  );
  assert.match(
    held.status?.conditions?.find(({ type }) => type === 'DeletionError')?.message ?? '',
    /^PreDelete hook: Job fle-delete-hook-fails\/backup failed: .*remove the finalizer pre-delete-finalizer/,
  );
  assert.deepEqual(await app.names(types.ConfigMap), ['a']);
  app.commit({ a: configMap('a'), backup: job('backup', { annotations }) });
  await until('the Application is deleted', async () => !(await app.exists()));
});

test('an Application on an unknown cluster is removed, and an event lists what remains', async () => {
  const app = await suite.create('no-cluster', { a: configMap('a') }, cascade());
  assert.equal((await app.sync()).phase, 'Succeeded');
  await app.patch({ spec: { destination: { server: 'https://gone.example', namespace: app.namespace } } });
  await app.delete();
  await until('the Application is deleted', async () => !(await app.exists()));
  assert.deepEqual(await app.names(types.ConfigMap), ['a']);
});

test('deleting an Application during a sync leaves no hook that cannot be deleted', async () => {
  for (const [name, extra] of [
    ['gone-halfway', {}],
    ['gone-halfway-2', cascade()],
  ] as const) {
    const files = {
      migrate: job('migrate', { command: 'sleep 600', annotations: hook('PreSync') }),
      a: configMap('a'),
    };
    const app = await suite.create(name, files, extra);
    await app.begin();
    await app.reaches('waiting for the hook', ({ status }) =>
      /completion of hook/.test(status?.operationState?.message ?? ''),
    );
    await app.delete();
    await until('the Application is deleted', async () => !(await app.exists()));
    await until('the hook is deleted', async () => !(await app.find(types.Job, 'migrate')));
  }
});
