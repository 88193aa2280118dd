import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  CoreV1Api,
  KubeConfig,
  KubernetesObjectApi,
  makeInformer,
  type V1ConfigMap,
  Watch,
} from '@kubernetes/client-node';
import { type ControlPlane, startControlPlane } from '../src/index.ts';

let plane: ControlPlane;
let config: KubeConfig;
let core: CoreV1Api;

before(async () => {
  plane = await startControlPlane();
  config = new KubeConfig();
  config.loadFromString(plane.kubeconfig());
  core = config.makeApiClient(CoreV1Api);
});

after(() => plane.close());

async function until(condition: () => boolean, what: () => string): Promise<void> {
  const end = Date.now() + 60_000;
  while (!condition()) {
    assert.ok(Date.now() < end, `not within 60 s: ${what()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test('the informer of the Node client library lists, watches and receives every change', async () => {
  const namespace = 'default';
  await core.createNamespacedConfigMap({ namespace, body: { metadata: { name: 'before' }, data: { x: '0' } } });
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const informer = makeInformer<V1ConfigMap>(config, path, () => core.listNamespacedConfigMap({ namespace }));
  const received: string[] = [];
  const note = (event: string) => (object: V1ConfigMap) => {
    if (object.metadata?.name !== 'kube-root-ca.crt')
      received.push(`${event} ${object.metadata?.name} ${object.data?.['x']}`);
  };
  for (const event of ['add', 'update', 'delete'] as const) informer.on(event, note(event));
  const errors: unknown[] = [];
  informer.on('error', (error) => errors.push(error));
  await informer.start();
  await core.createNamespacedConfigMap({ namespace, body: { metadata: { name: 'a' }, data: { x: '1' } } });
  await core.replaceNamespacedConfigMap({ namespace, name: 'a', body: { metadata: { name: 'a' }, data: { x: '2' } } });
  await core.deleteNamespacedConfigMap({ namespace, name: 'a' });
  await until(
    () => received.includes('delete a 2'),
    () => `${received.join(', ')} ${errors.join()}`,
  );
  assert.deepEqual(received, ['add before 0', 'add a 1', 'update a 2', 'delete a 2']);
  assert.equal(informer.get('before', namespace)?.data?.['x'], '0');
  assert.deepEqual(errors, []);
  await informer.stop();
});

test('the watch of the Node client library ends when it is aborted', async () => {
  const names: string[] = [];
  const ended = Promise.withResolvers<void>();
  const stop = await new Watch(config).watch(
    '/api/v1/namespaces',
    {},
    (_, object: { metadata: { name: string } }) => names.push(object.metadata.name),
    () => ended.resolve(),
  );
  await until(
    () => names.includes('default'),
    () => names.join(),
  );
  stop.abort();
  await ended.promise;
});

test('the generic object client of the Node client library creates, patches and deletes', async () => {
  const objects = KubernetesObjectApi.makeApiClient(config);
  const metadata = { namespace: 'default', name: 'generic' };
  const made = await objects.create<V1ConfigMap>({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { x: '1' } });
  assert.ok(made.metadata?.uid);
  const patched = await objects.patch<V1ConfigMap>({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { y: '2' } });
  assert.deepEqual(patched.data, { x: '1', y: '2' });
  await objects.delete({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
  await assert.rejects(objects.read({ apiVersion: 'v1', kind: 'ConfigMap', metadata }), { code: 404 });
});
