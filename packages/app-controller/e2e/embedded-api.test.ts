/** The controller on a real API server (the embedded one): covers what the simulated server does not have. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Application, applicationKind, appProjectKind, crdOf, kinds } from '@fairlead/api';
import { crdType, isNotFound, type KubeObject, type ResourceType } from '@fairlead/apimachinery';
import { type ControlPlane, startControlPlane } from '@fairlead/control-plane';
import {
  accessOf,
  Discovery,
  HttpClient,
  parseKubeconfig,
  silentLogger,
  sleep,
  systemClock,
  systemRandom,
} from '@fairlead/kube';
import { AppController } from '../src/app-controller.ts';
import { openCluster } from '../src/cluster/cluster.ts';
import { inClusterName, inClusterServer } from '../src/cluster/clusters.ts';
import { defaultSettings } from '../src/reconcile-env.ts';
import { onlyCluster } from '../test/support/only-cluster.ts';
import { application, configMap, configMaps, MemorySources } from '../test/support/simulation.ts';

const stop = new AbortController();
const sources = new MemorySources();
let plane: ControlPlane;
let client: HttpClient;
let stopped: Promise<void>;

before(async () => {
  plane = await startControlPlane();
  client = new HttpClient((await accessOf(parseKubeconfig(plane.kubeconfig(), 'kubeconfig'))).client);
  for (const kind of kinds) await client.create(crdType, crdOf(kind));
  await client.create(
    { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false },
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'argocd' } },
  );
  const spec = {
    sourceRepos: ['*'],
    destinations: [{ server: '*', namespace: '*' }],
    clusterResourceWhitelist: [{ group: '*', kind: '*' }],
  };
  const project = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'default', namespace: 'argocd' },
    spec,
  };
  await until(() =>
    client.create(appProjectKind.type, project).then(
      () => true,
      () => false,
    ),
  );
  const discovery = new Discovery(client);
  const discover = async () => {
    discovery.invalidate();
    return (await discovery.catalogue()).groups.flatMap(({ versions }) =>
      versions.flatMap(({ resources }) => resources),
    );
  };
  const shared = { clock: systemClock, random: systemRandom, log: silentLogger };
  const cluster = await openCluster(
    {
      name: inClusterName,
      server: inClusterServer,
      client,
      clientAs: (user) => client.as({ user }),
      discover,
      ...shared,
    },
    stop.signal,
  );
  stopped = new AppController({
    client,
    clusters: onlyCluster(cluster),
    sources,
    settings: defaultSettings,
    ...shared,
  }).run(stop.signal);
});
after(async () => {
  stop.abort();
  await stopped;
  await client.close();
  await plane.close();
});

async function until(holds: () => Promise<boolean>, withinMs = 15_000): Promise<void> {
  // A machine that is busy with other tests takes longer; an idle one never reaches this timeout.
  const end = Date.now() + 4 * withinMs;
  while (!(await holds())) {
    if (Date.now() > end)
      throw new Error(`not within ${withinMs} ms: ${JSON.stringify(await shop().catch(String), null, 1)}`);
    await sleep(systemClock, 25);
  }
}
const shop = (): Promise<Application> =>
  client.get<Application>(applicationKind.type, { namespace: 'argocd', name: 'shop' });
const settled = async (revision: string): Promise<boolean> => {
  const { status, operation } = await shop();
  return status?.sync?.status === 'Synced' && status.sync.revision === revision && operation === undefined;
};
const find = <T extends object = { data?: object }>(
  type: ResourceType,
  name: string,
): Promise<(KubeObject & T) | undefined> =>
  client.get<KubeObject & T>(type, type.namespaced ? { namespace: 'web', name } : { name }).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });

const widgets: ResourceType = {
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  namespaced: true,
};
const widgetDefinition = JSON.stringify({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Widget', plural: 'widgets', singular: 'widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
          },
        },
      },
    ],
  },
});
const widget = (spec: object): string =>
  JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec });

test('one sync creates a CustomResourceDefinition and an object of its kind', async () => {
  const revision = sources.commit({
    'crd.json': widgetDefinition,
    'w.json': widget({ size: 1 }),
    'a.json': configMap('a', { n: '1' }),
  });
  const app = application();
  await client.create(applicationKind.type, {
    ...app,
    metadata: { ...app.metadata, annotations: { 'argocd.argoproj.io/refresh': 'normal' } },
  });
  await until(() => settled(revision));
  assert.deepEqual((await find<{ spec: object }>(widgets, 'w'))?.spec, { size: 1 });
  assert.equal(
    (await shop()).metadata.annotations?.['argocd.argoproj.io/refresh'],
    undefined,
    'the request was accepted',
  );
});

test('an object that the server rejects fails the sync, and the accepted ones are applied', async () => {
  sources.commit({
    'crd.json': widgetDefinition,
    'w.json': widget({ size: 'large' }),
    'a.json': configMap('a', { n: '2' }),
  });
  const refused = /synchronization tasks completed unsuccessfully, reason: error when patching .*spec\.size/;
  await until(async () => {
    const { retryCount = 0, message = '' } = (await shop()).status?.operationState ?? {};
    return retryCount > 0 && refused.test(message);
  });
  assert.deepEqual((await find(configMaps, 'a'))?.data, { n: '2' });
});

test('a newer commit does not wait for the retries of an older one', async () => {
  const revision = sources.commit({
    'crd.json': widgetDefinition,
    'w.json': widget({ size: 2 }),
    'a.json': configMap('a', { n: '3' }),
  });
  await until(() => settled(revision), 30_000);
  assert.deepEqual((await find<{ spec: object }>(widgets, 'w'))?.spec, { size: 2 });
});

const serverSide = { 'argocd.argoproj.io/sync-options': 'ServerSideApply=true' };
const unchanged = {
  'crd.json': widgetDefinition,
  'w.json': widget({ size: 2 }),
  's.json': configMap('s', { by: 'server' }, serverSide),
};

test('ServerSideApply=true applies with our own field manager', async () => {
  const revision = sources.commit({ ...unchanged, 'a.json': configMap('a', { n: '3' }) });
  await until(() => settled(revision));
  const applied = await find(configMaps, 's');
  assert.deepEqual(
    applied?.metadata.managedFields?.map(({ manager, operation }) => `${manager} ${operation}`),
    ['argocd-controller Apply'],
  );
  assert.equal(applied.metadata.annotations?.['kubectl.kubernetes.io/last-applied-configuration'], undefined);
});

test('fields of other managers remain, fields that we applied and dropped are removed', async () => {
  await client.patch(configMaps, { namespace: 'web', name: 'a' }, 'merge', { data: { theirs: 'x' } });
  const revision = sources.commit({ ...unchanged, 'a.json': configMap('a', { m: '1' }) });
  await until(() => settled(revision));
  assert.deepEqual((await find(configMaps, 'a'))?.data, { theirs: 'x', m: '1' });
});
