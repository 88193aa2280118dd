/** Mistakes that agents of this kind are known to have made, each as a story with its right end. In virtual time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FaultProfile } from '@fairlead/sim';
import { noFaults, World } from '@fairlead/sim';
import { acts, type Stage } from '@fairlead/sim/scenarios/agent/acts';
import { Fleet, hubNamespace } from '@fairlead/sim/scenarios/agent/fleet';
import { cascade, differences, newIntentions, watchRules } from '@fairlead/sim/scenarios/agent/rules';
import { decideDelete } from '../src/core/mirror.ts';
import type { Side } from '../src/core/side.ts';
import { Inbox, kindInfo, type MirroredObject, Outbox, rules, sourceUidOf } from '../src/index.ts';

const { type } = kindInfo.Application;
const agent = 'edge';

/** A hub and a cluster in agreement, and the rules of the matrix watched. */
async function start(seed: number, mode: 'managed' | 'autonomous' = 'managed', hubFaults: Partial<FaultProfile> = {}) {
  const world = new World(seed);
  const fleet = new Fleet(world, { agents: { [agent]: mode }, hubFaults: { ...noFaults, ...hubFaults } });
  const intentions = newIntentions();
  watchRules(world, fleet, agent, intentions);
  const stage: Stage = { world, fleet, agent, mode, intentions };
  const cluster = fleet.clusters.get(agent)!.store;
  fleet.start();
  await world.pass(3_000);
  return {
    ...stage,
    cluster,
    hub: fleet.hub.store,
    mirror: (name: string) => cluster.find(type, { namespace: hubNamespace, name }) as MirroredObject | undefined,
    source: (name: string) => fleet.hub.store.find(type, { namespace: agent, name }) as MirroredObject | undefined,
    create: (name: string, finalizers: string[] = []) =>
      fleet.hub.store.create(type, {
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'Application',
        metadata: { namespace: agent, name, ...(finalizers.length > 0 ? { finalizers } : {}) },
        spec: {
          project: 'default',
          source: { repoURL: 'r', path: name, targetRevision: 'v1' },
          destination: { name: agent, namespace: name },
        },
      } as MirroredObject),
    async agree(withinMs = 300_000) {
      const wrong = () => differences(fleet, agent, intentions);
      assert.ok(await world.reach(() => wrong().length === 0, withinMs), wrong().join('; '));
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

test('a delete of an old uid that comes after the create of the new one leaves the new one alone', async () => {
  assert.deepEqual(decideDelete('old', copyOf('new')), { do: 'nothing' });
  const { create, hub, mirror, agree, world, fleet } = await start(1);
  create('a');
  await agree();
  fleet.network.faults = { drop: 0, duplicate: 0.5, delay: 0, reorder: 0.6, cut: 0 };
  for (let i = 0; i < 5; i++) {
    hub.delete(type, { namespace: agent, name: 'a' });
    create('a');
    await world.pass(2_000);
  }
  fleet.heal();
  await agree();
  assert.equal(sourceUidOf(mirror('a')!), hub.find(type, { namespace: agent, name: 'a' })!.metadata.uid);
});

test('a re-create over a mirror that waits for its finalizer waits too, and is made then', async () => {
  const { create, hub, mirror, agree, source, intentions, world } = await start(2);
  create('a', [cascade]);
  await agree();
  const old = mirror('a')!;
  intentions.cascaded.add(source('a')!.metadata.uid!);
  hub.delete(type, { namespace: agent, name: 'a' });
  await world.reach(() => source('a') === undefined, 120_000);
  create('a');
  await agree();
  assert.notEqual(mirror('a')!.metadata.uid, old.metadata.uid);
  assert.deepEqual(
    rules.decideUpsert(
      side,
      'Application',
      { ...copyOf('x'), metadata: { name: 'a', uid: 'new' } },
      { ...copyOf('old'), metadata: { ...copyOf('old').metadata, deletionTimestamp: 'now' } },
    ).do,
    'wait',
  );
});

test('a delete that overtakes the update that took the finalizer off deletes no workloads', async () => {
  const { create, agree, fleet, mirror, ...stage } = await start(3);
  create('a', [cascade]);
  await agree();
  fleet.network.cutAll();
  fleet.network.block('dialler');
  acts['non-cascade delete']!({ ...stage, fleet }, 'a');
  await stage.world.pass(20_000);
  fleet.heal();
  // That no workload is deleted is watched: nobody asked for a cascade.
  await agree();
  assert.equal(mirror('a'), undefined);
});

test('a duplicate answer does not take another message away', () => {
  const outbox = new Outbox({ random: () => 0 });
  outbox.tell({ about: 'state', kind: 'Application', name: 'a', uid: '1' });
  const first = outbox.take(0)!;
  assert.equal(outbox.answered(first.number)?.about, 'state');
  outbox.tell({ about: 'state', kind: 'Application', name: 'a', uid: '1' });
  const second = outbox.take(0)!;
  assert.equal(outbox.answered(first.number), undefined);
  assert.equal(outbox.size, 1);
  outbox.tell({ about: 'state', kind: 'Application', name: 'a', uid: '1' });
  assert.equal(outbox.answered(second.number), undefined, 'it has been told anew since');
  const inbox = new Inbox();
  inbox.done('epoch', 'state 1', 7);
  assert.deepEqual(
    [6, 7, 8].map((number) => inbox.knows('epoch', 'state 1', number)),
    [true, true, false],
  );
  assert.equal(inbox.knows('another epoch', 'state 1', 7), false);
});

test('deletions that no watch told of are found when everything is listed anew', async () => {
  const { create, hub, agree, world } = await start(4, 'managed', { watchCut: 0.9, compaction: 1, expired: 0.9 });
  for (const name of ['a', 'b', 'c']) create(name);
  await world.pass(60_000);
  hub.delete(type, { namespace: agent, name: 'b' });
  hub.compact();
  await agree(900_000);
});

test('an update for a mirror that is gone makes it again', async () => {
  const { create, hub, cluster, source, mirror, agree, intentions } = await start(5);
  create('a');
  await agree();
  intentions.wronglyDeleted.add(mirror('a')!.metadata.uid!);
  cluster.delete(type, { namespace: hubNamespace, name: 'a' });
  hub.replace(type, { ...source('a')!, metadata: { ...source('a')!.metadata, labels: { team: 'shop' } } });
  await agree();
  assert.equal(mirror('a')!.metadata.labels?.['team'], 'shop');
});

for (const running of [true, false]) {
  test(`a hub that is emptied ${running ? 'under a running principal' : 'while the principal is away'} does not empty the fleet, until someone means it`, async () => {
    const { create, hub, cluster, world, fleet, agree } = await start(running ? 6 : 7);
    for (let i = 0; i < 30; i++) create(`app-${i}`);
    await agree();
    if (!running) fleet.crashPrincipal();
    fleet.hub.restore(new Map());
    if (!running) fleet.startPrincipal();
    await world.pass(400_000);
    assert.ok(cluster.list(type).length >= 24, `${cluster.list(type).length} are left`);
    const report = () => fleet.principal!.hub.find(agent)!.report().remote!.brake;
    assert.ok(await world.reach(() => report() !== undefined, 400_000), 'the brake is reported');
    const { deletions, token } = report()!;
    assert.equal(deletions, cluster.list(type).length);
    fleet.principal!.hub.find(agent)!.confirmDeletions('another token');
    await world.pass(100_000);
    assert.ok(cluster.list(type).length >= 24, 'another token confirms nothing');
    fleet.principal!.hub.find(agent)!.confirmDeletions(token);
    assert.ok(
      await world.reach(() => cluster.list(type).length === 0, 600_000),
      `${cluster.list(type).length} are left`,
    );
    assert.equal(hub.list(type).length, 0);
  });
}
