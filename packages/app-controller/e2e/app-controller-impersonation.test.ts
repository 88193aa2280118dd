/** Syncs with the permissions of the service account that the project names, on real RBAC. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { appProjectKind } from '@fairlead/api';
import type { KubeObject, PolicyRule, ResourceType } from '@fairlead/apimachinery';
import { configMap, hook, job } from '../test/support/objects.ts';
import { openSuite, results, type Suite, type TestApplication, types, until } from '../test/support/suite.ts';

const rbac = 'rbac.authorization.k8s.io';
const rbacType = (kind: string, plural: string): ResourceType => ({
  group: rbac,
  version: 'v1',
  kind,
  plural,
  namespaced: true,
});
const home = 'fairlead-e2e';

let suite: Suite;
before(async () => {
  suite = await openSuite();
  await suite.configure({ 'application.sync.impersonation.enabled': 'true' });
  const spec = {
    sourceRepos: ['*'],
    destinations: [{ server: '*', namespace: '*' }],
    clusterResourceWhitelist: [{ group: '', kind: 'Namespace' }],
    destinationServiceAccounts: [{ server: '*', namespace: 'fle-acting-*', defaultServiceAccount: 'deployer' }],
  };
  const project = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'acting', namespace: home },
    spec,
  };
  await suite.client.create(appProjectKind.type, project as KubeObject);
});
after(async () => {
  await suite.client.delete(appProjectKind.type, { namespace: home, name: 'acting' });
  await suite.close();
});

/** An Application in a namespace whose service account `deployer` has these permissions. */
async function open(name: string, files: Record<string, object>, rules: PolicyRule[]): Promise<TestApplication> {
  const namespace = `fle-${name}`;
  await suite.client.create(types.Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await grant(namespace, rules);
  return suite.create(name, files, { spec: { project: 'acting', syncPolicy: {} } });
}

async function grant(namespace: string, rules: PolicyRule[]): Promise<void> {
  const metadata = { name: 'deployer', namespace };
  const role = { apiVersion: `${rbac}/v1`, kind: 'Role', metadata, rules };
  const binding = {
    apiVersion: `${rbac}/v1`,
    kind: 'RoleBinding',
    metadata,
    roleRef: { apiGroup: rbac, kind: 'Role', name: 'deployer' },
    subjects: [{ kind: 'ServiceAccount', name: 'deployer', namespace }],
  };
  await suite.client.create(rbacType('Role', 'roles'), role as KubeObject);
  await suite.client.create(rbacType('RoleBinding', 'rolebindings'), binding as KubeObject);
}

const onConfigMaps = (...verbs: string[]): PolicyRule => ({ apiGroups: [''], resources: ['configmaps'], verbs });
const onJobs: PolicyRule = { apiGroups: ['batch'], resources: ['jobs'], verbs: ['*'] };
const as = (namespace: string): string => `User "system:serviceaccount:${namespace}:deployer" cannot`;

test('a sync applies and prunes what the service account may', async () => {
  const app = await open('acting-granted', { a: configMap('a'), b: configMap('b') }, [onConfigMaps('*')]);
  assert.equal((await app.sync()).phase, 'Succeeded');
  assert.deepEqual(await app.names(types.ConfigMap), ['a', 'b']);
  app.commit({ a: configMap('a', {}, { n: '2' }) });
  const state = await app.sync({ prune: true });
  assert.equal(state.phase, 'Succeeded', state.message);
  assert.deepEqual(await app.names(types.ConfigMap), ['a']);
});

test('an object that the service account may not create fails the sync with the answer of the server', async () => {
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } };
  const app = await open('acting-refused', { a: configMap('a'), secret }, [onConfigMaps('*')]);
  const state = await app.sync();
  assert.equal(state.phase, 'Failed');
  const result = state.syncResult?.resources?.find(({ kind }) => kind === 'Secret');
  assert.match(result?.message ?? '', new RegExp(`${as(app.namespace)} create resource "secrets"`, 'u'));
  assert.equal(await app.find(types.Secret, 's'), undefined, 'the permissions of the controller are not used');
});

test('pruning needs the permission of the service account to delete', async () => {
  const verbs = ['get', 'create', 'patch'];
  const app = await open('acting-prune', { a: configMap('a'), b: configMap('b') }, [onConfigMaps(...verbs)]);
  assert.equal((await app.sync()).phase, 'Succeeded');
  app.commit({ a: configMap('a') });
  const state = await app.sync({ prune: true });
  assert.equal(state.phase, 'Failed');
  const pruned = state.syncResult?.resources?.find(({ name }) => name === 'b');
  assert.match(pruned?.message ?? '', new RegExp(`${as(app.namespace)} delete resource "configmaps"`, 'u'));
  assert.deepEqual(await app.names(types.ConfigMap), ['a', 'b']);
});

test('hooks run with the service account', async () => {
  const files = { a: configMap('a'), job: job('before', { annotations: hook('PreSync') }) };
  const refused = await open('acting-hook-refused', files, [onConfigMaps('*')]);
  const state = await refused.sync();
  assert.equal(state.phase, 'Failed');
  assert.match(
    state.syncResult?.resources?.find(({ hookType }) => hookType)?.message ?? '',
    new RegExp(as(refused.namespace), 'u'),
  );
  assert.equal(await refused.find(types.ConfigMap, 'a'), undefined, 'nothing is applied after a failed PreSync hook');
  const granted = await open('acting-hook', files, [onConfigMaps('*'), onJobs]);
  const done = await granted.sync();
  assert.equal(done.phase, 'Succeeded', done.message);
  assert.deepEqual(
    results(done).filter((line) => line.includes('hook')),
    ['PreSync Job/before Synced Succeeded hook'],
  );
});

test('a namespace is created only if the service account may do that', async () => {
  const app = await suite.create('acting-namespace', { a: configMap('a') }, { spec: { project: 'acting' } });
  const state = await app.sync();
  assert.equal(state.phase, 'Failed');
  assert.match(JSON.stringify(state.syncResult), /cannot (?:create|patch|get) resource \\"namespaces\\"/u);
  assert.equal(await app.find(types.Namespace, app.namespace), undefined);
});

test('a destination without a service account in the project fails with a message, unless that is not enforced', async () => {
  const app = await suite.create('elsewhere', { a: configMap('a') }, { spec: { project: 'acting' } });
  const state = await app.sync();
  assert.equal(state.phase, 'Error');
  assert.equal(
    state.message,
    'no matching service account found for destination server https://kubernetes.default.svc and namespace fle-elsewhere',
  );
  await suite.configure({
    'application.sync.impersonation.enabled': 'true',
    'application.sync.impersonation.enforced': 'false',
  });
  await until('the setting is read', async () => (await app.sync()).phase === 'Succeeded');
  await suite.configure({ 'application.sync.impersonation.enabled': 'true' });
});

test('a server-side diff is a dry run of the service account', async () => {
  const app = await open('acting-diff', { a: configMap('a') }, [onConfigMaps('get', 'create')]);
  assert.equal((await app.sync()).phase, 'Succeeded');
  await app.patch({ metadata: { annotations: { 'argocd.argoproj.io/compare-options': 'ServerSideDiff=true' } } });
  const { status } = await app.reaches('the diff is refused', ({ status: now }) =>
    (now?.conditions ?? []).some(({ type }) => type === 'ComparisonError'),
  );
  const [condition] = (status?.conditions ?? []).filter(({ type }) => type === 'ComparisonError');
  assert.match(condition?.message ?? '', new RegExp(`${as(app.namespace)} patch resource "configmaps"`, 'u'));
});

test('an Application is deleted with the service account, and says what it may not delete', async () => {
  const finalizers = ['resources-finalizer.argocd.argoproj.io'];
  const app = await open('acting-deletion', { a: configMap('a') }, [onConfigMaps('get', 'create', 'patch')]);
  assert.equal((await app.sync()).phase, 'Succeeded');
  await app.patch({ metadata: { finalizers } });
  await app.delete();
  const { status } = await app.reaches('the deletion is refused', ({ status: now }) =>
    (now?.conditions ?? []).some(({ type }) => type === 'DeletionError'),
  );
  const [condition] = (status?.conditions ?? []).filter(({ type }) => type === 'DeletionError');
  assert.match(condition?.message ?? '', new RegExp(`${as(app.namespace)} delete resource "configmaps"`, 'u'));
  await suite.client.patch(rbacType('Role', 'roles'), { namespace: app.namespace, name: 'deployer' }, 'merge', {
    rules: [onConfigMaps('*')],
  });
  await until('the Application is deleted', async () => !(await app.exists()));
  assert.equal(await app.find(types.ConfigMap, 'a'), undefined);
});
