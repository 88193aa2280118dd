/** Each sync option, of the Application and of an object. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { configMap, deployment, hook, job, options, wave } from '../test/support/objects.ts';
import { openSuite, results, type Suite, types, until } from '../test/support/suite.ts';

let suite: Suite;
before(async () => {
  suite = await openSuite();
});
after(() => suite.close());

const message = (state: { syncResult?: { resources?: { name: string; message?: string }[] } }, name: string) =>
  state.syncResult?.resources?.find((one) => one.name === name)?.message;

test('without prune, an object that was removed from the source remains and requires pruning', async () => {
  const app = await suite.create('prune-off', { a: configMap('a'), b: configMap('b') });
  await app.sync();
  app.commit({ a: configMap('a') });
  const state = await app.sync();
  assert.equal(state.phase, 'Succeeded');
  assert.equal(message(state, 'b'), 'ignored (requires pruning)');
  assert.ok(await app.find(types.ConfigMap, 'b'));
});

test('IgnoreExtraneous: an annotated object that is not in the source does not make the Application out of sync', async () => {
  const extraneous = { 'argocd.argoproj.io/compare-options': 'IgnoreExtraneous' };
  const app = await suite.create('extraneous', { a: configMap('a'), b: configMap('b', extraneous) });
  await app.sync();
  app.commit({ a: configMap('a') });
  await app.sync();
  const { status } = await app.reaches(
    'compared',
    ({ status }) => status?.resources?.some(({ name, requiresPruning }) => name === 'b' && requiresPruning) ?? false,
  );
  assert.equal(status?.sync?.status, 'Synced');
  assert.ok(await app.find(types.ConfigMap, 'b'));
  await suite.client.patch(types.ConfigMap, { namespace: app.namespace, name: 'b' }, 'merge', {
    metadata: { annotations: { 'argocd.argoproj.io/compare-options': null } },
  });
  await app.reaches('it counts again', (one) => one.status?.sync?.status === 'OutOfSync');
});

const replicaSets = { ...types.Deployment, kind: 'ReplicaSet', plural: 'replicasets' };

for (const policy of ['foreground', 'background']) {
  test(`PrunePropagationPolicy=${policy} also deletes the dependents`, async () => {
    const app = await suite.create(`prune-${policy}`, { a: configMap('a'), web: deployment('web') });
    await app.sync();
    await until('the ReplicaSet is there', async () => (await app.list(replicaSets)).length === 1);
    app.commit({ a: configMap('a') });
    const state = await app.sync({ prune: true, syncOptions: [`PrunePropagationPolicy=${policy}`] });
    assert.equal(state.phase, 'Succeeded', state.message);
    await until('the Deployment is deleted', async () => !(await app.find(types.Deployment, 'web')));
    await until('its ReplicaSet is deleted', async () => (await app.list(replicaSets)).length === 0);
  });
}

test('Prune=false keeps an object that was removed from the source', async () => {
  const app = await suite.create('prune-false', { a: configMap('a'), b: configMap('b', options('Prune=false')) });
  await app.sync();
  app.commit({ a: configMap('a') });
  const state = await app.sync({ prune: true });
  assert.equal(message(state, 'b'), 'ignored (no prune)');
  assert.ok(await app.find(types.ConfigMap, 'b'));
});

test('Prune=false of the Application is overridden by the annotation of an object', async () => {
  const app = await suite.create('prune-false-all', {
    a: configMap('a'),
    b: configMap('b'),
    c: configMap('c', options('Prune=true')),
  });
  await app.sync();
  app.commit({ a: configMap('a') });
  const state = await app.sync({ prune: true, syncOptions: ['Prune=false'] });
  assert.equal(message(state, 'b'), 'ignored (no prune)');
  assert.equal(message(state, 'c'), 'pruned');
  assert.deepEqual(await app.names(types.ConfigMap), ['a', 'b']);
});

test('Prune=confirm waits for approval', async () => {
  const app = await suite.create('prune-confirm', { a: configMap('a'), b: configMap('b', options('Prune=confirm')) });
  await app.sync();
  app.commit({ a: configMap('a') });
  await app.begin({ prune: true });
  const waiting = await app.reaches('waiting for approval', ({ status }) =>
    /confirmation/.test(status?.operationState?.message ?? ''),
  );
  assert.equal(waiting.status?.operationState?.message, 'waiting for pruning confirmation of /ConfigMap/b');
  assert.equal(
    waiting.status?.resources?.find(({ name }) => name === 'b')?.requiresDeletionConfirmation,
    true,
    'its status reports it too',
  );
  assert.ok(await app.find(types.ConfigMap, 'b'));
  const approved = waiting.status!.operationState!.startedAt;
  await app.patch({ metadata: { annotations: { 'argocd.argoproj.io/deletion-approved': approved } } });
  assert.equal((await app.ended()).phase, 'Succeeded');
  assert.equal(await app.find(types.ConfigMap, 'b'), undefined);
});

test('PrunePropagationPolicy=orphan keeps the dependents', async () => {
  const app = await suite.create('prune-orphan', { a: configMap('a'), web: deployment('web') });
  await app.sync();
  await until('the ReplicaSet is there', async () => (await app.list(replicaSets)).length === 1);
  app.commit({ a: configMap('a') });
  const state = await app.sync({ prune: true, syncOptions: ['PrunePropagationPolicy=orphan'] });
  assert.equal(state.phase, 'Succeeded', state.message);
  await until('the Deployment is deleted', async () => !(await app.find(types.Deployment, 'web')));
  await until('the ReplicaSet is on its own', async () => {
    const [left] = await app.list(replicaSets);
    return left !== undefined && (left.metadata.ownerReferences ?? []).length === 0;
  });
});

test('an unknown field is reported before the sync, dropped by the server, and leaves the Application OutOfSync', async () => {
  const app = await suite.create('validate', { a: { ...configMap('a'), sizee: 3 } });
  const warning = ({ status }: Awaited<ReturnType<typeof app.get>>): string =>
    status?.conditions?.find(({ type }) => type === 'UnknownFieldWarning')?.message ?? '';
  const expected = 'ConfigMap fle-validate/a has unknown field "sizee": the API server drops it, correct its name';
  await app.reaches('the warning', (one) => warning(one) === expected);
  for (const validate of [[], ['Validate=false']]) {
    const state = await app.sync({ syncOptions: ['CreateNamespace=true', ...validate] });
    assert.equal(state.phase, 'Succeeded', state.message);
    const { status } = await app.reaches('the warning', (one) => warning(one) === expected);
    assert.equal(status?.sync?.status, 'OutOfSync');
  }
});

test('a custom resource may use a field that its CRD gains in the same sync', async () => {
  const crd = (...fields: string[]) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'gadgets.options.example' },
    spec: {
      group: 'options.example',
      scope: 'Namespaced',
      names: { kind: 'Gadget', plural: 'gadgets', singular: 'gadget', listKind: 'GadgetList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: {
                  type: 'object',
                  properties: Object.fromEntries(fields.map((field) => [field, { type: 'string' }])),
                },
              },
            },
          },
        },
      ],
    },
  });
  const gadget = (spec: Record<string, string>) => ({
    apiVersion: 'options.example/v1',
    kind: 'Gadget',
    metadata: { name: 'g' },
    spec,
  });
  const app = await suite.create('crd-field', { crd: crd('size'), g: gadget({ size: 's' }) });
  assert.equal((await app.sync()).phase, 'Succeeded');
  app.commit({ crd: crd('size', 'colour'), g: gadget({ size: 's', colour: 'red' }) });
  const state = await app.sync();
  assert.equal(state.phase, 'Succeeded', state.message);
  const { status } = await app.reaches('Synced', (one) => one.status?.sync?.status === 'Synced');
  assert.deepEqual(
    (status?.conditions ?? []).filter(({ type }) => type === 'UnknownFieldWarning'),
    [],
  );
  app.commit({});
  await app.sync({ prune: true });
});

test('a Pod may name a ServiceAccount and a PriorityClass of the same Application', async () => {
  const app = await suite.create('pod-needs', {
    class: {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'fle-high', annotations: wave(-1) },
      value: 10,
    },
    account: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'worker' } },
    pod: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p' },
      spec: {
        serviceAccountName: 'worker',
        priorityClassName: 'fle-high',
        containers: [{ name: 'main', image: 'example.com/web:1' }],
      },
    },
  });
  const state = await app.sync();
  assert.equal(state.phase, 'Succeeded', state.message);
  app.commit({});
  await app.sync({ prune: true });
});

test('SkipDryRunOnMissingResource: the kind may be created during the sync', async () => {
  const late = (annotations: Record<string, string>) => ({
    apiVersion: 'options.example/v1',
    kind: 'Delayed',
    metadata: { name: 'l', annotations },
  });
  const app = await suite.create('skip-dry-run', {
    work: job('work', { command: 'sleep 20', annotations: hook('Sync') }),
    late: late({ ...wave(1), ...options('SkipDryRunOnMissingResource=true') }),
  });
  await app.begin();
  await until('the hook runs', async () => (await app.find(types.Job, 'work')) !== undefined);
  const definitions = {
    group: 'apiextensions.k8s.io',
    version: 'v1',
    kind: 'CustomResourceDefinition',
    plural: 'customresourcedefinitions',
    namespaced: false,
  };
  await suite.client.create(definitions, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'delayeds.options.example' },
    spec: {
      group: 'options.example',
      scope: 'Namespaced',
      names: { kind: 'Delayed', plural: 'delayeds', singular: 'delayed', listKind: 'DelayedList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  } as never);
  const state = await app.ended();
  assert.equal(state.phase, 'Succeeded', state.message);
  assert.ok(results(state).includes('Sync Delayed/l Synced Running'));
  await suite.client.delete(definitions, { name: 'delayeds.options.example' });
});

test('Replace=true replaces the whole object, also one with Replace=false', async () => {
  const app = await suite.create('replace', {
    a: configMap('a', {}, { ours: '1' }),
    b: configMap('b', options('Replace=false'), { ours: '1' }),
  });
  await app.sync();
  for (const name of ['a', 'b']) {
    await suite.client.patch(types.ConfigMap, { namespace: app.namespace, name }, 'merge', { data: { theirs: 'x' } });
  }
  const state = await app.sync({ syncOptions: ['Replace=true'] });
  assert.equal(message(state, 'a'), 'configmap/a replaced');
  assert.equal(message(state, 'b'), 'configmap/b replaced');
  assert.deepEqual((await app.find(types.ConfigMap, 'a'))?.data, { ours: '1' });
  assert.deepEqual((await app.find(types.ConfigMap, 'b'))?.data, { ours: '1' });
});

for (const how of ['Force=true', 'Replace=true,Force=true']) {
  test(`${how}: an object with an immutable change is deleted and created again`, async () => {
    const name = `force-${how.length}`;
    const app = await suite.create(name, { web: deployment('web') });
    await app.sync();
    const before = await app.find(types.Deployment, 'web');
    app.commit({ web: deployment('web', { label: 'other' }) });
    const refused = await app.sync();
    assert.equal(refused.phase, 'Failed');
    assert.match(refused.message!, /immutable/);
    app.commit({ web: deployment('web', { label: 'other', annotations: options(how) }) });
    const state = await app.sync();
    assert.equal(state.phase, 'Succeeded', state.message);
    const after = await app.find(types.Deployment, 'web');
    assert.notEqual(after?.metadata.uid, before?.metadata.uid);
    assert.ok(before?.metadata.uid);
  });
}

test('the strategies apply and hook both support force, and apply runs no hooks', async () => {
  const app = await suite.create('strategy', {
    web: deployment('web'),
    migrate: job('migrate', { annotations: hook('PreSync') }),
  });
  const state = await app.sync({ syncStrategy: { apply: {} } });
  assert.equal(state.phase, 'Succeeded', state.message);
  assert.deepEqual(await app.names(types.Job), []);
  app.commit({ web: deployment('web', { label: 'other' }) });
  const forced = await app.sync({ syncStrategy: { hook: { force: true } } });
  assert.equal(forced.phase, 'Succeeded', forced.message);
});

const managers = (object: { metadata: { managedFields?: { manager?: string; operation?: string }[] } } | undefined) =>
  (object?.metadata.managedFields ?? []).map(({ manager, operation }) => `${manager} ${operation}`);

test('ServerSideApply=true migrates fields from client-side apply, so that they can be removed', async () => {
  const app = await suite.create('server-side', { a: configMap('a', {}, { a: '1', b: '2' }) });
  await app.sync();
  app.commit({ a: configMap('a', {}, { a: '1' }) });
  const state = await app.sync({ syncOptions: ['ServerSideApply=true'] });
  assert.equal(message(state, 'a'), 'configmap/a serverside-applied');
  const live = await app.find(types.ConfigMap, 'a');
  assert.deepEqual(live?.data, { a: '1' });
  assert.deepEqual(managers(live), ['argocd-controller Apply']);
});

test('hooks are applied server-side too if the Application has ServerSideApply=true', async () => {
  const app = await suite.create('server-side-hooks', {
    migrate: job('migrate', { annotations: hook('PreSync') }),
    a: configMap('a'),
  });
  for (let n = 0; n < 2; n++) {
    const state = await app.sync({ syncOptions: ['CreateNamespace=true', 'ServerSideApply=true'] });
    assert.equal(state.phase, 'Succeeded', state.message);
  }
  assert.deepEqual((await app.find(types.Job, 'migrate'))?.metadata.finalizers ?? [], []);
});

test('without ClientSideApplyMigration, fields of the last client-side apply can still be removed, as in kubectl', async () => {
  const app = await suite.create('no-migration', { a: configMap('a', {}, { a: '1', b: '2' }) });
  await app.sync();
  app.commit({ a: configMap('a', {}, { a: '1' }) });
  await app.sync({ syncOptions: ['ServerSideApply=true', 'ClientSideApplyMigration=false'] });
  assert.deepEqual((await app.find(types.ConfigMap, 'a'))?.data, { a: '1' });
});

test('ApplyOutOfSyncOnly=true does not apply objects that are in sync', async () => {
  const files = { a: configMap('a'), b: configMap('b'), migrate: job('migrate', { annotations: hook('PreSync') }) };
  const app = await suite.create('out-of-sync-only', files);
  await app.sync();
  app.commit({ ...files, b: configMap('b', {}, { n: '2' }) });
  const state = await app.sync({ syncOptions: ['ApplyOutOfSyncOnly=true'] });
  assert.deepEqual(results(state), ['PreSync Job/migrate Synced Succeeded hook', 'Sync ConfigMap/b Synced Running']);
});

test('CreateNamespace=true creates the namespace, and managedNamespaceMetadata maintains its labels', async () => {
  const spec = {
    syncPolicy: {
      syncOptions: ['CreateNamespace=true'],
      managedNamespaceMetadata: { labels: { team: 'blue' }, annotations: { note: 'ours' } },
    },
  };
  const app = await suite.create('namespace-made', { a: configMap('a') }, { spec });
  const state = await app.sync();
  assert.equal(state.phase, 'Succeeded', state.message);
  assert.deepEqual(state.syncResult?.managedNamespaceMetadata, spec.syncPolicy.managedNamespaceMetadata);
  const made = await app.find(types.Namespace, app.namespace);
  assert.equal(made?.metadata.labels?.['team'], 'blue');
  assert.equal(made?.metadata.annotations?.['note'], 'ours');
  await suite.client.patch(types.Namespace, { name: app.namespace }, 'merge', {
    metadata: { labels: { theirs: 'x' } },
  });
  await app.patch({ spec: { syncPolicy: { managedNamespaceMetadata: { labels: { team: 'green' } } } } });
  await app.sync();
  const kept = await app.find(types.Namespace, app.namespace);
  assert.equal(kept?.metadata.labels?.['team'], 'green');
  assert.equal(kept?.metadata.labels?.['theirs'], 'x', 'labels of other managers are kept');
});

test('RespectIgnoreDifferences=true does not change ignored fields', async () => {
  const spec = {
    ignoreDifferences: [{ group: 'apps', kind: 'Deployment', jsonPointers: ['/spec/replicas'] }],
    syncPolicy: { syncOptions: ['CreateNamespace=true', 'RespectIgnoreDifferences=true'] },
  };
  const app = await suite.create('respect', { web: deployment('web') }, { spec });
  await app.sync();
  const replicas = async () => (await app.find(types.Deployment, 'web'))?.spec?.['replicas'];
  for (const extra of [[], ['ServerSideApply=true']]) {
    const key = { namespace: app.namespace, name: 'web' };
    await suite.client.patch(types.Deployment, key, 'merge', { spec: { replicas: 3 } });
    app.commit({ web: deployment('web', { annotations: { n: String(extra.length) } }) });
    const state = await app.sync({ syncOptions: [...spec.syncPolicy.syncOptions, ...extra] });
    assert.equal(state.phase, 'Succeeded', state.message);
    assert.equal(await replicas(), 3, extra.join());
    assert.equal((await app.find(types.Deployment, 'web'))?.metadata.annotations?.['n'], String(extra.length));
  }
  await app.sync({ syncOptions: [] });
  assert.equal(await replicas(), 1, 'without the option it is set');
});

test('an unknown option does not stop a sync', async () => {
  const app = await suite.create('unknown-option', { a: configMap('a') });
  const state = await app.sync({ syncOptions: ['CreateNamespace=true', 'Prunelast=true'] });
  assert.equal(state.phase, 'Succeeded');
  assert.equal(state.message, 'successfully synced (all tasks run)');
});

test('FailOnSharedResource=true fails on an object of another Application', async () => {
  const first = await suite.create('shared-1', {
    a: { ...configMap('a'), metadata: { name: 'a', namespace: 'fle-shared-1' } },
  });
  await first.sync();
  const files = { a: { ...configMap('a', {}, { mine: '1' }), metadata: { name: 'a', namespace: 'fle-shared-1' } } };
  const second = await suite.create('shared-2', files);
  const state = await second.sync({ syncOptions: ['CreateNamespace=true', 'FailOnSharedResource=true'] });
  assert.equal(state.phase, 'Failed');
  assert.match(
    state.message!,
    /^Shared resource found: ConfigMap\/a is part of applications [^ ]+\/shared-2 and shared-1$/,
  );
  assert.deepEqual((await first.find(types.ConfigMap, 'a'))?.data ?? {}, {});
});
