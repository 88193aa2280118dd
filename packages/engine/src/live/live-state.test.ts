import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject, ResourceType } from '@fairlead/kube';
import { SimApiServer, World } from '@fairlead/sim';
import { createKinds, type DiscoveredType } from '../kinds.ts';
import { withTracking } from '../tracking.ts';
import { LiveState } from './live-state.ts';

const verbs = ['list', 'watch', 'delete'];
const configMaps: DiscoveredType = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
  verbs,
};
const things: DiscoveredType = {
  group: 'example.com',
  version: 'v1',
  kind: 'Thing',
  plural: 'things',
  namespaced: false,
  verbs,
};
const object = (type: ResourceType, name: string, rest: object = {}): KubeObject => ({
  apiVersion: type.group === '' ? type.version : `${type.group}/${type.version}`,
  kind: type.kind,
  metadata: { name, ...(type.namespaced ? { namespace: 'web' } : {}) },
  ...rest,
});

async function start(...kinds: DiscoveredType[]) {
  const world = new World(7);
  const server = new SimApiServer(world);
  const process = world.process('controller');
  let reads = 0;
  const client = server.client(process);
  const counting = Object.create(client, {
    get: {
      value: (...args: Parameters<typeof client.get>) => {
        reads += 1;
        return client.get(...args);
      },
    },
    list: { value: client.list.bind(client) },
    watch: { value: client.watch.bind(client) },
  }) as typeof client;
  const live = new LiveState(counting, { clock: process.clock, random: process.random });
  const stop = new AbortController();
  live.follow(createKinds(kinds), stop.signal);
  const settle = async <T>(promise: Promise<T>): Promise<T> => {
    let ended = false;
    void promise.finally(() => (ended = true)).catch(() => {});
    await world.reach(() => ended, 600_000);
    return promise;
  };
  await settle(live.waitForSync(stop.signal));
  return { world, server, live, stop, settle, reads: () => reads };
}

test('objects are found by their Application, over all kinds', async () => {
  const { server, live, world, stop } = await start(configMaps, things);
  server.store.create(configMaps, withTracking(object(configMaps, 'a', { data: { k: 'v' } }), 'shop'));
  server.store.create(things, withTracking(object(things, 't'), 'shop'));
  server.store.create(configMaps, withTracking(object(configMaps, 'b'), 'other'));
  server.store.create(configMaps, object(configMaps, 'c', { data: { big: 'x' } }));
  await world.pass(10_000);
  assert.deepEqual(
    live
      .objectsOf('shop')
      .map((found) => found.metadata.name)
      .sort(),
    ['a', 't'],
  );
  assert.deepEqual(
    (live.objectsOf('shop').find((found) => found.kind === 'ConfigMap') as unknown as { data: object }).data,
    { k: 'v' },
  );
  assert.equal(live.size, 4);
  stop.abort();
});

test('listeners hear of an Application’s objects, and of one that changes hands both do', async () => {
  const { server, live, world, stop } = await start(configMaps);
  const heard: string[] = [];
  live.onChange(({ managedBy, id }) => heard.push(...managedBy.map((app) => `${app} ${id.name}`)));
  server.store.create(configMaps, withTracking(object(configMaps, 'a'), 'shop'));
  server.store.create(configMaps, object(configMaps, 'stranger'));
  await world.pass(10_000);
  assert.deepEqual(heard.splice(0), ['shop a']);
  server.store.replace(configMaps, withTracking(object(configMaps, 'a'), 'other'));
  await world.pass(10_000);
  assert.deepEqual(heard.splice(0), ['shop a', 'other a']);
  server.store.delete(configMaps, { namespace: 'web', name: 'a' });
  await world.pass(10_000);
  assert.deepEqual(heard, ['other a']);
  stop.abort();
});

test('a stranger that an Application wants is read once, and kept whole from then on', async () => {
  const { server, live, world, stop, settle, reads } = await start(configMaps);
  const id = { group: '', kind: 'ConfigMap', namespace: 'web', name: 'a' };
  assert.equal(await settle(live.read(id)), undefined);
  server.store.create(configMaps, object(configMaps, 'a', { data: { n: '1' } }));
  await world.pass(10_000);
  const data = async (): Promise<object> => ((await settle(live.read(id))) as unknown as { data: object }).data;
  assert.deepEqual(await data(), { n: '1' });
  assert.deepEqual(await data(), { n: '1' });
  assert.equal(reads(), 1);
  server.store.replace(configMaps, object(configMaps, 'a', { data: { n: '2' } }));
  await world.pass(10_000);
  assert.deepEqual(await data(), { n: '2' });
  assert.equal(reads(), 1, 'the watch brings the rest');
  stop.abort();
});

test('kinds that come and go are followed', async () => {
  const { server, live, world, stop } = await start(configMaps);
  server.store.create(things, withTracking(object(things, 't'), 'shop'));
  live.follow(createKinds([configMaps, things]), stop.signal);
  assert.deepEqual(live.unsynced, ['example.com/Thing']);
  await world.pass(10_000);
  assert.equal(live.objectsOf('shop').length, 1);
  live.follow(createKinds([configMaps]), stop.signal);
  assert.equal(live.objectsOf('shop').length, 0);
  stop.abort();
});
