/** A trace reaches from a change to its last effect, on either side. In virtual time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Simulation } from '@fairlead/sim';
import { acts, differences, Fleet, newIntentions, type Stage, watchRules } from '@fairlead/sim/agent';
import { traceIdOf } from '../src/core/trace.ts';
import type { Message, Mode } from '../src/index.ts';
import { RecentTraces } from '../src/link/recent-traces.ts';

const agent = 'edge';

async function start(mode: Mode) {
  const sim = new Simulation(7);
  const said: Message[] = [];
  const fleet = new Fleet(sim, { agents: { [agent]: mode }, onSend: (_, __, message) => void said.push(message) });
  const intentions = newIntentions();
  watchRules(sim, fleet, agent, intentions);
  const stage: Stage = { sim, fleet, agent, mode, intentions };
  fleet.start();
  await sim.pass(5_000);
  return {
    /** Runs something, and returns the traces of its messages, by type. */
    async after(act: string): Promise<Map<string, Set<string>>> {
      said.length = 0;
      acts[act]!(stage, 'a');
      const quiet = (): boolean => differences(fleet, agent, intentions).length === 0;
      await sim.pass(3_000);
      assert.ok(await sim.reach(quiet, 60_000), differences(fleet, agent, intentions).join('; '));
      // Until the last one is acknowledged.
      await sim.pass(5_000);
      const traces = new Map<string, Set<string>>();
      for (const { type, trace } of said)
        if (trace !== undefined) traces.set(type, (traces.get(type) ?? new Set()).add(traceIdOf(trace)));
      return traces;
    },
  };
}

/** All messages have the same trace, which is returned. */
function oneTrace(traces: Map<string, Set<string>>, ...types: string[]): string {
  for (const type of types) assert.ok(traces.has(type), `${type} among ${[...traces.keys()]}`);
  const all = new Set([...traces.values()].flatMap((ids) => [...ids]));
  assert.equal(all.size, 1, JSON.stringify([...traces].map(([type, ids]) => [type, [...ids]])));
  return [...all][0]!;
}

test('managed: a change, its acknowledgement and the resulting status share one trace; the next change starts another', async () => {
  const { after } = await start('managed');
  const created = oneTrace(await after('create'), 'upsert', 'processed', 'status');
  const edited = oneTrace(await after('spec edit'), 'upsert', 'processed', 'status');
  assert.notEqual(edited, created);
  const synced = oneTrace(await after('sync'), 'operation', 'processed', 'status');
  assert.notEqual(synced, edited);
  assert.notEqual(oneTrace(await after('wrong-side delete'), 'delete', 'upsert', 'processed'), synced);
});

test('autonomous: the effects of an operation from the hub share its trace; an edit on the cluster starts another', async () => {
  const { after } = await start('autonomous');
  await after('create');
  const synced = oneTrace(await after('sync'), 'operation', 'processed', 'upsert');
  const edited = await after('metadata edit');
  assert.ok(![...edited.get('upsert')!].includes(synced));
});

test('a much later change is not part of the trace', () => {
  let now = 0;
  const traces = new RecentTraces({ now: () => now, after: () => () => {} });
  traces.note('1', 'trace');
  traces.note('2', undefined);
  assert.deepEqual([traces.of('1'), traces.of('2')], ['trace', undefined]);
  now += 11 * 60_000;
  assert.equal(traces.of('1'), undefined);
});
