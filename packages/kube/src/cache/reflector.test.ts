import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { apiError, type KubeObject, type ResourceType } from '@fairlead/apimachinery';
import { EventPipe, SimApiServer, Simulation, VirtualClock } from '@fairlead/sim';
import type { ApiClient, ListOptions, ObjectList, WatchEvent, WatchOptions } from '../client/api-client.ts';
import { Reflector } from './reflector.ts';

const type: ResourceType = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };

const object = (name: string, resourceVersion: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'ns', name, uid: name, resourceVersion },
});

const added = (name: string, rv: string): WatchEvent => ({ type: 'ADDED', object: object(name, rv) });
const bookmark = (resourceVersion: string, annotations: Record<string, string> = {}): WatchEvent => ({
  type: 'BOOKMARK',
  object: { metadata: { resourceVersion, annotations } },
});

/** A server with scripted responses that records its requests. */
class Scripted implements Pick<ApiClient, 'list' | 'watch'> {
  readonly asked: string[] = [];
  lists: (() => ObjectList)[] = [];
  watches: (() => EventPipe<WatchEvent>)[] = [];

  async list<T extends KubeObject>(_: ResourceType, options: ListOptions = {}): Promise<ObjectList<T>> {
    this.asked.push(`list ${options.continue ?? ''}`.trim());
    return (this.lists.shift() ?? (() => ({ items: [], resourceVersion: '1' })))() as ObjectList<T>;
  }

  watch<T extends KubeObject>(_: ResourceType, options: WatchOptions = {}): AsyncIterable<WatchEvent<T>> {
    this.asked.push(options.sendInitialEvents ? 'stream' : `watch ${options.resourceVersion}`);
    const pipe = (this.watches.shift() ?? (() => new EventPipe<WatchEvent>()))();
    options.signal?.addEventListener('abort', () => pipe.end());
    return pipe as AsyncIterable<WatchEvent> as AsyncIterable<WatchEvent<T>>;
  }

  stream(...events: WatchEvent[]): EventPipe<WatchEvent> {
    const pipe = new EventPipe<WatchEvent>();
    for (const event of events) pipe.push(event);
    this.watches.push(() => pipe);
    return pipe;
  }

  refuse(error: unknown): void {
    this.watches.push(() => {
      throw error;
    });
  }
}

function started(server: Pick<ApiClient, 'list' | 'watch'>) {
  const clock = new VirtualClock();
  const stop = new AbortController();
  const received: string[] = [];
  const sink = {
    replace: (objects: readonly KubeObject[]) => received.push(`all ${objects.map((o) => o.metadata.name)}`),
    seen: (o: KubeObject) => received.push(`seen ${o.metadata.name}`),
    gone: (o: KubeObject) => received.push(`gone ${o.metadata.name}`),
  };
  const reflector = new Reflector(server, type, {}, sink, { clock, random: () => 0, pageSize: 2, stallMs: 60_000 });
  const run = reflector.run(stop.signal);
  return { clock, received, stop, run };
}

const cannotStream = apiError(422, 'Invalid', 'sendInitialEvents is forbidden');

test('the initial list is streamed if the server supports it, and the same stream continues', async () => {
  const server = new Scripted();
  const stream = server.stream(
    added('a', '3'),
    added('b', '2'),
    bookmark('5', { 'k8s.io/initial-events-end': 'true' }),
  );
  const { clock, received } = started(server);
  await clock.advance(0);
  stream.push(added('c', '6'));
  await clock.advance(0);
  assert.deepEqual(received, ['all a,b', 'seen c']);
  assert.deepEqual(server.asked, ['stream']);
});

test('a server that refuses to stream is listed in pages, and streaming is not tried again', async () => {
  const server = new Scripted();
  server.refuse(cannotStream);
  const pages = () => {
    server.lists.push(
      () => ({ items: [object('a', '1'), object('b', '2')], resourceVersion: '9', continue: 'more' }),
      () => ({ items: [object('c', '3')], resourceVersion: '9' }),
    );
  };
  pages();
  server.refuse(apiError(410, 'Expired', 'too old'));
  pages();
  const { clock, received } = started(server);
  await clock.advance(5_000);
  assert.deepEqual(received, ['all a,b,c', 'all a,b,c']);
  assert.deepEqual(server.asked, ['stream', 'list', 'list more', 'watch 9', 'list', 'list more', 'watch 9']);
});

test('a list that expires between two pages is read again without pages', async () => {
  const server = new Scripted();
  server.refuse(cannotStream);
  server.lists.push(
    () => ({ items: [object('a', '1')], resourceVersion: '5', continue: 'more' }),
    () => {
      throw apiError(410, 'Expired', 'the continue token is too old');
    },
    () => ({ items: [object('b', '1')], resourceVersion: '9' }),
  );
  const { clock, received } = started(server);
  await clock.advance(5_000);
  assert.deepEqual(received, ['all b']);
  assert.deepEqual(server.asked, ['stream', 'list', 'list more', 'list', 'watch 9']);
});

test('a broken stream resumes from the last event or bookmark, without a list', async () => {
  const server = new Scripted();
  server.stream(bookmark('5', { 'k8s.io/initial-events-end': 'true' }), added('a', '7')).end();
  const second = server.stream(bookmark('40'));
  const { clock, received } = started(server);
  await clock.advance(5_000);
  second.fail(new Error('socket hang up'));
  await clock.advance(5_000);
  assert.deepEqual(server.asked, ['stream', 'watch 7', 'watch 40']);
  assert.deepEqual(received, ['all ', 'seen a']);
});

test('410 as an event on an open stream leads to a new list', async () => {
  const server = new Scripted();
  const first = server.stream(added('a', '1'), bookmark('5', { 'k8s.io/initial-events-end': 'true' }));
  server.stream(added('b', '8'), bookmark('9', { 'k8s.io/initial-events-end': 'true' }));
  const { clock, received } = started(server);
  await clock.advance(0);
  first.push({ type: 'ERROR', object: apiError(410, 'Expired', 'too old').status });
  await clock.advance(5_000);
  assert.deepEqual(received, ['all a', 'all b']);
});

test('a silent stream is replaced, and one with bookmarks is not', async () => {
  const server = new Scripted();
  const first = server.stream(bookmark('5', { 'k8s.io/initial-events-end': 'true' }));
  const { clock } = started(server);
  for (let rv = 6; rv < 10; rv++) {
    await clock.advance(50_000);
    first.push(bookmark(String(rv)));
  }
  assert.deepEqual(server.asked, ['stream']);
  await clock.advance(61_000);
  assert.deepEqual(server.asked, ['stream', 'watch 9']);
});

test('a stream that never ends its initial list is replaced by pages', async () => {
  const server = new Scripted();
  server.stream(added('a', '1'), bookmark('5'));
  server.lists.push(() => ({ items: [object('a', '1'), object('b', '2')], resourceVersion: '9' }));
  const { clock, received } = started(server);
  await clock.advance(70_000);
  assert.deepEqual(received, ['all a,b']);
  assert.deepEqual(server.asked, ['stream', 'list', 'watch 9']);
});

test('no error stops it: delays between attempts grow to a limit, and are reset after a success', async () => {
  const server = new Scripted();
  server.refuse(cannotStream);
  const times: number[] = [];
  const failures = [
    new Error('connection refused'),
    apiError(500, 'InternalError', 'no leader'),
    new TypeError('a bug'),
  ];
  for (let i = 0; i < 8; i++) {
    server.lists.push(() => {
      times.push(clock.now());
      throw failures[i % 3];
    });
  }
  server.stream(added('a', '2')).end();
  const broken = server.stream(added('b', '3'));
  const { clock, received } = started(server);
  await clock.advance(120_000);
  const waits = times.slice(1).map((time, i) => time - times[i]!);
  assert.deepEqual(waits, [800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000]);
  assert.deepEqual(received, ['all ', 'seen a', 'seen b']);
  broken.fail(new Error('socket hang up'));
  await clock.advance(799);
  assert.equal(server.asked.at(-1), 'watch 2');
  await clock.advance(1);
  assert.equal(server.asked.at(-1), 'watch 3');
});

test('a server that responds 429 with retryAfterSeconds is not asked before that time', async () => {
  const server = new Scripted();
  server.refuse(apiError(429, 'TooManyRequests', 'slow down', { retryAfterSeconds: 20 }));
  const { clock } = started(server);
  await clock.advance(19_999);
  assert.equal(server.asked.length, 1);
  await clock.advance(1);
  assert.ok(server.asked.length > 1);
});

test('a resource version that is rejected three times for any reason is replaced by a new list', async () => {
  const server = new Scripted();
  server.stream(bookmark('900', { 'k8s.io/initial-events-end': 'true' })).end();
  for (let i = 0; i < 3; i++) server.refuse(apiError(504, 'Timeout', 'Too large resource version: 900'));
  server.stream(added('a', '3'), bookmark('4', { 'k8s.io/initial-events-end': 'true' }));
  const { clock, received } = started(server);
  await clock.advance(60_000);
  assert.deepEqual(server.asked, ['stream', 'watch 900', 'watch 900', 'watch 900', 'stream']);
  assert.deepEqual(received, ['all ', 'all a']);
});

test('after its signal it stops at once in any state, and leaves no timer', async () => {
  for (const at of [0, 10, 100, 850, 5_000]) {
    const sim = new Simulation(at);
    const server = new SimApiServer(sim);
    const stop = new AbortController();
    const sink = { replace: () => {}, seen: () => {}, gone: () => {} };
    const client = server.client(sim.process('app'));
    const reflector = new Reflector(client, type, {}, sink, { clock: sim.clock, random: sim.random });
    const run = reflector.run(stop.signal);
    await sim.pass(at);
    stop.abort();
    await sim.pass(100);
    await run;
    assert.equal(sim.clock.pending, 0);
  }
});

test('a long list is transformed object by object', async () => {
  const stop = new AbortController();
  const received: string[] = [];
  const replaced = Promise.withResolvers<readonly KubeObject[]>();
  async function* watch(): AsyncGenerator<WatchEvent> {
    for (const name of ['a', 'b']) {
      yield added(name, '1');
      received.push(`after ${name}`);
    }
    yield bookmark('2', { 'k8s.io/initial-events-end': 'true' });
    await once(stop.signal, 'abort');
  }
  const keep = (one: KubeObject): KubeObject => {
    received.push(`kept ${one.metadata.name}`);
    return { ...one, metadata: { ...one.metadata, uid: 'kept' } };
  };
  const sink = { keep, replace: replaced.resolve, seen: () => {}, gone: () => {} };
  const client = { watch, list: () => assert.fail('the list is streamed') } as unknown as ApiClient;
  const running = new Reflector(client, type, {}, sink).run(stop.signal);
  const all = await replaced.promise;
  assert.deepEqual(
    all.map(({ metadata }) => metadata.uid),
    ['kept', 'kept'],
  );
  assert.deepEqual(received, ['kept a', 'after a', 'kept b', 'after b']);
  stop.abort();
  await running;
});
