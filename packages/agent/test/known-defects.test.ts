/** Known defects of similar agents, each as a scenario with the correct result. In virtual time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FaultProfile, noFaults, Simulation } from '@fairlead/sim';
import {
  acts,
  cascade,
  differences,
  Fleet,
  hubNamespace,
  newIntentions,
  type Stage,
  watchRules,
} from '@fairlead/sim/agent';
import { decideDelete } from '../src/core/mirror.ts';
import type { Side } from '../src/core/side.ts';
import { Inbox, kindInfo, type MirroredObject, type Mode, Outbox, rules, sourceUidOf } from '../src/index.ts';

const { type } = kindInfo.Application;
const agent = 'edge';

const modes = ['managed', 'autonomous'] as const;

/** A hub and a cluster in agreement, with the invariants of the matrix checked. `faults` are those of the API server of the source. */
async function start(seed: number, mode: Mode = 'managed', faults: Partial<FaultProfile> = {}) {
  const sim = new Simulation(seed);
  const managed = mode === 'managed';
  const fleet = new Fleet(sim, {
    agents: { [agent]: mode },
    [managed ? 'hubFaults' : 'clusterFaults']: { ...noFaults, ...faults },
  });
  const intentions = newIntentions();
  watchRules(sim, fleet, agent, intentions);
  const stage: Stage = { sim, fleet, agent, mode, intentions };
  const cluster = fleet.clusters.get(agent)!;
  const [sources, mirrors] = managed ? [fleet.hub, cluster] : [cluster, fleet.hub];
  const [at, mirrorAt] = managed ? [agent, hubNamespace] : [hubNamespace, agent];
  fleet.start();
  await sim.pass(3_000);
  return {
    ...stage,
    sources: sources.store,
    mirrors: mirrors.store,
    /** The stores of sources and mirrors. */
    at: (name: string) => ({ namespace: at, name }),
    mirrorAt: (name: string) => ({ namespace: mirrorAt, name }),
    source: (name: string) => sources.store.find(type, { namespace: at, name }) as MirroredObject | undefined,
    mirror: (name: string) => mirrors.store.find(type, { namespace: mirrorAt, name }) as MirroredObject | undefined,
    create: (name: string, finalizers: string[] = []) =>
      sources.store.create(type, {
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'Application',
        metadata: { namespace: at, name, ...(finalizers.length > 0 ? { finalizers } : {}) },
        spec: {
          project: 'default',
          source: { repoURL: 'r', path: name, targetRevision: 'v1' },
          destination: { name: managed ? agent : 'in-cluster', namespace: name },
        },
      } as MirroredObject),
    emptySources: () => sources.restore(new Map()),
    /** The process on the side of the source. */
    stopSource: () => (managed ? fleet.crashPrincipal() : fleet.crashAgent(agent)),
    startSource: () => (managed ? fleet.startPrincipal() : fleet.restartAgent(agent)),
    brake: () => {
      const report = fleet.principal!.hub.find(agent)?.report();
      return managed ? report?.remote?.brake : report?.brake;
    },
    async agree(withinMs = 300_000) {
      const wrong = () => differences(fleet, agent, intentions);
      assert.ok(await sim.reach(() => wrong().length === 0, withinMs), wrong().join('; '));
    },
  };
}

const side: Side = { role: 'agent', mode: 'managed', agent, namespace: hubNamespace };
const copyOf = (uid: string, finalizers: string[] = []): MirroredObject => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: {
    name: 'a',
    namespace: hubNamespace,
    uid: `copy-of-${uid}`,
    finalizers,
    annotations: { 'argocd.argoproj.io/source-uid': uid },
  },
  spec: {},
});

for (const mode of modes) {
  test(`${mode}: a delete of an old uid that arrives after the create of the new one does not delete the new one`, async () => {
    assert.deepEqual(decideDelete(side, 'Application', 'old', copyOf('new')), { do: 'nothing' });
    const { create, sources, at, source, mirror, agree, sim, fleet } = await start(1, mode);
    create('a');
    await agree();
    fleet.network.faults = { drop: 0, duplicate: 0.5, delay: 0, reorder: 0.6, cut: 0 };
    for (let i = 0; i < 5; i++) {
      sources.delete(type, at('a'));
      create('a');
      await sim.pass(2_000);
    }
    fleet.heal();
    await agree();
    assert.equal(sourceUidOf(mirror('a')!), source('a')!.metadata.uid);
  });

  test(`${mode}: a re-create over a mirror that is stuck in deletion creates a new object`, async () => {
    const { create, sources, mirrors, at, mirrorAt, mirror, agree, source, intentions } = await start(2, mode);
    create('a');
    await agree();
    const old = mirror('a')!;
    mirrors.replace(type, { ...old, metadata: { ...old.metadata, finalizers: ['example.com/keep'] } });
    intentions.wronglyDeleted.add(old.metadata.uid!);
    mirrors.delete(type, mirrorAt('a'));
    assert.ok(mirror('a')!.metadata.deletionTimestamp, 'its finalizer delays the deletion');
    sources.delete(type, at('a'));
    create('a');
    await agree();
    assert.equal(sourceUidOf(mirror('a')!), source('a')!.metadata.uid);
    assert.notEqual(mirror('a')!.metadata.uid, old.metadata.uid);
  });

  test(`${mode}: a delete that overtakes the removal of the finalizer deletes no workloads`, async () => {
    const { create, agree, fleet, mirror, ...stage } = await start(3, mode);
    create('a', [cascade]);
    await agree();
    fleet.network.cutAll();
    fleet.network.block('dialler');
    acts['non-cascade delete']!({ ...stage, fleet }, 'a');
    await stage.sim.pass(20_000);
    fleet.heal();
    // The invariant that no workload is deleted is checked: no cascade was requested.
    await agree();
    assert.equal(mirror('a'), undefined);
  });

  test(`${mode}: deletions that no watch reported are found by the next list`, async () => {
    const { create, sources, at, agree, sim } = await start(4, mode, { watchCut: 0.9, compaction: 1, expired: 0.9 });
    for (const name of ['a', 'b', 'c']) create(name);
    await sim.pass(60_000);
    sources.delete(type, at('b'));
    sources.compact();
    await agree(900_000);
  });

  test(`${mode}: an update for a deleted mirror creates it again`, async () => {
    const { create, sources, mirrors, mirrorAt, source, mirror, agree, intentions } = await start(5, mode);
    create('a');
    await agree();
    intentions.wronglyDeleted.add(mirror('a')!.metadata.uid!);
    mirrors.delete(type, mirrorAt('a'));
    sources.replace(type, { ...source('a')!, metadata: { ...source('a')!.metadata, labels: { team: 'shop' } } });
    await agree();
    assert.equal(mirror('a')!.metadata.labels?.['team'], 'shop');
  });

  for (const running of [true, false]) {
    const [what, whom] = mode === 'managed' ? ['hub', 'fleet'] : ['cluster', 'hub'];
    test(`${mode}: a ${what} that is emptied ${running ? 'under a running process' : 'while its process is stopped'} does not empty the ${whom} until it is confirmed`, async () => {
      const { create, sources, mirrors, sim, fleet, agree, brake, emptySources, stopSource, startSource } = await start(
        running ? 6 : 7,
        mode,
      );
      const left = (): number => mirrors.list(type).length;
      for (let i = 0; i < 30; i++) create(`app-${i}`);
      await agree();
      if (!running) stopSource();
      emptySources();
      if (!running) startSource();
      await sim.pass(400_000);
      assert.ok(left() >= 24, `${left()} are left`);
      assert.ok(await sim.reach(() => brake() !== undefined, 400_000), 'the brake is reported');
      const { deletions, token } = brake()!;
      assert.equal(deletions, left());
      fleet.principal!.hub.find(agent)!.confirmDeletions('another token');
      await sim.pass(100_000);
      assert.ok(left() >= 24, 'another token confirms nothing');
      fleet.principal!.hub.find(agent)!.confirmDeletions(token);
      assert.ok(await sim.reach(() => left() === 0, 600_000), `${left()} are left`);
      assert.equal(sources.list(type).length, 0);
    });
  }
}

test('a re-create over a mirror that is deleting its workloads waits for the deletion', async () => {
  const { create, sources, at, mirror, agree, source, intentions, sim } = await start(2);
  create('a', [cascade]);
  await agree();
  const old = mirror('a')!;
  intentions.cascaded.add(source('a')!.metadata.uid!);
  sources.delete(type, at('a'));
  await sim.reach(() => source('a') === undefined, 120_000);
  create('a');
  await agree();
  assert.notEqual(mirror('a')!.metadata.uid, old.metadata.uid);
});

test('a create over a mirror that is being deleted waits', () => {
  const sent = { ...copyOf('x'), metadata: { name: 'a', uid: 'new' } };
  const leaving = { ...copyOf('old'), metadata: { ...copyOf('old').metadata, deletionTimestamp: 'now' } };
  assert.equal(rules.decideUpsert(side, 'Application', sent, leaving).do, 'wait');
});

test('a duplicate acknowledgement does not remove another message', () => {
  const outbox = new Outbox({ random: () => 0 });
  outbox.enqueue({ about: 'state', kind: 'Application', name: 'a', uid: '1' });
  const first = outbox.take(0)!;
  assert.equal(outbox.acknowledged(first.number)?.about, 'state');
  outbox.enqueue({ about: 'state', kind: 'Application', name: 'a', uid: '1' });
  const second = outbox.take(0)!;
  assert.equal(outbox.acknowledged(first.number), undefined);
  assert.equal(outbox.size, 1);
  outbox.enqueue({ about: 'state', kind: 'Application', name: 'a', uid: '1' });
  assert.equal(outbox.acknowledged(second.number), undefined, 'it was enqueued again since');
  const inbox = new Inbox();
  inbox.done('epoch', 'state 1', 7);
  assert.deepEqual(
    [6, 7, 8].map((number) => inbox.knows('epoch', 'state 1', number)),
    [true, true, false],
  );
  assert.equal(inbox.knows('another epoch', 'state 1', 7), false);
});
