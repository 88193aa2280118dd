import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '@fairlead/apimachinery';
import type { WatchEvent, WatchOptions } from '@fairlead/kube';
import { type FaultProfile, noFaults } from './fault-profile.ts';
import { widgetType as type, type Widget, widget } from './scenarios/widgets.ts';
import { SimApiServer } from './sim-api-server.ts';
import { Simulation } from './simulation.ts';

function serving(faults: Partial<FaultProfile> = {}, streams = true) {
  const sim = new Simulation(9);
  const server = new SimApiServer(sim, { ...noFaults, ...faults }, { streams });
  const client = server.client(sim.process('app'));
  /** The result of a request, with its duration. */
  const outcome = async <T>(request: Promise<T>): Promise<T | Error> => {
    let result: { value: T | Error } | undefined;
    void request.then(
      (value) => (result = { value }),
      (error: Error) => (result = { value: error }),
    );
    await sim.reach(() => result !== undefined, 120_000);
    return result!.value;
  };
  return { sim, server, client, outcome };
}

const code = (value: unknown): number | string => (value instanceof ApiError ? value.code : String(value));
const red = (name: string) => widget('red', name, 1, 'east');

test('a merge patch keeps a key named __proto__', async () => {
  const { client, outcome } = serving();
  await outcome(client.create(type, red('a')));
  const patch: unknown = JSON.parse('{"metadata": {"annotations": {"__proto__": "x"}}}');
  await outcome(client.patch(type, { namespace: 'red', name: 'a' }, 'merge', patch));
  const got = await outcome(client.get(type, { namespace: 'red', name: 'a' }));
  assert.ok(!(got instanceof Error));
  assert.deepEqual(Object.entries(got.metadata.annotations ?? {}), [['__proto__', 'x']]);
});

test('without faults it responds as an API server does', async () => {
  const { server, client, outcome } = serving();
  await outcome(client.create(type, red('a')));
  await outcome(client.patch(type, { namespace: 'red', name: 'a' }, 'merge', { spec: { size: 7 } }));
  const got = (await outcome(client.get<Widget>(type, { namespace: 'red', name: 'a' }))) as Widget;
  assert.equal(got.spec.size, 7);
  assert.equal(code(await outcome(client.get(type, { namespace: 'red', name: 'b' }))), 404);
  assert.equal(code(await outcome(client.patch(type, { namespace: 'red', name: 'a' }, 'apply', {}))), 415);
  await outcome(client.deleteCollection(type, { labelSelector: 'team=east' }));
  assert.equal(server.store.list(type).length, 0);
});

test('each fault has its effect', async () => {
  const key = { namespace: 'red', name: 'a' };
  const cases: [Partial<FaultProfile>, RegExp, number][] = [
    [{ requestLost: 1 }, /request timed out/, 0],
    [{ answerLost: 1 }, /request timed out/, 1],
    [{ throttled: 1 }, /^429$/, 0],
    [{ serverError: 1 }, /^500$/, 0],
  ];
  for (const [faults, message, stored] of cases) {
    const { server, client, outcome } = serving(faults);
    assert.match(String(code(await outcome(client.create(type, red('a'))))), message);
    assert.equal(server.store.list(type).length, stored);
  }
  const { server, client, outcome } = serving({ conflict: 1 });
  const made = server.store.create(type, red('a')) as Widget;
  assert.equal(code(await outcome(client.replace(type, { ...made, spec: { size: 2 } }))), 409);
  assert.equal((server.store.get(type, key) as Widget).spec.size, 1);
  server.heal();
  await outcome(client.replace(type, { ...made, spec: { size: 2 } }));
  assert.equal((server.store.get(type, key) as Widget).spec.size, 2);
});

test('pages are from one snapshot, and expire with it', async () => {
  const { server, client, outcome } = serving();
  for (const name of ['a', 'b', 'c']) server.store.create(type, red(name));
  const first = await client_list(2);
  server.store.delete(type, { namespace: 'red', name: 'c' });
  const second = await client_list(2, first.continue);
  assert.deepEqual(
    [first, second].map((page) => page.items.map(({ metadata }) => metadata.name)),
    [['a', 'b'], ['c']],
  );
  server.store.compact();
  assert.equal(code(await outcome(client.list(type, { limit: 2, continue: first.continue! }))), 410);

  async function client_list(limit: number, token?: string) {
    const page = await outcome(client.list<Widget>(type, { limit, ...(token ? { continue: token } : {}) }));
    assert.ok(!(page instanceof Error));
    return page;
  }
});

function watching({ sim, client }: ReturnType<typeof serving>, options: WatchOptions) {
  const events: WatchEvent[] = [];
  const state: { end?: string } = {};
  void (async () => {
    try {
      for await (const event of client.watch(type, options)) events.push(event);
      state.end = 'ended';
    } catch (error) {
      state.end = String(code(error));
    }
  })();
  const names = () =>
    events.map((event) =>
      event.type === 'BOOKMARK' || event.type === 'ERROR' ? event.type : `${event.type} ${event.object.metadata.name}`,
    );
  return { sim, events, names, state };
}

test('a watch returns later events in order, including objects that enter or leave its selection', async () => {
  const setup = serving();
  setup.server.store.create(type, red('a'));
  const { sim, names } = watching(setup, { resourceVersion: '2', labelSelector: 'team=west' });
  setup.server.store.replace(type, widget('red', 'a', 1, 'west'));
  setup.server.store.create(type, red('b'));
  await sim.pass(1_000);
  setup.server.store.replace(type, widget('red', 'a', 1, 'east'));
  await sim.pass(10_000);
  assert.deepEqual(names(), ['ADDED a', 'DELETED a']);
});

test('a watch with initial events reports their end, or is refused if that is not supported', async () => {
  const setup = serving();
  setup.server.store.create(type, red('a'));
  const { sim, names } = watching(setup, {
    sendInitialEvents: true,
    resourceVersionMatch: 'NotOlderThan',
    allowWatchBookmarks: true,
  });
  await sim.pass(10_000);
  assert.deepEqual(names(), ['ADDED a', 'BOOKMARK']);
  const old = watching(serving({}, false), { sendInitialEvents: true });
  await old.sim.pass(10_000);
  assert.equal(old.state.end, '422');
});

test('a watch from a compacted revision gets 410, an open one continues', async () => {
  const setup = serving();
  setup.server.store.create(type, red('a'));
  const open = watching(setup, { resourceVersion: '2' });
  await setup.sim.pass(1_000);
  setup.server.store.create(type, red('b'));
  setup.server.store.compact();
  const late = watching(setup, { resourceVersion: '2' });
  await setup.sim.pass(10_000);
  assert.deepEqual([open.names(), open.state.end], [['ADDED b'], undefined]);
  assert.deepEqual([late.names(), late.state.end], [['ERROR'], 'ended']);
});

test('streams are closed, ended, broken and silenced by faults', async () => {
  const run = async (faults: Partial<FaultProfile>) => {
    const setup = serving(faults);
    const { sim, names, state } = watching(setup, { resourceVersion: '1', timeoutSeconds: 600 });
    await sim.pass(61_000);
    setup.server.store.create(type, red('a'));
    await sim.pass(10_000);
    return [names().join(), state.end];
  };
  assert.deepEqual(await run({}), ['ADDED a', undefined]);
  assert.deepEqual(await run({ watchCut: 1 }), ['', 'Error: socket hang up']);
  assert.deepEqual(await run({ watchEnd: 1 }), ['', 'ended']);
  assert.deepEqual(await run({ watchError: 1 }), ['ERROR', 'ended']);
  assert.deepEqual(await run({ watchStall: 1 }), ['', undefined]);
});
