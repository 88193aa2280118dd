/** Sources of Applications: several sources, and other Applications. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Application, applicationKind } from '@fairlead/api';
import { configMap } from '../test/support/objects.ts';
import { openSuite, type Suite, types, until } from '../test/support/suite.ts';

let suite: Suite;
before(async () => {
  suite = await openSuite();
});
after(() => suite.close());

const automated = { automated: { prune: true }, syncOptions: ['CreateNamespace=true'] };
const isSynced = ({ status, operation }: Application): boolean =>
  status?.sync?.status === 'Synced' && operation === undefined;

test('several sources: objects are combined, each at its own revision, with chart values from another source', async () => {
  const charts = 'https://git.example/charts';
  suite.repositories.commit(charts, {
    'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'web/values.yaml': 'colour: red\n',
    'web/templates/c.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}-chart}\ndata: {colour: {{ .Values.colour }}}\n',
  });
  const app = await suite.create(
    'many',
    { 'values.yaml': 'colour: blue\n', plain: configMap('plain') },
    {
      spec: {
        sources: [
          { repoURL: charts, path: 'web', helm: { valueFiles: ['$own/values.yaml'] } },
          { repoURL: 'https://git.example/many', ref: 'own', path: '.', directory: { include: '*.json' } },
        ],
        syncPolicy: automated,
      },
    },
  );
  const { status } = await app.reaches('synced', isSynced);
  assert.equal(status?.sync?.revisions?.length, 2);
  assert.equal(status.sync.revision, undefined);
  assert.deepEqual(status.sourceTypes, ['Helm', 'Directory']);
  assert.equal((await app.find(types.ConfigMap, 'many-chart'))?.data?.['colour'], 'blue');
  assert.ok(await app.find(types.ConfigMap, 'plain'));
  app.commit({ 'values.yaml': 'colour: green\n', plain: configMap('plain') });
  await until('the other source changes', async () => {
    return (await app.find(types.ConfigMap, 'many-chart'))?.data?.['colour'] === 'green';
  });
});

test('an app of apps creates its children, aggregates their health and deletes them with itself', async () => {
  const child = (name: string): object => ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, finalizers: ['resources-finalizer.argocd.argoproj.io'] },
    spec: {
      project: 'default',
      source: { repoURL: `https://git.example/${name}`, path: '.' },
      destination: { server: 'https://kubernetes.default.svc', namespace: `fle-${name}` },
      syncPolicy: automated,
    },
  });
  for (const name of ['child-a', 'child-b']) {
    suite.repositories.commit(`https://git.example/${name}`, { 'c.json': JSON.stringify(configMap(name)) });
  }
  const app = await suite.create(
    'parent',
    { a: child('child-a'), b: child('child-b') },
    {
      metadata: { finalizers: ['resources-finalizer.argocd.argoproj.io'] },
      spec: {
        destination: { server: 'https://kubernetes.default.svc', namespace: suite.namespace },
        syncPolicy: { automated: { prune: true } },
      },
    },
  );
  const parent = await app.reaches(
    'synced and healthy, with its children',
    (one) => isSynced(one) && one.status?.health?.status === 'Healthy' && one.status.resources?.length === 2,
  );
  assert.equal(parent.status?.summary?.isAppOfApps, true);
  await until('the children are synced', async () => {
    return (await app.find(types.ConfigMap, 'child-a', 'fle-child-a')) !== undefined;
  });
  app.commit({ a: child('child-a') });
  await until('a child removed from the source is deleted with its objects', async () => {
    return (await app.find(types.ConfigMap, 'child-b', 'fle-child-b')) === undefined;
  });
  await app.delete();
  await until('everything is deleted', async () => {
    const left = await suite.client.list(applicationKind.type, { namespace: suite.namespace });
    return !left.items.some(({ metadata }) => /^(?:parent|child)/.test(metadata.name));
  });
  assert.equal(await app.find(types.ConfigMap, 'child-a', 'fle-child-a'), undefined);
});
