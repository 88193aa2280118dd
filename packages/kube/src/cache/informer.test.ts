import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KubeObject, keyOf, type ResourceType } from '@fairlead/apimachinery';
import { noFaults, SimApiServer, Simulation } from '@fairlead/sim';
import { createLogger } from '../logger.ts';
import { Informer, type InformerHandler, type InformerOptions } from './informer.ts';
import { InformerFactory, withoutManagedFields } from './informer-factory.ts';

const type: ResourceType = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };

const configMap = (name: string, labels: Record<string, string> = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'ns', name, labels },
});

function started(options: InformerOptions = {}, before: KubeObject[] = []) {
  const sim = new Simulation(1);
  const server = new SimApiServer(sim, noFaults);
  for (const object of before) server.store.create(type, object);
  const process = sim.process('app');
  const stop = new AbortController();
  const informer = new Informer(
    server.client(process),
    type,
    {},
    { clock: process.clock, random: process.random, ...options },
  );
  void informer.run(stop.signal);
  return { sim, server, informer, stop };
}

function noting(received: string[]): InformerHandler {
  return {
    onAdd: (object, initial) => received.push(`${initial ? 'there' : 'add'} ${object.metadata.name}`),
    onUpdate: (old, object) =>
      received.push(`update ${object.metadata.name} ${old.metadata.generation}→${object.metadata.generation}`),
    onDelete: (object) => received.push(`delete ${object.metadata.name}`),
  };
}

test('handlers receive the existing objects, then each change with the previous state', async () => {
  const { sim, server, informer } = started({}, [configMap('a')]);
  const received: string[] = [];
  informer.addHandler(noting(received));
  assert.equal(informer.hasSynced, false);
  await sim.pass(5_000);
  assert.equal(informer.hasSynced, true);
  server.store.create(type, configMap('b'));
  server.store.replace(type, { ...configMap('a'), data: { x: '1' } } as KubeObject);
  server.store.delete(type, { namespace: 'ns', name: 'b' });
  await sim.pass(20_000);
  assert.deepEqual(received, ['there a', 'add b', 'update a 1→2', 'delete b']);
});

test('an object that was deleted and created again is a delete of the old one and an add of the new one', async () => {
  const { sim, server, informer, stop } = started({}, [configMap('a')]);
  await sim.pass(5_000);
  const received: string[] = [];
  informer.addHandler({
    onAdd: (object, initial) => initial || received.push(`add ${object.metadata.uid}`),
    onUpdate: () => received.push('update'),
    onDelete: (object) => received.push(`delete ${object.metadata.uid}`),
  });
  const old = informer.get('ns/a')!.metadata.uid;
  server.store.delete(type, { namespace: 'ns', name: 'a' });
  const fresh = server.store.create(type, configMap('a'));
  await sim.pass(60_000);
  assert.deepEqual(received, [`delete ${old}`, `add ${fresh.metadata.uid}`]);
  stop.abort();
});

test('a deletion that the watch missed is found by the next list and reported with the last known object', async () => {
  const sim = new Simulation(7);
  const server = new SimApiServer(sim, { ...noFaults, watchCut: 1 }, { streams: true });
  server.store.create(type, configMap('kept'));
  const last = server.store.create(type, configMap('lost', { colour: 'blue' }));
  const process = sim.process('app');
  const informer = new Informer(server.client(process), type, {}, { clock: process.clock, random: process.random });
  const gone: KubeObject[] = [];
  informer.addHandler({ onDelete: (object) => gone.push(object) });
  void informer.run(new AbortController().signal);
  await sim.reach(() => informer.hasSynced, 60_000);
  process.pause(100_000);
  await sim.pass(90_000);
  server.store.delete(type, { namespace: 'ns', name: 'lost' });
  server.store.compact();
  server.heal();
  await sim.pass(600_000);
  assert.deepEqual(
    gone.map((o) => [o.metadata.uid, o.metadata.labels]),
    [[last.metadata.uid, { colour: 'blue' }]],
  );
  assert.deepEqual(informer.list().map(keyOf), ['ns/kept']);
});

test('a handler that is added late receives all existing objects, and a removed one receives nothing more', async () => {
  const { sim, server, informer } = started({}, [configMap('a'), configMap('b')]);
  await sim.pass(5_000);
  const received: string[] = [];
  const remove = informer.addHandler(noting(received));
  remove();
  server.store.create(type, configMap('c'));
  await sim.pass(10_000);
  assert.deepEqual(received, ['there a', 'there b']);
});

test('a handler added by another handler misses nothing and receives nothing twice', async () => {
  const { sim, server, informer } = started();
  await sim.pass(5_000);
  const received: string[] = [];
  let once = false;
  informer.addHandler({
    onAdd: () => {
      if (!once) informer.addHandler(noting(received));
      once = true;
    },
  });
  server.store.create(type, configMap('a'));
  server.store.create(type, configMap('b'));
  await sim.pass(20_000);
  assert.deepEqual(received, ['there a', 'add b']);
});

test('a handler that throws is logged, and the others still receive events', async () => {
  const lines: string[] = [];
  const { sim, informer } = started({ log: createLogger({ sink: (line) => lines.push(line) }) }, [configMap('a')]);
  const received: string[] = [];
  informer.addHandler({
    onAdd: () => {
      throw new Error('a bug in a consumer');
    },
  });
  informer.addHandler(noting(received));
  await sim.pass(5_000);
  assert.deepEqual(received, ['there a']);
  assert.match(lines.join(), /a bug in a consumer/);
});

test('indexes follow every change, also those added when objects exist', async () => {
  const { sim, server, informer } = started({}, [configMap('a', { team: 'x' }), configMap('b', { team: 'y' })]);
  await sim.pass(5_000);
  informer.addIndex('team', (object) => [object.metadata.labels?.['team'] ?? '']);
  const names = (team: string) => informer.byIndex('team', team).map((object) => object.metadata.name);
  assert.deepEqual([names('x'), names('y'), names('z')], [['a'], ['b'], []]);
  server.store.replace(type, configMap('b', { team: 'x' }));
  server.store.delete(type, { namespace: 'ns', name: 'a' });
  await sim.pass(20_000);
  assert.deepEqual([names('x'), names('y')], [['b'], []]);
  assert.throws(() => informer.byIndex('colour', 'red'), /no index 'colour'/);
  assert.throws(() => informer.addIndex('team', () => []), /another function/);
});

test('a transform determines what is stored', async () => {
  const object = {
    ...configMap('a'),
    metadata: { ...configMap('a').metadata, managedFields: [{ manager: 'kubectl' }] },
  };
  const { sim, informer } = started({ transform: withoutManagedFields }, [object]);
  await sim.pass(5_000);
  assert.equal(informer.get('ns/a')?.metadata.managedFields, undefined);
  assert.equal(informer.get('ns/a')?.metadata.name, 'a');
});

test('waiting for sync ends with the signal', async () => {
  const sim = new Simulation(1);
  const informer = new Informer(new SimApiServer(sim).client(sim.process('app')), type);
  const stop = new AbortController();
  const wait = informer.waitForSync(stop.signal);
  stop.abort(new Error('enough'));
  await assert.rejects(wait, /enough/);
});

test('a factory shares one informer, and so one watch, for the same objects', async () => {
  const sim = new Simulation(1);
  const server = new SimApiServer(sim, noFaults, { streams: true });
  const process = sim.process('app');
  const client = server.client(process);
  let watches = 0;
  const counting = {
    list: client.list.bind(client),
    watch: ((...args: Parameters<typeof client.watch>) => {
      watches += 1;
      return client.watch(...args);
    }) as typeof client.watch,
  };
  const factory = new InformerFactory(counting, { clock: process.clock, random: process.random });
  const stop = new AbortController();
  const first = factory.informer(type);
  factory.start(stop.signal);
  assert.equal(factory.informer(type), first);
  const other = factory.informer(type, { namespace: 'other' });
  assert.notEqual(other, first);
  const synced = factory.waitForSync();
  await sim.pass(5_000);
  await synced;
  assert.equal(watches, 2);
  assert.equal(factory.hasSynced, true);
  stop.abort();
  await sim.pass(100);
  await factory.stopped();
});
