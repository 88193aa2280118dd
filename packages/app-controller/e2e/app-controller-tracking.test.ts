/** How objects are tracked as belonging to an Application, and what happens when the settings change. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { configMap } from '../test/support/objects.ts';
import { openSuite, type Suite, type TestApplication, types, until } from '../test/support/suite.ts';

let suite: Suite;
before(async () => {
  suite = await openSuite();
});
after(() => suite.close());

const label = 'app.kubernetes.io/instance';
const id = 'argocd.argoproj.io/tracking-id';
const installation = 'argocd.argoproj.io/installation-id';

const marksOf = async (app: TestApplication, name = 'a'): Promise<Record<string, string | undefined>> => {
  const { metadata } = (await app.find(types.ConfigMap, name))!;
  return {
    label: metadata.labels?.[label],
    id: metadata.annotations?.[id],
    installation: metadata.annotations?.[installation],
  };
};
const isSynced = ({ status }: { status?: { sync?: { status?: string } } }): boolean =>
  status?.sync?.status === 'Synced';
const isKnownBy = (method: string) => () =>
  suite.clusters.list().every(({ live }) => live.tracker.settings.method === method);

test('changing the tracking method from annotation to label to both and back prunes correctly under each', async () => {
  const files = { a: configMap('a'), b: configMap('b'), c: configMap('c'), d: configMap('d') };
  const app = await suite.create('tracked', files);
  await app.sync();
  const byId = `tracked:/ConfigMap:${app.namespace}/a`;
  assert.deepEqual(await marksOf(app), { label: undefined, id: byId, installation: undefined });

  await suite.configure({ 'application.resourceTrackingMethod': 'label' });
  await until('objects are tracked by label', isKnownBy('label'));
  await app.reaches('the label is missing', ({ status }) => status?.sync?.status === 'OutOfSync');
  await app.sync();
  assert.equal((await marksOf(app)).label, 'tracked');
  await app.reaches('Synced by label', isSynced);
  const { d: _, ...withoutD } = files;
  app.commit(withoutD);
  await app.reaches('d is extraneous', ({ status }) => status?.sync?.status === 'OutOfSync');
  await app.sync({ prune: true });
  assert.deepEqual(await app.names(types.ConfigMap), ['a', 'b', 'c']);

  await suite.configure({ 'application.resourceTrackingMethod': 'annotation+label' });
  await until('objects are tracked by both', isKnownBy('annotation+label'));
  await app.sync();
  assert.deepEqual(await marksOf(app), { label: 'tracked', id: byId, installation: undefined });
  const { c: _c, ...withoutC } = withoutD;
  app.commit(withoutC);
  await app.reaches('c is extraneous', ({ status }) => status?.sync?.status === 'OutOfSync');
  await app.sync({ prune: true });
  assert.deepEqual(await app.names(types.ConfigMap), ['a', 'b']);

  await suite.configure({});
  await until('objects are tracked by annotation', isKnownBy('annotation'));
  await app.reaches('Synced by annotation', isSynced);
  app.commit({ a: configMap('a') });
  await app.reaches('b is extraneous', ({ status }) => status?.sync?.status === 'OutOfSync');
  await app.sync({ prune: true });
  assert.deepEqual(await app.names(types.ConfigMap), ['a']);
});

test('after a change from labels to annotations nothing is OutOfSync while the annotation is still missing', async () => {
  await suite.configure({ 'application.resourceTrackingMethod': 'label' });
  await until('objects are tracked by label', isKnownBy('label'));
  const app = await suite.create('relabelled', { a: configMap('a') });
  await app.sync();
  assert.deepEqual(await marksOf(app), { label: 'relabelled', id: undefined, installation: undefined });
  await suite.configure({});
  await until('objects are tracked by annotation', isKnownBy('annotation'));
  await app.patch({ metadata: { annotations: { 'argocd.argoproj.io/refresh': 'normal' } } });
  await app.reaches('it was refreshed again', ({ metadata }) => !metadata.annotations?.['argocd.argoproj.io/refresh']);
  await app.reaches('Synced', isSynced);
  await app.sync();
  assert.equal((await marksOf(app)).id, `relabelled:/ConfigMap:${app.namespace}/a`);
});

test('installation id: an object with the tracking id of another installation is not pruned', async () => {
  await suite.configure({ installationID: 'mine' });
  await until('the installation has a name', () =>
    suite.clusters.list().every(({ live }) => live.tracker.settings.installationId === 'mine'),
  );
  const app = await suite.create('installed', { a: configMap('a') });
  await app.sync();
  assert.equal((await marksOf(app)).installation, 'mine');
  const foreign = {
    [id]: `installed:/ConfigMap:${app.namespace}/foreign`,
    [installation]: 'theirs',
  };
  await suite.client.create(types.ConfigMap, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'foreign', namespace: app.namespace, annotations: foreign },
  });
  app.commit({ a: configMap('a', {}, { n: '2' }) });
  await app.sync({ prune: true });
  await app.reaches('Synced', isSynced);
  assert.deepEqual(await app.names(types.ConfigMap), ['a', 'foreign']);
  await suite.configure({});
});

test('the tracking id of a cluster-scoped object contains the namespace of its Application, as in Argo CD', async () => {
  const role = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'fle-scoped' },
    rules: [],
  };
  const app = await suite.create('scoped', { role });
  await app.sync();
  const type = {
    group: 'rbac.authorization.k8s.io',
    version: 'v1',
    kind: 'ClusterRole',
    plural: 'clusterroles',
    namespaced: false,
  };
  const live = await app.find(type, 'fle-scoped');
  assert.equal(
    live?.metadata.annotations?.[id],
    `scoped:rbac.authorization.k8s.io/ClusterRole:${app.namespace}/fle-scoped`,
  );
  await app.reaches('Synced', isSynced);
  await suite.client.delete(type, { name: 'fle-scoped' });
});
