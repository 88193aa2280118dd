import type { LinkSettings, Mode } from '@fairlead/agent';
import { type FaultProfile, noFaults } from '../../fault-profile.ts';
import type { Scenario } from '../../scenario.ts';
import type { World } from '../../world.ts';
import { actNames, acts, type Stage } from './acts.ts';
import { faultNames, faults } from './faults.ts';
import { Fleet } from './fleet.ts';
import { differences, newIntentions, watchAnswers, watchRules } from './rules.ts';

const agent = 'edge';
/** Everything goes wrong within this time; then all is well, and within the other both sides must agree. */
const troubleMs = 40_000;
export const convergenceMs = 600_000;

export interface Cell {
  readonly mode: Mode;
  readonly acts: readonly string[];
  readonly faults: readonly string[];
}

interface Planned {
  readonly label: string;
  readonly at: number;
  readonly act?: string;
  readonly name?: string;
  readonly fault?: string;
}

const modes: readonly Mode[] = ['managed', 'autonomous'];

/** Every act with every act, every act with every fault, every fault with every fault, in both modes. */
export const pairs: readonly Cell[] = modes.flatMap((mode) => [
  ...actNames.flatMap((act) => faultNames.map((fault) => ({ mode, acts: [act], faults: [fault] }))),
  ...actNames.flatMap((first) => actNames.map((second) => ({ mode, acts: [first, second], faults: [] }))),
  ...faultNames.flatMap((first, index) =>
    faultNames.slice(index + 1).map((second) => ({ mode, acts: [], faults: [first, second] })),
  ),
]);

const drawCell = (world: World): Cell => ({
  mode: world.pick(modes),
  acts: Array.from({ length: world.between(2, 5) }, () => world.pick(actNames)),
  faults: Array.from({ length: world.between(1, 3) }, () => world.pick(faultNames)),
});

/** The acts of the cell, among some others so that there is something to act on, and its faults, each at a time of its own. */
function planOf(world: World, cell: Cell): Planned[] {
  const names = ['a', 'b', 'c'];
  const focus = world.pick(names);
  const act = (which: string, at: number, name: string): Planned => ({
    label: `${at} ms: ${which} ${name}`,
    at,
    act: which,
    name,
  });
  const before = names.filter(() => world.chance(0.7)).map((name) => act('create', world.between(0, 3_000), name));
  const others = Array.from({ length: world.between(0, 3) }, () =>
    act(world.pick(actNames), world.between(0, troubleMs), world.pick(names)),
  );
  const own = cell.acts.map((which) => act(which, world.between(4_000, troubleMs), focus));
  const wrong = cell.faults.map((fault): Planned => {
    const at = world.between(0, troubleMs);
    return { label: `${at} ms: fault ${fault}`, at, fault };
  });
  return [...before, ...own, ...others, ...wrong].sort((a, b) => a.at - b.at);
}

const profile = (planned: readonly Planned[], side: 'hub' | 'cluster'): FaultProfile =>
  Object.assign({}, noFaults, ...planned.map(({ fault }) => (fault ? faults[fault]![side] : undefined)));

async function play(world: World, cell: Cell, settings: Partial<LinkSettings>): Promise<void> {
  const planned = world.plan(planOf(world, cell));
  world.trace(`${cell.mode}: ${[...cell.acts, ...cell.faults].join(', ')}`);
  const intentions = newIntentions();
  const fleet: Fleet = new Fleet(world, {
    agents: { [agent]: cell.mode },
    hubFaults: profile(planned, 'hub'),
    clusterFaults: profile(planned, 'cluster'),
    settings,
    onSend: watchAnswers(world, () => fleet),
  });
  watchRules(world, fleet, agent, intentions);
  const stage: Stage = { world, fleet, agent, mode: cell.mode, intentions };
  fleet.start();
  for (const { label, at, act, name, fault } of planned) {
    world.schedule(at, label, () => (fault ? faults[fault]!.happen?.(stage) : acts[act!]!(stage, name!)));
  }
  await world.pass(troubleMs + 1_000);
  fleet.heal();
  let looked = '';
  let wrong: string[] = ['nobody looked'];
  const agree = (): boolean => {
    const now = `${fleet.hub.store.revision} ${fleet.clusters.get(agent)!.store.revision}`;
    if (now !== looked) wrong = differences(fleet, agent, intentions);
    looked = now;
    return wrong.length === 0;
  };
  const reached = (await world.reach(agree, convergenceMs)) && (await settles(world, agree));
  world.check(reached, `no agreement after ${convergenceMs / 60_000} minutes: ${wrong.join('; ')}`);
  await world.reach(() => outstanding(fleet, agent) === 0, 300_000);
  world.check(
    outstanding(fleet, agent) === 0,
    `all is well, and ${outstanding(fleet, agent)} things are still to be told`,
  );
  await world.pass(0);
}

/** That they agree at one moment may be chance: they must come to rest in agreement. */
async function settles(world: World, agree: () => boolean): Promise<boolean> {
  for (let i = 0; i < 20; i++) {
    await world.pass(5_000);
    if (agree()) return true;
    if (!(await world.reach(agree, convergenceMs))) return false;
  }
  return false;
}

/** What waits in the outboxes, but for what is too big ever to be told. */
function outstanding(fleet: Fleet, of: string): number {
  const reports = [fleet.principal!.hub.find(of)?.report(), fleet.agents.get(of)?.workplace.link.report()];
  return reports.reduce(
    (sum, report) => sum + Math.max(0, (report?.pending ?? 0) - (report?.quarantined.length ?? 0)),
    0,
  );
}

export const agentPairs = (settings: Partial<LinkSettings> = {}): Scenario => ({
  name: 'agent-pairs',
  // So that twice as many seeds as there are pairs see all of them.
  half: true,
  run: (world) => play(world, pairs[Math.floor(world.seed / 2) % pairs.length]!, settings),
});

export const agentTriples = (settings: Partial<LinkSettings> = {}): Scenario => ({
  name: 'agent-triples',
  run: (world) => play(world, drawCell(world), settings),
});

/** One cell again and again, each seed with times and accidents of its own. */
export const agentCell = (cell: Cell, settings: Partial<LinkSettings> = {}): Scenario => ({
  name: 'agent-cell',
  run: (world) => play(world, cell, settings),
});
