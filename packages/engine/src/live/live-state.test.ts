import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiError, type KubeObject, type ResourceType } from '@fairlead/apimachinery';
import { SimApiServer, Simulation } from '@fairlead/sim';
import { createKinds, type DiscoveredType } from '../kinds.ts';
import { defaultTracker } from '../tracking.ts';
import { LiveState, type LiveStateOptions } from './live-state.ts';

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

const start = (...kinds: DiscoveredType[]) => startWith({}, ...kinds);

async function startWith(options: LiveStateOptions & { forbid?: string }, ...kinds: DiscoveredType[]) {
  const sim = new Simulation(7);
  const server = new SimApiServer(sim);
  const process = sim.process('controller');
  let reads = 0;
  const client = server.client(process);
  const counting = Object.create(client, {
    get: {
      value: (...args: Parameters<typeof client.get>) => {
        reads += 1;
        return client.get(...args);
      },
    },
    list: { value: (type: ResourceType, ...rest: never[]) => allowed(type, () => client.list(type, ...rest)) },
    watch: { value: (type: ResourceType, ...rest: never[]) => allowed(type, () => client.watch(type, ...rest)) },
  }) as typeof client;
  const forbidden = new Set([options.forbid]);
  const allowed = <T>(type: ResourceType, run: () => T): T => {
    if (forbidden.has(type.kind)) throw apiError(403, 'Forbidden', `${type.plural} is forbidden`);
    return run();
  };
  const live = new LiveState(counting, { ...options, clock: process.clock, random: process.random });
  const stop = new AbortController();
  live.follow(createKinds(kinds), stop.signal);
  const settle = async <T>(promise: Promise<T>): Promise<T> => {
    let ended = false;
    void promise.finally(() => (ended = true)).catch(() => {});
    await sim.reach(() => ended, 600_000);
    return promise;
  };
  await settle(live.waitForSync(stop.signal));
  return { sim, server, live, stop, settle, forbidden, reads: () => reads };
}

test('objects are found by their Application, across all kinds', async () => {
  const { server, live, sim, stop } = await start(configMaps, things);
  server.store.create(configMaps, defaultTracker.mark(object(configMaps, 'a', { data: { k: 'v' } }), 'shop'));
  server.store.create(things, defaultTracker.mark(object(things, 't'), 'shop'));
  server.store.create(configMaps, defaultTracker.mark(object(configMaps, 'b'), 'other'));
  server.store.create(configMaps, object(configMaps, 'c', { data: { big: 'x' } }));
  await sim.pass(10_000);
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

test('listeners are notified of the objects of an Application; a change of owner notifies both Applications', async () => {
  const { server, live, sim, stop } = await start(configMaps);
  const received: string[] = [];
  live.onChange(({ managedBy, id }) => received.push(...managedBy.map((app) => `${app} ${id.name}`)));
  server.store.create(configMaps, defaultTracker.mark(object(configMaps, 'a'), 'shop'));
  server.store.create(configMaps, object(configMaps, 'stranger'));
  await sim.pass(10_000);
  assert.deepEqual(received.splice(0), ['shop a']);
  server.store.replace(configMaps, defaultTracker.mark(object(configMaps, 'a'), 'other'));
  await sim.pass(10_000);
  assert.deepEqual(received.splice(0), ['shop a', 'other a']);
  server.store.delete(configMaps, { namespace: 'web', name: 'a' });
  await sim.pass(10_000);
  assert.deepEqual(received, ['other a']);
  stop.abort();
});

test('a target object that is not tracked is read once, and then watched in full', async () => {
  const { server, live, sim, stop, settle, reads } = await start(configMaps);
  const id = { group: '', kind: 'ConfigMap', namespace: 'web', name: 'a' };
  assert.equal(await settle(live.read(id)), undefined);
  server.store.create(configMaps, object(configMaps, 'a', { data: { n: '1' } }));
  await sim.pass(10_000);
  const data = async (): Promise<object> => ((await settle(live.read(id))) as unknown as { data: object }).data;
  assert.deepEqual(await data(), { n: '1' });
  assert.deepEqual(await data(), { n: '1' });
  assert.equal(reads(), 1);
  server.store.replace(configMaps, object(configMaps, 'a', { data: { n: '2' } }));
  await sim.pass(10_000);
  assert.deepEqual(await data(), { n: '2' });
  assert.equal(reads(), 1, 'the watch brings the rest');
  stop.abort();
});

test('kinds that are added and removed are followed', async () => {
  const { server, live, sim, stop } = await start(configMaps);
  server.store.create(things, defaultTracker.mark(object(things, 't'), 'shop'));
  live.follow(createKinds([configMaps, things]), stop.signal);
  assert.deepEqual(live.unsynced, ['example.com/Thing']);
  await sim.pass(10_000);
  assert.equal(live.objectsOf('shop').length, 1);
  live.follow(createKinds([configMaps]), stop.signal);
  assert.equal(live.objectsOf('shop').length, 0);
  stop.abort();
});

const things2: DiscoveredType = { ...things, version: 'v2' };

test('a kind that is served in another version is read again, and removing a kind removes its objects', async () => {
  const { server, live, sim, stop } = await start(configMaps, things);
  const received: string[] = [];
  server.store.create(things, defaultTracker.mark(object(things, 't'), 'shop'));
  await sim.pass(10_000);
  live.onChange(({ managedBy }) => received.push(...managedBy));
  live.follow(createKinds([configMaps, things2]), stop.signal);
  assert.deepEqual(live.watchedKinds, ['/ConfigMap', 'example.com/Thing']);
  assert.deepEqual(received, ['shop']);
  live.follow(createKinds([configMaps]), stop.signal);
  assert.equal(live.size, 0);
  stop.abort();
});

test('excluded kinds are not watched, and are read when an Application has one', async () => {
  const { server, live, sim, stop, settle, reads } = await startWith(
    { isExcluded: (_, kind) => kind === 'Thing' },
    configMaps,
    things,
  );
  server.store.create(things, defaultTracker.mark(object(things, 't'), 'shop'));
  await sim.pass(10_000);
  assert.deepEqual(live.watchedKinds, ['/ConfigMap']);
  assert.equal(live.objectsOf('shop').length, 0);
  assert.equal(
    (await settle(live.read({ group: 'example.com', kind: 'Thing', namespace: '', name: 't' })))?.metadata.name,
    't',
  );
  assert.equal(reads(), 1);
  stop.abort();
});

test('a cluster with a list of namespaces: only those are watched, and cluster-scoped kinds only if enabled', async () => {
  for (const clusterResources of [false, true]) {
    const { server, live, sim, stop } = await startWith(
      { namespaces: ['web', 'db'], clusterResources },
      configMaps,
      things,
    );
    const inNamespace = (namespace: string): KubeObject => {
      const one = object(configMaps, 'a');
      return defaultTracker.mark({ ...one, metadata: { ...one.metadata, namespace } }, 'shop');
    };
    for (const namespace of ['web', 'db', 'elsewhere']) server.store.create(configMaps, inNamespace(namespace));
    server.store.create(things, defaultTracker.mark(object(things, 't'), 'shop'));
    await sim.pass(10_000);
    const found = live.objectsOf('shop').map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}`);
    assert.deepEqual(found.sort(), ['ConfigMap db', 'ConfigMap web', ...(clusterResources ? ['Thing '] : [])]);
    const outside = { group: '', kind: 'ConfigMap', namespace: 'elsewhere', name: 'a' };
    await assert.rejects(live.read(outside), /^Error: Namespace "elsewhere" for ConfigMap "a" is not managed: add it/);
    const scoped = live.read({ group: 'example.com', kind: 'Thing', namespace: '', name: 't' });
    if (clusterResources) assert.equal((await scoped)?.metadata.name, 't');
    else await assert.rejects(scoped, /Cluster level Thing "t" can not be managed when in namespaced mode/);
    stop.abort();
  }
});

for (const respectRbac of [false, true]) {
  test(`a forbidden kind does not block others, and is reported (${respectRbac ? 'respected' : 'retried'})`, async () => {
    const { server, live, sim, stop, forbidden } = await startWith(
      { forbid: 'Thing', respectRbac },
      configMaps,
      things,
    );
    assert.deepEqual([...live.forbidden], [['example.com/Thing', 'things is forbidden']]);
    assert.deepEqual(live.unsynced, []);
    server.store.create(configMaps, defaultTracker.mark(object(configMaps, 'a'), 'shop'));
    await sim.pass(10_000);
    assert.equal(live.objectsOf('shop').length, 1);
    forbidden.delete('Thing');
    live.follow(createKinds([configMaps, things]), stop.signal);
    await sim.pass(120_000);
    assert.deepEqual([[...live.forbidden], live.unsynced], [[], []], 'permitted now, and retried');
    stop.abort();
  });
}

test('a change in fields that are not cached is not reported; a change of a child is reported to its Application', async () => {
  const { server, live, sim, stop } = await start(configMaps);
  const owner = server.store.create(configMaps, defaultTracker.mark(object(configMaps, 'owner'), 'shop'));
  const child = object(configMaps, 'child', { data: { n: '1' } });
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid! };
  const owned = { ...child, metadata: { ...child.metadata, ownerReferences: [reference] } };
  const received: string[] = [];
  live.onChange(({ id, managedBy, partOf }) => received.push(`${id.name} ${managedBy}/${partOf}`));
  server.store.create(configMaps, owned);
  await sim.pass(10_000);
  assert.deepEqual(received.splice(0), ['owner shop/', 'child /shop']);
  server.store.replace(configMaps, { ...owned, data: { n: '2' } } as KubeObject);
  await sim.pass(10_000);
  assert.deepEqual(received.splice(0), []);
  server.store.delete(configMaps, { namespace: 'web', name: 'child' });
  await sim.pass(10_000);
  assert.deepEqual(received, ['child /shop']);
  stop.abort();
});

test('irrelevant changes are not reported', async () => {
  const isRelevant = (old: KubeObject, now: KubeObject) =>
    (old as { data?: object }).data !== undefined && 'data' in now;
  const { server, live, sim, stop } = await startWith(
    { isRelevantChange: async (old, now) => isRelevant(old, now) },
    configMaps,
  );
  server.store.create(configMaps, defaultTracker.mark(object(configMaps, 'a'), 'shop'));
  await sim.pass(10_000);
  const received: string[] = [];
  live.onChange(({ id }) => received.push(id.name));
  server.store.replace(configMaps, defaultTracker.mark(object(configMaps, 'a', { data: { n: '1' } }), 'shop'));
  await sim.pass(10_000);
  assert.deepEqual(received, []);
  server.store.replace(configMaps, defaultTracker.mark(object(configMaps, 'a', { data: { n: '2' } }), 'shop'));
  await sim.pass(10_000);
  assert.deepEqual(received, ['a']);
  stop.abort();
});
