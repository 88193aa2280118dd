import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResourceType } from '@fairlead/apimachinery';
import { noFaults, SimApiServer, Simulation, settle } from '@fairlead/sim';
import { InformerFactory } from '../cache/informer-factory.ts';
import { LeaderElector } from '../leader-election/leader-election.ts';
import { Controller } from './controller.ts';
import { Manager, type ManagerOptions, type Runnable } from './manager.ts';
import { done } from './reconcile.ts';

const type: ResourceType = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
const lease = { namespace: 'system', name: 'fairlead' };

function managed(options: ManagerOptions = {}) {
  const sim = new Simulation(2);
  const server = new SimApiServer(sim, noFaults);
  const process = sim.process('app');
  const { clock, random } = process;
  const client = server.client(process);
  const informers = new InformerFactory(client, { clock, random });
  const elector = new LeaderElector(client, { lease, identity: 'app', clock, random });
  const manager = new Manager({ informers, elector, clock, ...options });
  const stop = new AbortController();
  return { sim, server, process, informers, manager, stop };
}

/** Records its start and end; takes `ms` to stop. */
const noting = (name: string, notes: string[], sim: Simulation, ms = 0): Runnable => ({
  name,
  async run(signal) {
    notes.push(`${name} starts`);
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    await new Promise<void>((resolve) => sim.clock.after(ms, resolve));
    notes.push(`${name} ends`);
  },
});

test('controllers run once informers have synced and this process is the leader, and everything stops in order', async () => {
  const { sim, server, informers, manager, stop } = managed();
  const seen: string[] = [];
  server.store.create(type, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'ns', name: 'a' } });
  const informer = informers.informer(type);
  const controller = new Controller({
    name: 'copy',
    clock: sim.clock,
    reconcile: async (key) => {
      seen.push(`${key} ${informer.get(key) ? 'there' : 'gone'}`);
      return done;
    },
  }).watch(informer);
  manager.add(controller);
  const run = manager.run(stop.signal);
  await sim.pass(10_000);
  assert.deepEqual(seen, ['ns/a there']);
  stop.abort();
  await sim.pass(5_000);
  await run;
  assert.equal(sim.clock.pending, 0);
});

test('runnables for every replica run without the lease, others wait for it', async () => {
  const { sim, server, manager, stop } = managed();
  const other = sim.process('other');
  const otherReplica = new LeaderElector(server.client(other), {
    lease,
    identity: 'other',
    clock: other.clock,
    random: other.random,
  });
  const otherStop = new AbortController();
  void otherReplica.run(
    otherStop.signal,
    (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
  );
  await sim.pass(5_000);
  const notes: string[] = [];
  manager.add(noting('leading', notes, sim)).addEverywhere(noting('everywhere', notes, sim));
  const run = manager.run(stop.signal);
  await sim.pass(10_000);
  assert.deepEqual(notes, ['everywhere starts']);
  otherStop.abort();
  await sim.pass(5_000);
  assert.deepEqual(notes, ['everywhere starts', 'leading starts']);
  stop.abort();
  await sim.pass(5_000);
  await run;
});

test('a runnable that fails stops the manager, which names it', async () => {
  const { sim, manager, stop } = managed();
  const notes: string[] = [];
  manager.add(noting('good', notes, sim), {
    name: 'bad',
    run: async () => {
      throw new Error('no such table');
    },
  });
  const run = assert.rejects(manager.run(stop.signal), /bad failed: no such table/);
  await sim.pass(10_000);
  await run;
  assert.deepEqual(notes, ['good starts', 'good ends']);
});

const leaseType: ResourceType = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  namespaced: true,
};

test('after a lost lease, the replica stands by until it leads again', async () => {
  const { sim, server, manager, stop } = managed();
  const notes: string[] = [];
  manager.add(noting('work', notes, sim)).addEverywhere(noting('everywhere', notes, sim));
  const run = manager.run(stop.signal);
  await sim.pass(10_000);
  server.store.delete(leaseType, lease);
  await sim.pass(10_000);
  assert.deepEqual(notes, ['everywhere starts', 'work starts', 'work ends', 'work starts']);
  stop.abort();
  await sim.pass(5_000);
  await run;
});

test('a lost lease stops the manager if the work of the leader does not end in time', async () => {
  const { sim, server, manager, stop } = managed({ stopMs: 5_000 });
  const notes: string[] = [];
  manager.add(noting('slow', notes, sim, 600_000));
  const run = assert.rejects(manager.run(stop.signal), /did not stop within 5000 ms: slow$|no longer leads/);
  await sim.pass(10_000);
  server.store.delete(leaseType, lease);
  await sim.pass(30_000);
  await run;
  assert.deepEqual(notes, ['slow starts']);
});

test('a runnable that does not stop in time is named', async () => {
  const { sim, manager, stop } = managed({ stopMs: 5_000 });
  const notes: string[] = [];
  manager.add(noting('slow', notes, sim, 60_000), noting('quick', notes, sim));
  const run = assert.rejects(manager.run(stop.signal), /did not stop within 5000 ms: slow$/);
  await sim.pass(10_000);
  stop.abort();
  await sim.pass(6_000);
  await run;
});

test('health, readiness and metrics are served, and readiness waits for the informers', async () => {
  const { sim, informers, manager, stop } = managed({ status: { port: 0 } });
  informers.informer(type);
  let database = 'no connection';
  manager.addReadiness('database', () => database || undefined).addLiveness('loop', () => undefined);
  const { things } = manager.registry.create({
    things: { name: 'things_total', type: 'counter', help: 'Things' },
  } as const);
  things.increase({}, 3);
  const run = manager.run(stop.signal);
  while (manager.statusPort === undefined) await settle();
  const get = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${manager.statusPort}${path}`);
    return [response.status, await response.text()];
  };
  assert.deepEqual(await get('/healthz'), [200, '[+] ping ok\n[+] loop ok\nok\n']);
  assert.deepEqual(await get('/readyz'), [
    503,
    '[-] informers failed: not all have synced\n[-] database failed: no connection\n[+] event loop ok\nfailed\n',
  ]);
  database = '';
  await sim.pass(10_000);
  assert.equal((await get('/readyz'))[0], 200);
  assert.match(String((await get('/metrics'))[1]), /^things_total 3$/m);
  assert.equal((await get('/nothing'))[0], 404);
  stop.abort();
  await sim.pass(5_000);
  await run;
});
