import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { keyOf } from '@fairlead/apimachinery';
import {
  type Change,
  type Clock,
  changesOfSeen,
  LeaderElector,
  ObjectStore,
  rendezvous,
  ShardMember,
} from '@fairlead/kube';
import { runScenario, type Scenario } from './scenario.ts';
import { fleetStreams } from './scenarios/fleet/fleet-streams.ts';
import { scenarios } from './scenarios/index.ts';
import { informerConverges } from './scenarios/informer-converges.ts';
import { oneLeader } from './scenarios/one-leader.ts';
import { closeEngine } from './scenarios/service/sim-database.ts';
import { shards } from './scenarios/shards.ts';
import type { Widget } from './scenarios/widgets.ts';

after(closeEngine);

async function failures(scenario: Scenario, seeds: number): Promise<string[]> {
  const messages: string[] = [];
  for (let seed = 1; seed <= seeds; seed++) {
    const { error } = await runScenario(scenario, seed);
    if (error !== undefined) messages.push(`seed ${seed}: ${String(error)}`);
  }
  return messages;
}

/** Those of kube take milliseconds. Whole systems take longer, and have tests in their own packages. */
const light = new Set(['informer-converges', 'controller-copies', 'one-leader']);

for (const scenario of scenarios) {
  const schedules = light.has(scenario.name) ? 100 : 6;
  test(`${scenario.name} passes under ${schedules} schedules of faults`, async () => {
    assert.deepEqual(await failures(scenario, schedules), []);
  });

  test(`${scenario.name}: the same seed gives the same trace, and another seed another trace`, async () => {
    for (const seed of light.has(scenario.name) ? [3, 4, 5] : [3]) {
      const [first, second] = [await runScenario(scenario, seed), await runScenario(scenario, seed)];
      assert.deepEqual(second.trace, first.trace);
      assert.equal(second.fingerprint, first.fingerprint);
      assert.notEqual((await runScenario(scenario, seed + 100)).fingerprint, first.fingerprint);
    }
  });
}

/** Follows the events of each object, and does not detect what is missing from a list. */
class NoDeletionsFromLists extends ObjectStore<Widget> {
  override changesOfAll(objects: readonly Widget[]): Change<Widget>[] {
    return objects.flatMap((object) => changesOfSeen(this, object));
  }
}

/** Mistakes an object for the same because it has the same name. */
class NoIdentity extends ObjectStore<Widget> {
  override changesOfAll(objects: readonly Widget[]): Change<Widget>[] {
    const changes = super.changesOfAll(objects);
    const added = new Map(changes.filter(({ type }) => type === 'added').map(({ object }) => [keyOf(object), object]));
    return changes.flatMap((change): Change<Widget>[] => {
      const object = added.get(keyOf(change.object));
      if (change.type === 'deleted' && object) return [{ type: 'updated', old: change.object, object }];
      return change.type === 'added' && this.get(keyOf(change.object)) ? [] : [change];
    });
  }
}

test('the scenario detects an informer that does not find deletions in lists', async () => {
  const found = await failures(
    informerConverges(() => new NoDeletionsFromLists()),
    100,
  );
  assert.ok(found.length > 0);
  assert.match(found.join('\n'), /did not come to the state of the server/);
});

test('the scenario detects an informer that mistakes a new object for a deleted one of the same name', async () => {
  const found = await failures(
    informerConverges(() => new NoIdentity()),
    100,
  );
  assert.match(found.join('\n'), /changed its uid in an update/);
});

test('the scenario detects a leader with a slow clock that acts after its lease has expired', async () => {
  const careless = oneLeader((client, options) => {
    const clock = options.identity === 'replica-1' ? slow(options.clock!) : options.clock!;
    return new LeaderElector(client, { ...options, clock });
  });
  const found = await failures(careless, 150);
  assert.match(found.join('\n'), /acts while replica-\d leads/);
});

test('the scenario detects a shard that works after its lease has expired', async () => {
  const careless = shards((client, options) => {
    const durations = options.identity === 'replica-1' ? { leaseMs: 60_000, renewDeadlineMs: 50_000 } : {};
    return new ShardMember(client, { ...options, ...durations });
  });
  assert.match((await failures(careless, 40)).join('\n'), /replica-\d+ and replica-\d+ work on/);
});

test('the scenario detects a shard that does not wait until others have acknowledged the map', async () => {
  /** Owns what the newest map gives it. */
  class Hasty extends ShardMember {
    override owns(key: string): boolean {
      const { map } = this;
      return this.isMember && map !== undefined && rendezvous(key, map.members) === this.identity;
    }
  }
  const found = await failures(
    shards((client, options) => new Hasty(client, options)),
    20,
  );
  assert.match(found.join('\n'), /replica-\d+ and replica-\d+ work on/);
});

test('the scenario detects a client of the event stream that does not read its list again', async () => {
  assert.match((await failures(fleetStreams({ ignoresReload: true }), 10)).join('\n'), /a client shows/);
});

function slow(clock: Clock): Clock {
  const began = clock.now();
  return { now: () => began + (clock.now() - began) / 2, after: (ms, run) => clock.after(2 * ms, run) };
}
