/** Clients of the event stream over disconnects, restarts and pauses: what they show in the end is what exists. */
import assert from 'node:assert/strict';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { applicationKind } from '@fairlead/api';
import fc from 'fast-check';
import type { ApplicationPage } from '../src/fleet/api/application-shapes.ts';
import { ApplicationIndex, type KeyedViewer } from '../src/fleet/applications/application-index.ts';
import type { ApplicationRecord } from '../src/fleet/applications/summary.ts';
import { EventLog } from '../src/fleet/stream/event-log.ts';
import { EventStream, type StreamSink } from '../src/fleet/stream/event-stream.ts';
import { Frames } from '../src/fleet/stream/frames.ts';
import type { StreamView } from '../src/fleet/stream/stream-view.ts';
import { EventReader, parsed } from './support/event-reader.ts';
import { appWith, read, setStatus, until } from './support/fleet.ts';
import { namespace, served, startInstallation } from './support/installation.ts';
import { recordFrom, type Sample, sampleOf, samples } from './support/records.ts';

const everybody: KeyedViewer = { key: 'everybody', reach: () => 'all', allows: () => true };
const view: StreamView = {
  types: new Set(['application']),
  filter: { alternatives: [], words: [], key: '' },
  viewer: everybody,
  mayGetAgent: () => true,
};
const keyOf = ({ summary: { namespace: at, name } }: ApplicationRecord): string => `${at}/${name}`;

/** A server process: its state begins with all Applications, and its log is empty. */
class Instance {
  readonly index = new ApplicationIndex();
  readonly log: EventLog;
  readonly frames: Frames;

  constructor(name: string, capacity: number, truth: ReadonlyMap<string, ApplicationRecord>) {
    this.log = new EventLog(name, capacity);
    this.frames = new Frames(this.log);
    for (const record of truth.values()) this.index.put(record);
  }

  put(after: ApplicationRecord): void {
    const before = this.index.put(after);
    this.log.append({ kind: 'application', ...(before ? { before } : {}), after });
  }

  remove(key: string): void {
    const before = this.index.remove(key);
    if (before) this.log.append({ kind: 'application', before });
  }

  /** Changes that the watch of this process has not reported yet. */
  readonly late: (() => void)[] = [];

  /** What a list with `since` waits for. */
  reach(id: string): void {
    while (!this.log.includes(id) && this.late.length > 0) this.late.shift()?.();
  }
}

/** A connection that takes a few writes until the client reads. */
class Pipe implements StreamSink {
  readonly #waiting: Uint8Array[] = [];
  #drained: (() => void)[] = [];

  write(bytes: Uint8Array): boolean {
    this.#waiting.push(bytes);
    return this.#waiting.length < 2;
  }

  once(_: 'drain', listener: () => void): void {
    this.#drained.push(listener);
  }

  end(): void {}

  read(): string {
    const text = Buffer.concat(this.#waiting.splice(0)).toString();
    const drained = this.#drained;
    this.#drained = [];
    for (const listener of drained) listener();
    return text;
  }
}

/** Follows as a browser does: the list, then the events; the list again when it has to. */
class Client {
  shown = new Map<string, string>();
  #lastId: string | undefined;
  #pipe: Pipe | undefined;
  #stream: EventStream | undefined;

  connect(instance: Instance): void {
    if (this.#stream) return;
    if (this.#lastId === undefined) this.#load(instance);
    this.#pipe = new Pipe();
    this.#stream = new EventStream(instance.log, instance.frames, this.#pipe, view, this.#lastId);
  }

  disconnect(): void {
    this.#stream?.end();
    [this.#stream, this.#pipe] = [undefined, undefined];
  }

  pump(): void {
    this.#stream?.pump();
  }

  /** Returns whether there was something to read. */
  read(instance: Instance): boolean {
    const text = this.#pipe?.read() ?? '';
    for (const block of text.split('\n\n').slice(0, -1)) {
      const { event, id, data } = parsed(block);
      this.#lastId = id;
      if (event === 'reload') this.#load(instance, id);
      const { summary, type } = data;
      if (!summary) continue;
      const key = `${summary.namespace}/${summary.name}`;
      if (type === 'DELETED') this.shown.delete(key);
      else this.shown.set(key, summary.resourceVersion);
    }
    return text !== '';
  }

  #load(instance: Instance, id?: string): void {
    const { index, log } = instance;
    if (id !== undefined) instance.reach(id);
    this.#lastId = id ?? log.idOf(log.last);
    this.shown = new Map([...index.entries()].map(({ record }) => [keyOf(record), record.summary.resourceVersion]));
  }
}

const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('put'), sample: samples }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('remove'), sample: samples }) },
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constantFrom('read', 'pump', 'pump', 'connect', 'disconnect', 'restart'),
        sample: fc.constant(sampleOf({ name: 'none' })),
      }),
    },
  ),
  { maxLength: 80 },
);

test('streams resume without a gap over disconnects, slow reading and restarts', () => {
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 12 }), (given, capacity) => {
      const truth = new Map<string, ApplicationRecord>();
      let [instance, restarts] = [new Instance('p0', capacity, truth), 0];
      const client = new Client();
      const actions: Record<string, (sample: Sample) => void> = {
        put: (sample) => {
          const record = recordFrom(sample);
          truth.set(keyOf(record), record);
          instance.put(record);
        },
        remove: (sample) => {
          truth.delete(`${sample.namespace}/${sample.name}`);
          instance.remove(`${sample.namespace}/${sample.name}`);
        },
        read: () => client.read(instance),
        pump: () => client.pump(),
        connect: () => client.connect(instance),
        disconnect: () => client.disconnect(),
        restart: () => {
          client.disconnect();
          restarts += 1;
          instance = new Instance(`p${restarts}`, capacity, truth);
        },
      };
      for (const step of given) actions[step.do]?.(step.sample);
      client.connect(instance);
      do client.pump();
      while (client.read(instance));
      const expected = new Map([...truth].map(([key, { summary }]) => [key, summary.resourceVersion]));
      assert.deepEqual([...client.shown].sort(), [...expected].sort());
    }),
    { numRuns: 500 },
  );
});

test('with two replicas that are behind each other, streams and lists of any of them leave no gap', () => {
  const doing = fc.constantFrom(
    'put',
    'put',
    'remove',
    'report',
    'report',
    'read',
    'pump',
    'pump',
    'connect',
    'disconnect',
  );
  const step = fc.record({ do: doing, sample: samples, replica: fc.nat(1), lists: fc.nat(1) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), fc.integer({ min: 2, max: 12 }), (given, capacity) => {
      const truth = new Map<string, ApplicationRecord>();
      const replicas = [new Instance('p0', capacity, truth), new Instance('p1', capacity, truth)];
      const replica = (number: number): Instance => replicas[number] ?? assert.fail('no such replica');
      const client = new Client();
      let version = 0;
      const change = (apply: (instance: Instance) => void): void => {
        const seen = String((version += 1));
        for (const instance of replicas) {
          instance.late.push(() => {
            instance.log.see(seen);
            apply(instance);
          });
        }
      };
      for (const { do: what, sample, replica: number, lists } of given) {
        const record = recordFrom(sample);
        if (what === 'put') {
          truth.set(keyOf(record), record);
          change((instance) => instance.put(record));
        } else if (what === 'remove') {
          truth.delete(keyOf(record));
          change((instance) => instance.remove(keyOf(record)));
        } else if (what === 'report') replica(number).late.shift()?.();
        else if (what === 'read') client.read(replica(lists));
        else if (what === 'pump') client.pump();
        else if (what === 'connect') client.connect(replica(number));
        else client.disconnect();
      }
      for (const instance of replicas) while (instance.late.length > 0) instance.late.shift()?.();
      client.connect(replica(0));
      do client.pump();
      while (client.read(replica(1)));
      const expected = new Map([...truth].map(([key, { summary }]) => [key, summary.resourceVersion]));
      assert.deepEqual([...client.shown].sort(), [...expected].sort());
    }),
    { numRuns: 500 },
  );
});

test('a client that does not read costs no memory, and reloads when it reads again', async () => {
  const instance = new Instance('p', 100, new Map());
  const { promise: opened, resolve } = Promise.withResolvers<EventStream>();
  let pending = 0;
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const stream = new EventStream(instance.log, instance.frames, response, view, undefined);
    instance.log.onAppend(() => {
      stream.pump();
      pending = Math.max(pending, response.writableLength);
    });
    resolve(stream);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = Object(server.address()) satisfies AddressInfo;
  // Without a listener for data, nothing is read.
  const { promise: answered, resolve: answer } = Promise.withResolvers<IncomingMessage>();
  const request = get({ host: '127.0.0.1', port }, answer);
  await opened;
  // More than the buffers of the kernel hold.
  for (let i = 0; i < 15_000; i++) {
    instance.put(recordFrom(sampleOf({ name: `app-${i % 50}`, team: 'x'.repeat(200) })));
    if (i % 1_000 === 0) await new Promise((next) => setImmediate(next));
  }
  assert.ok(pending < 1_000_000, `${pending} bytes wait for the client`);
  let text = '';
  (await answered).setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-1_000_000);
  });
  await until(() => text.includes('event: reload'));
  instance.put(recordFrom(sampleOf({ name: 'after-reload' })));
  await until(() => text.includes('"after-reload"'));
  request.destroy();
  server.close();
  server.closeAllConnections();
});

test('a client that follows over a restart under load shows what exists', async () => {
  const installation = await startInstallation();
  const { client } = installation;
  for (let i = 0; i < 5; i++) await served(() => client.create(applicationKind.type, appWith(`app-${i}`)));
  const signIn = async (url: string): Promise<string> => {
    const answer = await fetch(`${url}/api/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password: 'admin-password' }),
    });
    return String(Object(await answer.json()).token);
  };
  const first = await installation.serve();
  const token = await signIn(first.url);
  const reader = await EventReader.open(first, token);
  await reader.until(({ lastId }) => lastId !== '');
  const change = async (round: number): Promise<void> => {
    for (let i = 0; i < 5; i++)
      await setStatus(client, `app-${i}`, { sync: { status: 'Synced', revision: `${round}` } });
  };
  await change(1);
  await reader.until(({ changes }) => changes.length >= 5);
  await first.close();
  await change(2);
  await client.delete(applicationKind.type, { namespace, name: 'app-4' });
  const second = await installation.serve();
  const resumed = await EventReader.open(second, token, '', reader.lastId);
  await resumed.until((one) => one.has('reload'));
  const { items, version } = await read<ApplicationPage>(second, token, '/applications');
  assert.deepEqual(
    items.map(({ name, revision }) => `${name} ${revision}`),
    ['app-0 2', 'app-1 2', 'app-2 2', 'app-3 2'],
  );
  const { id } = resumed.events[0] ?? { id: '' };
  assert.equal(version, id);
  await setStatus(client, 'app-0', { sync: { status: 'Synced', revision: '3' } });
  await resumed.until(({ changes }) => changes.includes('MODIFIED app-0'));
  resumed.close();
  reader.close();
  await installation.close();
});
