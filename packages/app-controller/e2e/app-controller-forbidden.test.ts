/** A controller with limited read permissions in its cluster. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { KubeObject, ResourceType } from '@fairlead/apimachinery';
import { configMap } from '../test/support/objects.ts';
import { openSuite, type Suite, types } from '../test/support/suite.ts';

const rbac = (kind: string, plural: string): ResourceType => ({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind,
  plural,
  namespaced: false,
});
const name = 'fairlead-e2e-narrow';
const role = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name },
  rules: [{ apiGroups: [''], resources: ['configmaps', 'namespaces'], verbs: ['*'] }],
};
const binding = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
  subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name }],
};

let suite: Suite;
before(async () => {
  suite = await openSuite({
    as: name,
    prepare: async (client) => {
      await client.create(rbac('ClusterRole', 'clusterroles'), role as KubeObject);
      await client.create(rbac('ClusterRoleBinding', 'clusterrolebindings'), binding as KubeObject);
    },
  });
});
after(async () => {
  await suite.client.delete(rbac('ClusterRoleBinding', 'clusterrolebindings'), { name });
  await suite.client.delete(rbac('ClusterRole', 'clusterroles'), { name });
  await suite.close();
});

test('forbidden kinds do not block other kinds from sync and self-heal', async () => {
  const [cluster] = suite.clusters.list();
  assert.ok(cluster, 'the cluster is usable');
  assert.ok(cluster.live.forbidden.has('/Secret'));
  assert.deepEqual(cluster.live.unsynced, []);
  assert.match(cluster.live.forbidden.get('/Secret') ?? '', /cannot (?:list|watch) resource "secrets"/);
  const spec = { syncPolicy: { automated: { selfHeal: true }, syncOptions: ['CreateNamespace=true'] } };
  const app = await suite.create('narrow', { a: configMap('a', {}, { n: '1' }) }, { spec });
  await app.reaches('Synced', ({ status }) => status?.sync?.status === 'Synced');
  await suite.client.patch(types.ConfigMap, { namespace: app.namespace, name: 'a' }, 'merge', { data: { n: '2' } });
  await app.reaches('healed', ({ status }) => (status?.history ?? []).length >= 1 && status?.sync?.status === 'Synced');
});

test('an Application with an object of a forbidden kind reports it, with the message of the server', async () => {
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } };
  const app = await suite.create('blind', { a: configMap('a'), secret });
  const { status } = await app.reaches('it is reported', ({ status: now }) =>
    JSON.stringify(now?.conditions ?? []).includes('secrets'),
  );
  const [condition] = status?.conditions ?? [];
  assert.equal(condition?.type, 'ComparisonError');
  assert.match(condition.message, /secrets "s" is forbidden/);
});
