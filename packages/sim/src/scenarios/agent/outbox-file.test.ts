/** Either process crashes before, during and after each write of its outbox file: both sides agree for any resulting file. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Mode } from '@fairlead/agent';
import type { WritePoint } from '../../sim-file.ts';
import { Simulation } from '../../simulation.ts';
import { acts, type Stage } from './acts.ts';
import { Fleet } from './fleet.ts';
import { differences, newIntentions, watchRules } from './rules.ts';

const agent = 'edge';
const points: readonly WritePoint[] = ['before', 'torn', 'after'];

interface Crash {
  readonly mode: Mode;
  readonly who: 'principal' | 'agent';
  readonly point: WritePoint;
  /** The number of the write. */
  readonly write: number;
}

/** Returns whether there were that many writes. */
async function crashAt({ mode, who, point, write }: Crash): Promise<boolean> {
  const sim = new Simulation(write);
  const fleet = new Fleet(sim, { agents: { [agent]: mode } });
  const intentions = newIntentions();
  watchRules(sim, fleet, agent, intentions);
  const stage: Stage = { sim, fleet, agent, mode, intentions };
  let writes = 0;
  let crashed = false;
  fleet.files[who].onWrite = (at) => {
    if (at === 'before') writes += 1;
    if (crashed || at !== point || writes !== write) return;
    crashed = true;
    if (who === 'principal') fleet.crashPrincipal();
    else fleet.crashAgent(agent);
    sim.schedule(2_000, `${who} is started again`, () =>
      who === 'principal' ? fleet.startPrincipal() : fleet.restartAgent(agent),
    );
  };
  fleet.start();
  await sim.pass(3_000);
  // Much is sent and little acknowledged, so that the outbox is not empty.
  const act = (name: string, on: string): void => acts[name]!(stage, on);
  for (const name of ['a', 'b', 'c']) act('create', name);
  await sim.pass(2_000);
  fleet.network.faults = { ...fleet.network.faults, drop: 0.5 };
  for (const [name, on] of [
    ['spec edit', 'a'],
    ['metadata edit', 'b'],
    ['sync', 'a'],
    ['re-create other', 'c'],
    ['wrong-side delete', 'b'],
    ['cascade delete', 'a'],
  ] as const) {
    act(name, on);
    await sim.pass(2_500);
  }
  fleet.heal();
  const wrong = (): string[] => differences(fleet, agent, intentions);
  assert.ok(await sim.reach(() => wrong().length === 0, 600_000), wrong().join('; '));
  return crashed;
}

for (const mode of ['managed', 'autonomous'] as const) {
  for (const who of ['principal', 'agent'] as const) {
    test(`${mode}: the ${who} crashes at each write of its outbox`, async () => {
      let crashes = 0;
      // The number of a write is the seed too, so one schedule may have fewer writes than the next.
      for (const point of points) {
        let missed = 0;
        for (let write = 1; missed < 3; write++)
          if (await crashAt({ mode, who, point, write })) crashes += 1;
          else missed += 1;
      }
      assert.ok(crashes >= 15, `${crashes} crashes`);
    });
  }
}
