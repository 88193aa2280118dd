import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { isConflict, isNotFound, type KubeObject, keyOf, parseKey, type ResourceType } from '@fairlead/apimachinery';
import {
  type ApiClient,
  accessOf,
  Controller,
  Discovery,
  done,
  EventRecorder,
  eventsType,
  fixedCredentials,
  HttpClient,
  Informer,
  type KubeEvent,
  LeaderElector,
  listAll,
  parseKubeconfig,
} from '@fairlead/kube';
import { type ControlPlane, startControlPlane } from '../src/index.ts';

interface ConfigMap extends KubeObject {
  data?: Record<string, string>;
}

const configMaps: ResourceType = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
};
const namespaces: ResourceType = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
};
const definitions: ResourceType = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

let plane: ControlPlane;
let http: HttpClient;
const stops: (() => unknown)[] = [];

const clientOf = async (target: ControlPlane) =>
  new HttpClient((await accessOf(parseKubeconfig(target.kubeconfig(), '/kubeconfig'), { env: {} })).client);

before(async () => {
  plane = await startControlPlane();
  http = await clientOf(plane);
});

after(async () => {
  for (const stop of stops) await stop();
  await http.close();
  await plane.close();
});

async function freshNamespace(name: string): Promise<string> {
  await http.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  return name;
}

const configMap = (namespace: string, name: string, data: Record<string, string> = {}): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace, name },
  data,
});

async function until(condition: () => boolean, what: string): Promise<void> {
  const end = Date.now() + 60_000;
  while (!condition()) {
    assert.ok(Date.now() < end, `not within 60 s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

function running<T extends KubeObject>(informer: Informer<T>): Informer<T> {
  const stop = new AbortController();
  const run = informer.run(stop.signal);
  stops.push(async () => {
    stop.abort();
    await run;
  });
  return informer;
}

test('every verb works over HTTP', async () => {
  const namespace = await freshNamespace('verbs');
  const made = await http.create(configMaps, configMap(namespace, 'a', { x: '1' }));
  const key = { namespace, name: 'a' };
  assert.ok(made.metadata.uid);
  assert.deepEqual(await http.get(configMaps, key), made);
  const replaced = await http.replace(configMaps, { ...made, data: { x: '2' } });
  await assert.rejects(http.replace(configMaps, { ...made, data: { x: '3' } }), isConflict);
  assert.equal((await http.patch<ConfigMap>(configMaps, key, 'merge', { data: { y: '1' } })).data?.['y'], '1');
  const operations = [{ op: 'replace', path: '/data/y', value: '2' }];
  assert.equal((await http.patch<ConfigMap>(configMaps, key, 'json', operations)).data?.['y'], '2');
  assert.equal((await http.patch<ConfigMap>(configMaps, key, 'strategic', { data: { z: '1' } })).data?.['z'], '1');
  const desired = { ...configMap(namespace, 'a', { w: '1' }) };
  const applied = await http.patch<ConfigMap>(configMaps, key, 'apply', desired, { fieldManager: 'test', force: true });
  assert.deepEqual(applied.data, { x: '2', y: '2', z: '1', w: '1' });
  assert.ok(
    applied.metadata.managedFields?.some(({ manager, operation }) => manager === 'test' && operation === 'Apply'),
  );
  await http.patch(configMaps, key, 'merge', { data: { v: '1' } }, { dryRun: true });
  assert.equal((await http.get<ConfigMap>(configMaps, key)).data?.['v'], undefined);
  await assert.rejects(http.delete(configMaps, key, { preconditions: { uid: 'another' } }), isConflict);
  await http.delete(configMaps, key, { preconditions: { uid: replaced.metadata.uid! } });
  await assert.rejects(http.get(configMaps, key), isNotFound);
});

test('long lists are paginated, and collections are deleted by selector', async () => {
  const namespace = await freshNamespace('pages');
  const make = (i: number) => {
    const object = configMap(namespace, `c${i}`);
    return http.create(configMaps, { ...object, metadata: { ...object.metadata, labels: { odd: String(i % 2) } } });
  };
  await Promise.all(Array.from({ length: 25 }, (_, i) => make(i)));
  const first = await http.list(configMaps, { namespace, limit: 10 });
  assert.equal(first.items.length, 10);
  assert.ok(first.continue);
  const all = await listAll(http, configMaps, { namespace, limit: 10 });
  const names = all.items.map(({ metadata }) => metadata.name);
  assert.equal(new Set(names).size, 25);
  assert.ok(all.items.every(({ kind, apiVersion }) => kind === 'ConfigMap' && apiVersion === 'v1'));
  await http.deleteCollection(configMaps, { namespace, labelSelector: 'odd=1' });
  assert.equal((await listAll(http, configMaps, { namespace })).items.length, 13);
});

const ways: Record<string, () => ApiClient> = { 'over HTTP': () => http, 'without a wire': () => plane.client('test') };

for (const [way, client] of Object.entries(ways)) {
  test(`an informer ${way} follows every change`, async () => {
    const namespace = await freshNamespace(`informer-${way.replaceAll(' ', '-').toLowerCase()}`);
    await http.create(configMaps, configMap(namespace, 'before'));
    const received: string[] = [];
    const informer = new Informer<ConfigMap>(client(), configMaps, { namespace });
    informer.addHandler({
      onAdd: (object, initial) => received.push(`${initial ? 'there' : 'add'} ${object.metadata.name}`),
      onUpdate: (old, object) => received.push(`${object.metadata.name} ${old.data?.['x']}→${object.data?.['x']}`),
      onDelete: (object) => received.push(`delete ${object.metadata.name} ${object.data?.['x']}`),
    });
    await running(informer).waitForSync();
    const made = await http.create(configMaps, configMap(namespace, 'a', { x: '1' }));
    await http.replace(configMaps, { ...made, data: { x: '2é漢🚢' } });
    await http.delete(configMaps, { namespace, name: 'a' });
    await http.create(configMaps, configMap(namespace, 'a', { x: '3' }));
    await until(() => received.length === 5, received.join(', '));
    assert.deepEqual(received, ['there before', 'add a', 'a 1→2é漢🚢', 'delete a 2é漢🚢', 'add a']);
    assert.deepEqual(informer.list().map(keyOf).sort(), [`${namespace}/a`, `${namespace}/before`]);
  });

  test(`an informer ${way} receives objects that enter and leave its selector`, async () => {
    const namespace = await freshNamespace(`selector-${way.replaceAll(' ', '-').toLowerCase()}`);
    const informer = running(new Informer(client(), configMaps, { namespace, labelSelector: 'team=east' }));
    await informer.waitForSync();
    const key = { namespace, name: 'a' };
    await http.create(configMaps, configMap(namespace, 'a'));
    await http.patch(configMaps, key, 'merge', { metadata: { labels: { team: 'east' } } });
    await until(() => informer.size === 1, 'it enters');
    await http.patch(configMaps, key, 'merge', { metadata: { labels: { team: 'west' } } });
    await until(() => informer.size === 0, 'it leaves');
  });
}

test('the initial list is streamed: an informer starts without a list', async () => {
  let lists = 0;
  const client = {
    list: ((...args: Parameters<HttpClient['list']>) => {
      lists += 1;
      return http.list(...args);
    }) as HttpClient['list'],
    watch: http.watch.bind(http) as HttpClient['watch'],
  };
  await running(new Informer(client, namespaces)).waitForSync();
  assert.equal(lists, 0);
});

test('a controller creates a copy of each object', async () => {
  const namespace = await freshNamespace('controller');
  const informer = running(new Informer<ConfigMap>(http, configMaps, { namespace }));
  const controller = new Controller({
    name: 'copy',
    concurrency: 4,
    reconcile: async (key, { signal }) => {
      const object = informer.get(key);
      if (!object || object.metadata.name.startsWith('copy-')) return done;
      const copy = configMap(namespace, `copy-${object.metadata.name}`, object.data);
      const { name } = parseKey(keyOf(copy));
      await http.patch(configMaps, { namespace, name }, 'apply', copy, { fieldManager: 'copy', force: true, signal });
      return done;
    },
  }).watch(informer);
  const stop = new AbortController();
  const run = controller.run(stop.signal);
  await Promise.all(
    Array.from({ length: 20 }, (_, i) => http.create(configMaps, configMap(namespace, `o${i}`, { i: String(i) }))),
  );
  await until(() => informer.size === 40, 'twenty copies');
  await http.patch(configMaps, { namespace, name: 'o7' }, 'merge', { data: { i: 'changed' } });
  await until(() => informer.get(`${namespace}/copy-o7`)?.data?.['i'] === 'changed', 'the copy changes');
  stop.abort();
  await run;
});

test('discovery finds built-in kinds, and custom ones once they are defined', async () => {
  const discovery = new Discovery(http);
  discovery.invalidateOn(running(new Informer(http, definitions)));
  const deployment = await discovery.preferredResource('apps', 'Deployment');
  assert.deepEqual([deployment?.version, deployment?.plural, deployment?.namespaced], ['v1', 'deployments', true]);
  assert.ok(deployment?.subresources.includes('scale'));
  assert.equal(await discovery.resourceFor('example.com/v1', 'Widget'), undefined);
  await http.create(definitions, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object' } } } },
        },
      ],
    },
  } as KubeObject);
  let widget = await discovery.resourceFor('example.com/v1', 'Widget');
  for (const end = Date.now() + 20_000; !widget && Date.now() < end; ) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    widget = await discovery.resourceFor('example.com/v1', 'Widget');
  }
  assert.equal(widget?.plural, 'widgets');
  await http.create(widget!, {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { namespace: 'default', name: 'w' },
  });
});

test('a wrong token and a forbidden impersonated user are rejected; a client certificate is accepted', async () => {
  const { url: server, ca } = plane;
  const stranger = new HttpClient({ server, tls: { ca }, credentials: fixedCredentials({ token: 'wrong' }) });
  await assert.rejects(stranger.list(namespaces), { code: 401, reason: 'Unauthorized' });
  await assert.rejects(http.as({ user: 'jane' }).list(namespaces), { code: 403, reason: 'Forbidden' });
  const certificate = await plane.issueClient('root', ['system:masters']);
  const known = new HttpClient({ server, tls: { ca }, credentials: fixedCredentials({ certificate }) });
  assert.ok((await known.list(namespaces)).items.length > 0);
  const careful = new HttpClient({ server, credentials: fixedCredentials({ token: plane.token }) });
  await assert.rejects(careful.list(namespaces), { name: 'TransportError' });
  await Promise.all([stranger, known, careful].map((client) => client.close()));
});

test('leader election uses a Lease, and events are recorded', async () => {
  const namespace = await freshNamespace('lease');
  const object = await http.create(configMaps, configMap(namespace, 'a'));
  const elector = new LeaderElector(http, { lease: { namespace, name: 'leader' }, identity: 'one' });
  let led = false;
  const end = await elector.run(new AbortController().signal, async () => {
    led = elector.isLeader;
  });
  assert.deepEqual([led, end], [true, 'finished']);
  const recorder = new EventRecorder(http, { controller: 'example.com/test', instance: 'test-0' });
  for (let i = 0; i < 3; i++) {
    recorder.record({ regarding: object, type: 'Warning', reason: 'Odd', action: 'Look', note: 'it is odd' });
  }
  await recorder.close();
  const events = await http.list<KubeEvent>(eventsType, { namespace });
  assert.deepEqual(
    events.items.map(({ reason, note, series }) => [reason, note, series?.count]),
    [['Odd', 'it is odd', 3]],
  );
});

test('an informer survives a restart of the server, and finds changes made in the meantime', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'kube-client-'));
  stops.push(() => rm(dataDir, { recursive: true, force: true }));
  const token = 'a-token-that-stays';
  const first = await startControlPlane({ dataDir, token });
  const port = Number(new URL(first.url).port);
  const client = await clientOf(first);
  const informer = new Informer(client, configMaps, { namespace: 'default' });
  const stop = new AbortController();
  const run = informer.run(stop.signal);
  await informer.waitForSync();
  const there = informer.size;
  await client.create(configMaps, configMap('default', 'kept'));
  await client.create(configMaps, configMap('default', 'lost'));
  await until(() => informer.size === there + 2, 'both are seen');
  await first.close();
  const between = await startControlPlane({ dataDir, token });
  await between.client('test').delete(configMaps, { namespace: 'default', name: 'lost' });
  await between.close();
  const second = await startControlPlane({ dataDir, token, port });
  await second.client('test').create(configMaps, configMap('default', 'new'));
  await until(() => informer.get('default/new') !== undefined, 'the new one is seen');
  assert.deepEqual([informer.get('default/lost'), informer.get('default/kept')?.metadata.name], [undefined, 'kept']);
  stop.abort();
  await run;
  await client.close();
  await second.close();
});
