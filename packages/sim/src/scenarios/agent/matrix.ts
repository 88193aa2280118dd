import type { LinkSettings, Mapping, Mode } from '@fairlead/agent';
import { apiError } from '@fairlead/apimachinery';
import { type FaultProfile, noFaults } from '../../fault-profile.ts';
import type { Scenario } from '../../scenario.ts';
import type { Simulation } from '../../simulation.ts';
import { actNames, acts, type Stage } from './acts.ts';
import { faultNames, faults } from './faults.ts';
import { Fleet } from './fleet.ts';
import { isKept, nameOfSubject, subjectsIn } from './kept-subjects.ts';
import { differences, newIntentions, poison, unexplained, watchAnswers, watchRules } from './rules.ts';

const agent = 'edge';
/** Faults happen within the first period; both sides must agree within the second. */
const troubleMs = 40_000;
export const convergenceMs = 600_000;

/** The source of truth, and how an Application of the hub refers to its agent. */
const varieties = {
  managed: { mode: 'managed', mapping: 'namespace' },
  autonomous: { mode: 'autonomous', mapping: 'namespace' },
  'managed by destination': { mode: 'managed', mapping: 'destination' },
} as const satisfies Record<string, { readonly mode: Mode; readonly mapping: Mapping }>;
export type Variety = keyof typeof varieties;

export interface Cell {
  readonly mode: Variety;
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

/** The space of schedules. */
export interface Vocabulary {
  readonly modes: readonly Variety[];
  readonly acts: readonly string[];
  readonly faults: readonly string[];
}

export const vocabulary: Vocabulary = {
  modes: ['managed', 'autonomous', 'managed by destination'],
  acts: actNames,
  faults: faultNames,
};

/** Every action with every fault. */
const actsAndFaults = (mode: Variety, { acts, faults }: Vocabulary): Cell[] =>
  acts.flatMap((act) => faults.map((fault) => ({ mode, acts: [act], faults: [fault] })));

/** Every action with every fault, every action with every action, every fault with every fault. */
const everything = (mode: Variety, words: Vocabulary): Cell[] => [
  ...actsAndFaults(mode, words),
  ...words.acts.flatMap((first) => words.acts.map((second) => ({ mode, acts: [first, second], faults: [] }))),
  ...words.faults.flatMap((first, index) =>
    words.faults.slice(index + 1).map((second) => ({ mode, acts: [], faults: [first, second] })),
  ),
];

export const pairsOf = (words: Vocabulary): Cell[] =>
  words.modes.flatMap((mode) =>
    // The mapping of Applications to agents matters for actions, but not for combinations of faults.
    mode === 'managed by destination' ? actsAndFaults(mode, words) : everything(mode, words),
  );

export const pairs: readonly Cell[] = pairsOf(vocabulary);

const drawCell = (sim: Simulation, { modes, acts: known, faults: wrong }: Vocabulary): Cell => ({
  mode: sim.pick(modes),
  acts: Array.from({ length: sim.between(2, 5) }, () => sim.pick(known)),
  faults: Array.from({ length: sim.between(1, 3) }, () => sim.pick(wrong)),
});

/** The actions of the cell, with some others so that objects exist, and its faults, each at a different time. */
function planOf(sim: Simulation, cell: Cell, words: Vocabulary): Planned[] {
  const names = ['a', 'b', 'c'];
  const focus = sim.pick(names);
  const act = (which: string, at: number, name: string): Planned => ({
    label: `${at} ms: ${which} ${name}`,
    at,
    act: which,
    name,
  });
  const before = names.filter(() => sim.chance(0.7)).map((name) => act('create', sim.between(0, 3_000), name));
  const others = Array.from({ length: sim.between(0, 3) }, () =>
    act(sim.pick(words.acts), sim.between(0, troubleMs), sim.pick(names)),
  );
  const own = cell.acts.map((which) => act(which, sim.between(4_000, troubleMs), focus));
  const wrong = cell.faults.map((fault): Planned => {
    const at = sim.between(0, troubleMs);
    return { label: `${at} ms: fault ${fault}`, at, fault };
  });
  return [...before, ...own, ...others, ...wrong].sort((a, b) => a.at - b.at);
}

const profile = (planned: readonly Planned[], side: 'hub' | 'cluster'): FaultProfile =>
  Object.assign({}, noFaults, ...planned.map(({ fault }) => (fault ? faults[fault]![side] : undefined)));

function limitOf(planned: readonly Planned[]): Partial<LinkSettings> {
  const limit = planned.map(({ fault }) => fault && faults[fault]!.outbox).find((room) => room);
  return limit ? { outbox: { limit } } : {};
}

async function play(sim: Simulation, cell: Cell, settings: Partial<LinkSettings>, words = vocabulary): Promise<void> {
  const { mode, mapping } = varieties[cell.mode];
  const planned = sim.plan(planOf(sim, cell, words));
  sim.trace(`${cell.mode}: ${[...cell.acts, ...cell.faults].join(', ')}`);
  const intentions = newIntentions();
  const fleet: Fleet = new Fleet(sim, {
    agents: { [agent]: mode },
    mapping,
    hubFaults: profile(planned, 'hub'),
    clusterFaults: profile(planned, 'cluster'),
    settings: { ...limitOf(planned), ...settings },
    onSend: watchAnswers(sim, () => fleet),
  });
  watchRules(sim, fleet, agent, intentions);
  const mirrors = mode === 'managed' ? fleet.cluster(agent) : fleet.hub;
  mirrors.refuse((_, { metadata }) =>
    metadata.name === poison ? apiError(422, 'Invalid', 'nobody wants this') : undefined,
  );
  const stage: Stage = { sim, fleet, agent, mode, intentions };
  fleet.start();
  for (const { label, at, act, name, fault } of planned) {
    sim.schedule(at, label, () => (fault ? faults[fault]!.happen?.(stage) : acts[act!]!(stage, name!)));
  }
  await sim.pass(troubleMs + 1_000);
  fleet.heal();
  let checked = '';
  let wrong: string[] = ['nobody checked'];
  const agree = (): boolean => {
    const now = `${fleet.hub.store.revision} ${fleet.cluster(agent).store.revision}`;
    if (now !== checked) wrong = differences(fleet, agent, intentions);
    checked = now;
    return wrong.length === 0;
  };
  const reached = (await sim.reach(agree, convergenceMs)) && (await settles(sim, agree));
  sim.check(reached, `no agreement after ${convergenceMs / 60_000} minutes: ${wrong.join('; ')}`);
  await sim.reach(() => unexplained(fleet, agent).length === 0, 300_000);
  sim.check(
    unexplained(fleet, agent).length === 0,
    `no reason is reported for ${unexplained(fleet, agent).join(', ')}`,
  );
  await sim.reach(() => outstanding(fleet, agent) === 0, 300_000);
  sim.check(
    outstanding(fleet, agent) === 0,
    `faults have ended, and ${outstanding(fleet, agent)} events are still pending`,
  );
  // A process may still be down: some faults last longer.
  await sim.reach(() => misfiled(fleet, agent) === undefined, 120_000);
  sim.check(misfiled(fleet, agent) === undefined, `the files of the outboxes are wrong: ${misfiled(fleet, agent)}`);
  await sim.pass(0);
}

/** The first subject that is in a file and not in its outbox, or vice versa. */
function misfiled(fleet: Fleet, of: string): string | undefined {
  const links = { principal: fleet.runningPrincipal.hub.find(of), agent: fleet.agents.get(of)?.runtime.link };
  for (const role of ['principal', 'agent'] as const) {
    const filed = subjectsIn(fleet.files[role].text);
    const pending = new Set([...(links[role]?.pending ?? [])].filter(isKept).map(nameOfSubject));
    const wrong = [...filed.symmetricDifference(pending)][0];
    if (wrong !== undefined) return `${wrong} of the ${role}`;
  }
  return undefined;
}

/** Agreement at one time may be a coincidence: it must be stable. */
async function settles(sim: Simulation, agree: () => boolean): Promise<boolean> {
  for (let i = 0; i < 20; i++) {
    await sim.pass(5_000);
    if (agree()) return true;
    if (!(await sim.reach(agree, convergenceMs))) return false;
  }
  return false;
}

/** Pending messages of the outboxes, except those that are too large to send. */
function outstanding(fleet: Fleet, of: string): number {
  const reports = [fleet.runningPrincipal.hub.find(of)?.report(), fleet.agents.get(of)?.runtime.link.report()];
  return reports.reduce(
    (sum, report) => sum + Math.max(0, (report?.pending ?? 0) - (report?.quarantined.length ?? 0)),
    0,
  );
}

/** Iterates over all pairs, one per seed. */
export const agentPairs = (settings: Partial<LinkSettings> = {}): Scenario => ({
  name: 'agent-pairs',
  run: (sim) => play(sim, pairs[sim.seed % pairs.length]!, settings),
});

export const agentTriples = (settings: Partial<LinkSettings> = {}, words = vocabulary): Scenario => ({
  name: 'agent-triples',
  run: (sim) => play(sim, drawCell(sim, words), settings, words),
});

/** One cell repeatedly, each seed with different times and faults. */
export const agentCell = (cell: Cell, settings: Partial<LinkSettings> = {}, words = vocabulary): Scenario => ({
  name: 'agent-cell',
  run: (sim) => play(sim, cell, settings, words),
});
