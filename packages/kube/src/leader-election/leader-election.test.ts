import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leaseType } from '@fairlead/apimachinery';
import { noFaults, SimApiServer, Simulation } from '@fairlead/sim';
import { sleep } from '../clock.ts';
import { LeaderElector } from './leader-election.ts';
import type { Lease } from './lease.ts';

const lease = { namespace: 'system', name: 'fairlead' };

function candidates(...names: string[]) {
  const sim = new Simulation(3);
  const server = new SimApiServer(sim, noFaults);
  const all = names.map((identity) => {
    const process = sim.process(identity);
    const { clock, random } = process;
    const elector = new LeaderElector(server.client(process), { lease, identity, clock, random });
    const stop = new AbortController();
    const term: { signal?: AbortSignal } = {};
    const lead = async (signal: AbortSignal) => {
      term.signal = signal;
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    };
    return { identity, process, elector, stop, term, end: elector.run(stop.signal, lead) };
  });
  const stored = () => server.store.get(leaseType, lease) as Lease;
  return { sim, server, all, stored };
}

test('one of several candidates is the leader, and the lease names it', async () => {
  const { sim, all, stored } = candidates('a', 'b', 'c');
  await sim.pass(30_000);
  const leaders = all.filter(({ elector }) => elector.isLeader);
  assert.equal(leaders.length, 1);
  const { spec } = stored();
  assert.equal(spec?.holderIdentity, leaders[0]!.identity);
  assert.equal(spec?.leaseDurationSeconds, 8);
  assert.match(spec?.renewTime ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  assert.equal(spec?.leaseTransitions, 0);
  assert.ok(all.every(({ elector }) => elector.leader === leaders[0]!.identity));
});

test('a leader that stops releases the lease, and another is elected within seconds', async () => {
  const { sim, all, stored } = candidates('a', 'b');
  await sim.pass(10_000);
  const [first, second] = all[0]!.elector.isLeader ? all : all.toReversed();
  first!.stop.abort();
  await sim.pass(4_000);
  assert.equal(await first!.end, 'stopped');
  assert.equal(second!.elector.isLeader, true);
  assert.equal(stored().spec?.leaseTransitions, 1);
});

test('a crashed leader is replaced when its lease has expired, not before', async () => {
  const { sim, all } = candidates('a', 'b');
  await sim.pass(10_000);
  const [first, second] = all[0]!.elector.isLeader ? all : all.toReversed();
  first!.process.crash();
  await sim.pass(6_000);
  assert.equal(second!.elector.isLeader, false);
  await sim.pass(6_000);
  assert.equal(second!.elector.isLeader, true);
});

test('a leader that cannot renew stops its work in time, even while a request hangs', async () => {
  const sim = new Simulation(5);
  const server = new SimApiServer(sim, { ...noFaults, requestLost: 1 });
  const healthy = new SimApiServer(sim, noFaults);
  const process = sim.process('a');
  const lossy = server.client(process);
  const working = healthy.client(process);
  let away = false;
  const client = {
    ...working,
    get: working.get.bind(working),
    create: working.create.bind(working),
    replace: ((...args: Parameters<typeof working.replace>) =>
      (away ? lossy : working).replace(...args)) as typeof working.replace,
  };
  const { clock, random } = process;
  const elector = new LeaderElector(client as typeof working, { lease, identity: 'a', clock, random });
  let lostAt = 0;
  const end = elector.run(new AbortController().signal, async (signal) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    lostAt = sim.clock.now();
    assert.match(String(signal.reason), /lost the lease: it was not renewed for 5500 ms/);
  });
  await sim.pass(20_000);
  assert.equal(elector.isLeader, true);
  away = true;
  const from = sim.clock.now();
  await sim.pass(15_000);
  assert.equal(elector.isLeader, false);
  assert.ok(lostAt - from > 3_500 && lostAt - from <= 5_500, `stopped after ${lostAt - from} ms`);
  assert.equal(await end, 'lost');
});

test('a late response does not extend the time of a leader', async () => {
  const sim = new Simulation(5);
  const process = sim.process('a');
  const working = new SimApiServer(sim, noFaults).client(process);
  const { clock, random } = process;
  let slow = false;
  const sentAt: number[] = [];
  const client: typeof working = {
    ...working,
    get: working.get.bind(working),
    create: working.create.bind(working),
    replace: async (...args) => {
      if (slow) sentAt.push(clock.now());
      const answer = await working.replace(...args);
      if (slow) await sleep(clock, 6_000);
      return answer;
    },
  };
  const elector = new LeaderElector(client, { lease, identity: 'a', clock, random });
  let lostAt = 0;
  void elector.run(new AbortController().signal, async (signal) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    lostAt = clock.now();
  });
  await sim.pass(20_000);
  slow = true;
  await sim.pass(20_000);
  assert.ok(lostAt > 0 && lostAt - (sentAt[0] ?? 0) <= 10_000, `led until ${lostAt}, and asked at ${sentAt}`);
});

test('the lease duration of the holder is respected', async () => {
  const { sim, server, all } = candidates('a');
  server.store.create<Lease>(leaseType, {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: lease,
    spec: { holderIdentity: 'other', leaseDurationSeconds: 60 },
  });
  await sim.pass(50_000);
  assert.equal(all[0]?.elector.isLeader, false);
  await sim.pass(20_000);
  assert.equal(all[0]?.elector.isLeader, true);
});

test('a leader whose lease was taken stops at the next renewal', async () => {
  const { sim, server, all, stored } = candidates('a');
  await sim.pass(10_000);
  server.store.replace(leaseType, { ...stored(), spec: { ...stored().spec, holderIdentity: 'intruder' } } as Lease);
  await sim.pass(4_000);
  assert.equal(all[0]!.elector.isLeader, false);
  assert.match(String(all[0]!.term.signal?.reason), /intruder holds it/);
  assert.equal(await all[0]!.end, 'lost');
});

test('work that ends by itself releases the lease', async () => {
  const sim = new Simulation(3);
  const server = new SimApiServer(sim, noFaults);
  const process = sim.process('a');
  const { clock, random } = process;
  const elector = new LeaderElector(server.client(process), { lease, identity: 'a', clock, random });
  const end = elector.run(new AbortController().signal, async () => {});
  await sim.pass(5_000);
  assert.equal(await end, 'finished');
  assert.equal((server.store.get(leaseType, lease) as Lease).spec?.holderIdentity, '');
  assert.equal(sim.clock.pending, 0);
});

test('unsafe durations are rejected', () => {
  const sim = new Simulation(1);
  const client = new SimApiServer(sim).client(sim.process('a'));
  assert.throws(() => new LeaderElector(client, { lease, identity: 'a', leaseMs: 5_500 }), /renewDeadlineMs < leaseMs/);
});
