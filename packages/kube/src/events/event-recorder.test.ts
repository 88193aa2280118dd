import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { KubeObject } from '@fairlead/apimachinery';
import { noFaults, SimApiServer, Simulation } from '@fairlead/sim';
import { createLogger } from '../logger.ts';
import { EventRecorder } from './event-recorder.ts';
import { eventsType, type KubeEvent, type NewEvent } from './kube-event.ts';

const app: KubeObject = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { namespace: 'shop', name: 'web', uid: 'u1', resourceVersion: '7' },
};
const synced: NewEvent = { regarding: app, type: 'Normal', reason: 'Synced', action: 'Sync', note: 'to 1a2b3c' };

function recording(faults = noFaults) {
  const sim = new Simulation(11);
  const server = new SimApiServer(sim, faults);
  const process = sim.process('app');
  const lines: string[] = [];
  const recorder = new EventRecorder(server.client(process), {
    controller: 'fairlead.io/app-controller',
    instance: 'app-0',
    clock: process.clock,
    log: createLogger({ sink: (line) => lines.push(line) }),
  });
  const stored = () => server.store.list(eventsType) as KubeEvent[];
  return { sim, server, recorder, stored, lines };
}

test('an event has its reason, note and regarding object, in the namespace of the object', async () => {
  const { sim, recorder, stored } = recording();
  recorder.record(synced);
  await sim.pass(1_000);
  const [event] = stored();
  assert.equal(event!.metadata.namespace, 'shop');
  assert.match(event!.metadata.name, /^web\.[0-9a-f]+$/);
  assert.equal(event!.eventTime, '2030-01-01T00:00:00.000000Z');
  const { type, reason, action, note, regarding, reportingController, reportingInstance } = event!;
  assert.deepEqual(
    { type, reason, action, note, regarding, reportingController, reportingInstance },
    {
      type: 'Normal',
      reason: 'Synced',
      action: 'Sync',
      note: 'to 1a2b3c',
      regarding: {
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'Application',
        namespace: 'shop',
        name: 'web',
        uid: 'u1',
        resourceVersion: '7',
      },
      reportingController: 'fairlead.io/app-controller',
      reportingInstance: 'app-0',
    },
  );
});

test('a repeated event increments a series; another note, or the same much later, is a separate event', async () => {
  const { sim, recorder, stored } = recording();
  for (let i = 0; i < 4; i++) {
    recorder.record(synced);
    await sim.pass(60_000);
  }
  recorder.record({ ...synced, note: 'to 4d5e6f' });
  await sim.pass(600_000);
  recorder.record(synced);
  await sim.pass(1_000);
  const counts = stored().map((event) => [event.note, event.series?.count]);
  assert.deepEqual(counts, [
    ['to 1a2b3c', 4],
    ['to 4d5e6f', undefined],
    ['to 1a2b3c', undefined],
  ]);
  assert.equal(stored()[0]!.series?.lastObservedTime, '2030-01-01T00:03:00.000000Z');
});

test('many equal events are stored as one with a count', async () => {
  const { sim, server, recorder, stored } = recording();
  for (let i = 0; i < 500; i++) recorder.record(synced);
  await sim.pass(5_000);
  assert.deepEqual(
    stored().map(({ series }) => series?.count),
    [500],
  );
  assert.ok(server.store.revision < 6, `${server.store.revision} writes`);
});

test('events with ever new notes for one object are limited', async () => {
  const { sim, recorder, stored } = recording();
  for (let i = 0; i < 100; i++) recorder.record({ ...synced, note: `attempt ${i}` });
  recorder.record({ ...synced, regarding: { ...app, metadata: { ...app.metadata, name: 'other', uid: 'u2' } } });
  await sim.pass(60_000);
  assert.equal(stored().filter(({ regarding }) => regarding.name === 'web').length, 25);
  assert.equal(stored().filter(({ regarding }) => regarding.name === 'other').length, 1);
});

test('an event is stored after an outage of the server, and once if the response was lost', async () => {
  const { sim, server, recorder, stored } = recording({ ...noFaults, answerLost: 1 });
  recorder.record(synced);
  recorder.record(synced);
  await sim.pass(32_000);
  server.heal();
  await sim.pass(60_000);
  assert.deepEqual(
    stored().map(({ series }) => series?.count),
    [2],
  );
});

test('a longer outage of the server is logged, and never throws', async () => {
  const { sim, recorder, stored, lines } = recording({ ...noFaults, serverError: 1 });
  recorder.record(synced);
  await sim.pass(300_000);
  assert.equal(stored().length, 0);
  assert.match(lines.join('\n'), /could not record an event reason=Synced/);
});

test('an event for a cluster-scoped object is in default, and a long note is truncated at a whole character', async () => {
  const { sim, recorder, stored } = recording();
  const node: KubeObject = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-1' } };
  recorder.record({ ...synced, regarding: node, note: '漢'.repeat(600) });
  await sim.pass(1_000);
  const [event] = stored();
  assert.equal(event!.metadata.namespace, 'default');
  assert.ok(Buffer.byteLength(event!.note) <= 1024);
  assert.match(event!.note, /^漢+…$/);
});

test('close stores pending events', async () => {
  const { sim, recorder, stored } = recording();
  recorder.record(synced);
  const closed = recorder.close();
  recorder.record({ ...synced, note: 'too late' });
  await sim.pass(5_000);
  await closed;
  assert.deepEqual(
    stored().map(({ note }) => note),
    ['to 1a2b3c'],
  );
});

test('remembered events do not keep their objects in memory', async () => {
  const { sim, recorder, stored } = recording();
  const kept = Array.from({ length: 20 }, (_, i) => {
    const regarding = structuredClone({ ...app, metadata: { ...app.metadata, name: `web-${i}`, uid: `u${i}` } });
    recorder.record({ ...synced, regarding });
    return new WeakRef(regarding);
  });
  await sim.pass(1_000);
  assert.equal(stored().length, 20);
  collectGarbage();
  assert.deepEqual(
    kept.filter((ref) => ref.deref() !== undefined),
    [],
  );
});

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}
