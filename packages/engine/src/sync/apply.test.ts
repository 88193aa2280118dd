import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject, ResourceType } from '@fairlead/apimachinery';
import type { ApiClient } from '@fairlead/kube';
import { SimApiServer, Simulation } from '@fairlead/sim';
import { lastAppliedAnnotation } from '../diff/last-applied.ts';
import { apply } from './apply.ts';

const type: ResourceType = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
const key = { namespace: 'web', name: 'a' };
const configMap = (data: Record<string, string>): KubeObject & { data: Record<string, string> } => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { ...key },
  data,
});

const boundClient = (client: ApiClient): ApiClient => ({
  get: client.get.bind(client),
  list: client.list.bind(client),
  watch: client.watch.bind(client),
  create: client.create.bind(client),
  replace: client.replace.bind(client),
  patch: client.patch.bind(client),
  delete: client.delete.bind(client),
  deleteCollection: client.deleteCollection.bind(client),
});

async function withServer<T>(run: (client: ApiClient, server: SimApiServer) => Promise<T>): Promise<T> {
  const sim = new Simulation(1);
  const server = new SimApiServer(sim);
  const result = run(server.client(sim.process('test')), server);
  let ended = false;
  void result.finally(() => (ended = true)).catch(() => {});
  await sim.reach(() => ended, 600_000);
  return result;
}

test('created, unchanged, configured; what others added stays, what we dropped goes', () =>
  withServer(async (client, server) => {
    assert.equal(await apply(client, type, configMap({ a: '1', b: '2' })), 'created');
    const revision = server.store.revision;
    assert.equal(await apply(client, type, configMap({ a: '1', b: '2' })), 'unchanged');
    assert.equal(server.store.revision, revision, 'nothing is written when nothing changes');
    const live = server.store.get(type, key) as ReturnType<typeof configMap>;
    server.store.replace(type, { ...live, data: { ...live.data, theirs: 'x' } } as KubeObject);
    assert.equal(await apply(client, type, configMap({ a: '9' })), 'configured');
    const after = server.store.get(type, key) as ReturnType<typeof configMap>;
    assert.deepEqual(after.data, { a: '9', theirs: 'x' });
    assert.equal(
      after.metadata.annotations?.[lastAppliedAnnotation],
      `${JSON.stringify({ apiVersion: 'v1', data: { a: '9' }, kind: 'ConfigMap', metadata: { annotations: {}, name: 'a', namespace: 'web' } })}\n`,
    );
  }));

test('an object made by hand is taken over without losing what is in it', () =>
  withServer(async (client, server) => {
    server.store.create(type, configMap({ theirs: 'x' }));
    assert.equal(await apply(client, type, configMap({ a: '1' })), 'configured');
    assert.deepEqual((server.store.get(type, key) as ReturnType<typeof configMap>).data, { theirs: 'x', a: '1' });
  }));

test('another writer between reading and writing is not overwritten', () =>
  withServer(async (client, server) => {
    server.store.create(type, configMap({ n: '0' }));
    let interfered = false;
    const racing = Object.create(client, {
      patch: {
        value: (...args: Parameters<ApiClient['patch']>) => {
          const live = server.store.get(type, key) as ReturnType<typeof configMap>;
          if (!interfered)
            server.store.replace(type, { ...live, data: { ...live.data, theirs: 'late' } } as KubeObject);
          interfered = true;
          return client.patch(...args);
        },
      },
      get: { value: client.get.bind(client) },
    }) as ApiClient;
    assert.equal(await apply(racing, type, configMap({ n: '1' })), 'configured');
    assert.deepEqual((server.store.get(type, key) as ReturnType<typeof configMap>).data, { n: '1', theirs: 'late' });
  }));

test('ignored fields are left as they are', () =>
  withServer(async (client, server) => {
    server.store.create(type, configMap({ a: 'theirs', b: '0' }));
    assert.equal(await apply(client, type, configMap({ a: 'ours', b: '1' }), { ignore: ['/data/a'] }), 'configured');
    assert.deepEqual((server.store.get(type, key) as ReturnType<typeof configMap>).data, { a: 'theirs', b: '1' });
  }));

test('replace takes the whole object', () =>
  withServer(async (client, server) => {
    server.store.create(type, configMap({ theirs: 'x' }));
    assert.equal(await apply(client, type, configMap({ a: '1' }), { replace: true }), 'replaced');
    assert.deepEqual((server.store.get(type, key) as ReturnType<typeof configMap>).data, { a: '1' });
  }));

test('server-side apply is asked for with our name and by force', () =>
  withServer(async (client) => {
    const calls: unknown[][] = [];
    const noted = Object.create(client, {
      patch: { value: async (...args: unknown[]) => void calls.push(args) },
    }) as ApiClient;
    assert.equal(
      await apply(noted, type, configMap({ a: '1' }), { serverSide: true, dryRun: true }),
      'serverside-applied',
    );
    assert.deepEqual(calls, [
      [
        type,
        key,
        'apply',
        configMap({ a: '1' }),
        { fieldManager: 'argocd-controller', fieldValidation: 'Strict', dryRun: true, force: true },
      ],
    ]);
  }));

test('an object that is expected to be new is created without a read; one that exists after all is patched, and not overwritten', () =>
  withServer(async (client, server) => {
    let reads = 0;
    const counting: ApiClient = {
      ...boundClient(client),
      get: (...args) => {
        reads += 1;
        return client.get(...args);
      },
    };
    assert.equal(await apply(counting, type, configMap({ a: '1' }), { isNew: true }), 'created');
    assert.equal(reads, 0);
    const live = server.store.get(type, key) as ReturnType<typeof configMap>;
    server.store.replace(type, { ...live, data: { ...live.data, theirs: 'x' } } as KubeObject);
    assert.equal(await apply(counting, type, configMap({ a: '2' }), { isNew: true }), 'configured');
    assert.deepEqual((server.store.get(type, key) as ReturnType<typeof configMap>).data, { a: '2', theirs: 'x' });
  }));
