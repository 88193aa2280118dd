/** Errors name the object, the field and the remedy; the other objects are processed. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { appProjectKind } from '@fairlead/api';
import type { ApiClient } from '@fairlead/kube';
import { configMap, deployment, hook, job, options, secret } from '../test/support/objects.ts';
import { openSuite, results, type Suite, types } from '../test/support/suite.ts';

const account = 'fairlead-e2e-restricted';
const rbac = (kind: string, plural: string) => ({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind,
  plural,
  namespaced: false,
});

let suite: Suite;
before(async () => {
  suite = await openSuite({ as: account, prepare: grant });
});
after(async () => {
  await suite.client.delete(rbac('ClusterRole', 'clusterroles'), { name: account }).catch(() => {});
  await suite.client.delete(rbac('ClusterRoleBinding', 'clusterrolebindings'), { name: account }).catch(() => {});
  await suite.close();
});

/** Everything may be read, and everything except Secrets may be written. */
async function grant(client: ApiClient): Promise<void> {
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  const metadata = { name: account };
  const rules = [
    { apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch'] },
    { apiGroups: [''], resources: ['configmaps', 'namespaces', 'pods', 'services'], verbs: ['*'] },
    { apiGroups: ['apps', 'batch', 'apiextensions.k8s.io'], resources: ['*'], verbs: ['*'] },
  ];
  const role = { apiVersion, kind: 'ClusterRole', metadata, rules };
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: account };
  const subjects = [{ kind: 'User', name: account, apiGroup: 'rbac.authorization.k8s.io' }];
  const binding = { apiVersion, kind: 'ClusterRoleBinding', metadata, roleRef, subjects };
  await client.create(rbac('ClusterRole', 'clusterroles'), role as never);
  await client.create(rbac('ClusterRoleBinding', 'clusterrolebindings'), binding as never);
}

test('an unknown kind: nothing is applied, and every object of that kind is reported', async () => {
  const thing = (name: string) => ({ apiVersion: 'nowhere.example/v1', kind: 'Thing', metadata: { name } });
  const app = await suite.create('bad-kind', { a: configMap('a'), t: thing('t'), u: thing('u') });
  const state = await app.sync();
  assert.equal(state.phase, 'Failed');
  assert.equal(
    state.message,
    'one or more synchronization tasks are not valid: failed to discover server resources for group version nowhere.example/v1: the server could not find the requested resource',
  );
  assert.match(
    state.syncResult?.resources?.[0]?.message ?? '',
    /^The Kubernetes API could not find nowhere\.example\/Thing .* Make sure the "Thing" CRD is installed/,
  );
  assert.deepEqual(results(state), ['Sync Thing/t SyncFailed ', 'Sync Thing/u SyncFailed ']);
  assert.equal(await app.find(types.ConfigMap, 'a'), undefined);
});

test('an unsupported version: the message names the version that the cluster serves', async () => {
  const app = await suite.create('bad-version', { d: { ...deployment('d'), apiVersion: 'apps/v1beta1' } });
  assert.match(
    (await app.sync()).syncResult!.resources![0]!.message!,
    /could not find version "v1beta1" of apps\/Deployment.*Version "v1" of apps\/Deployment is installed/,
  );
});

test('an invalid manifest: the error names object and field, and the other objects are applied', async () => {
  const invalid = { ...configMap('b'), data: { n: { not: 'text' } } };
  const app = await suite.create('bad-manifest', { a: configMap('a'), b: invalid });
  const state = await app.sync();
  assert.equal(state.phase, 'Failed');
  assert.match(
    state.message!,
    /ConfigMap in version "v1" cannot be handled as a ConfigMap: .*ConfigMap\.data of type string/,
  );
  assert.ok(await app.find(types.ConfigMap, 'a'));
});

test('a missing namespace is reported by name', async () => {
  const app = await suite.create('bad-namespace', { a: configMap('a') }, { spec: { syncPolicy: {} } });
  const state = await app.sync();
  assert.equal(state.phase, 'Failed');
  assert.match(state.message!, /namespaces "fle-bad-namespace" not found$/);
});

test('forbidden by RBAC: the error names object and verb, and the other objects are applied', async () => {
  const app = await suite.create('bad-rights', { a: configMap('a'), s: secret('s') });
  const state = await app.sync();
  assert.equal(state.phase, 'Failed');
  assert.match(state.message!, /secrets is forbidden: User "fairlead-e2e-restricted" cannot create resource "secrets"/);
  assert.ok(await app.find(types.ConfigMap, 'a'));
  const other = await suite.create('good-rights', { a: configMap('a') });
  assert.equal((await other.sync()).phase, 'Succeeded', 'other Applications are not affected');
});

test('a hook that the project forbids fails the whole sync', async () => {
  const app = await suite.create('bad-hook', {
    a: configMap('a'),
    migrate: {
      ...job('migrate', { annotations: hook('PreSync') }),
      metadata: { name: 'migrate', namespace: 'kube-system', annotations: hook('PreSync') },
    },
  });
  const spec = {
    sourceRepos: ['*'],
    destinations: [{ server: '*', namespace: 'fle-*' }],
    clusterResourceWhitelist: [{ group: '*', kind: '*' }],
  };
  const project = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'narrow', namespace: suite.namespace },
    spec,
  };
  await suite.client.create(appProjectKind.type, project);
  await app.patch({ spec: { project: 'narrow' } });
  const state = await app.sync();
  assert.equal(state.phase, 'Failed');
  assert.match(state.message!, /not valid: namespace kube-system is not permitted in project 'narrow'$/);
  assert.equal(await app.find(types.ConfigMap, 'a'), undefined);
});

test('a change of an immutable field names the field', async () => {
  const app = await suite.create('bad-change', { d: deployment('d') });
  await app.sync();
  app.commit({ d: deployment('d', { label: 'other' }) });
  const state = await app.sync();
  assert.match(
    state.message!,
    /^one or more objects failed to apply, reason: error when patching "deployment\.apps\/d": .*spec\.selector.*immutable$/,
  );
});

test('annotations that do not parse: a condition names object, annotation and remedy, and the sync continues', async () => {
  const app = await suite.create('bad-annotations', {
    a: configMap('a', { 'argocd.argoproj.io/sync-wave': 'first' }),
    b: configMap('b', options('Prun=false')),
    c: job('c', { annotations: hook('Presync') }),
    d: configMap('d'),
  });
  const state = await app.sync();
  assert.equal(state.phase, 'Succeeded', state.message);
  assert.deepEqual(await app.names(types.ConfigMap), ['a', 'b', 'd']);
  assert.deepEqual(await app.names(types.Job), [], 'an object with an invalid hook is not applied');
  const { status } = await app.reaches('Synced', (one) => one.status?.sync?.status === 'Synced');
  const said = (status?.conditions ?? []).filter(({ type }) => type === 'InvalidAnnotationWarning');
  assert.equal(said.length, 3, JSON.stringify(said));
  assert.match(said.map((one) => one.message).join('\n'), /'Prun=false' is not a sync option/);
});

test('two Applications with the same object both report it', async () => {
  const shared = { ...configMap('a'), metadata: { name: 'a', namespace: 'fle-both-1' } };
  const first = await suite.create('both-1', { a: shared, own: configMap('own') });
  await first.sync();
  const second = await suite.create('both-2', { a: shared, own: configMap('own') });
  const { status } = await second.reaches('said', (one) =>
    (one.status?.conditions ?? []).some(({ type }) => type === 'SharedResourceWarning'),
  );
  assert.equal(
    status?.conditions?.find(({ type }) => type === 'SharedResourceWarning')?.message,
    `ConfigMap/a is part of applications ${suite.namespace}/both-2 and both-1`,
  );
  assert.equal((await second.sync()).phase, 'Succeeded', 'the other objects are applied');
});

test('an invalid retry ends the operation, and the message shows valid syntax', async () => {
  const app = await suite.create('bad-retry', {
    t: { apiVersion: 'nowhere.example/v1', kind: 'T', metadata: { name: 't' } },
  });
  const state = await app.sync({}, { retry: { limit: 2, backoff: { duration: 'soon' } } });
  assert.equal(state.phase, 'Error');
  assert.match(state.message!, /\(failed to retry: unable to parse soon as a duration\)/);
});

test('an owner reference cycle is reported with the field and the remedy, and the sync continues', async () => {
  const app = await suite.create('circle', { a: configMap('a'), b: configMap('b'), c: configMap('c') });
  await app.sync();
  const uid = async (name: string): Promise<string> => (await app.find(types.ConfigMap, name))!.metadata.uid!;
  for (const [name, owner] of [
    ['a', 'b'],
    ['b', 'a'],
  ] as const) {
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: owner, uid: await uid(owner) }];
    const key = { namespace: app.namespace, name };
    await suite.client.patch(types.ConfigMap, key, 'merge', { metadata: { ownerReferences } });
  }
  await app.patch({ metadata: { annotations: { 'argocd.argoproj.io/refresh': 'normal' } } });
  const { status } = await app.reaches('warnings', (one) =>
    (one.status?.conditions ?? []).some(({ type }) => type === 'OwnerCycleWarning'),
  );
  const warnings = (status?.conditions ?? []).filter(({ type }) => type === 'OwnerCycleWarning');
  assert.equal(
    warnings[0]?.message,
    'ConfigMap fle-circle/a is owned by ConfigMap fle-circle/b, which it owns: remove the entry from metadata.ownerReferences of one of them',
  );
  assert.ok(suite.events.some((event) => event.startsWith('OwnerCycleWarning: ConfigMap fle-circle/')));
  app.commit({ a: configMap('a'), b: configMap('b'), c: configMap('c', {}, { n: '2' }) });
  assert.equal((await app.sync()).phase, 'Succeeded');
});
