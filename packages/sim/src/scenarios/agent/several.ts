import { kindInfo, type LinkSettings, type MirroredObject } from '@fairlead/agent';
import type { Scenario } from '../../scenario.ts';
import type { SimProcess } from '../../sim-process.ts';
import type { Simulation } from '../../simulation.ts';
import { acts, type Stage } from './acts.ts';
import { drawn, Fleet, hubNamespace } from './fleet.ts';
import { LyingAgent, modesOfLiars } from './lying-agent.ts';
import { convergenceMs } from './matrix.ts';
import { watchOwnership } from './ownership.ts';
import { differences, newIntentions, watchRules } from './rules.ts';

const liar = 'liar';
/** Names with a common prefix: projects of `site` and `site-a` can have the same name on the hub. */
const honest = { site: 'autonomous', 'site-a': 'autonomous', edge: 'managed' } as const;
const troubleMs = 40_000;
const actions = [
  'create',
  'spec edit',
  'metadata edit',
  'non-cascade delete',
  're-create other',
  'wrong-side edit',
  'project',
  'project',
  'sync',
] as const;

/** Objects of the hub itself, with names that could be those of mirrors. */
const hubProjects = ['liar-admin', 'site-a-admin', 'site-admin'];

const project = (name: string, description: string): MirroredObject => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name, namespace: hubNamespace },
  spec: { description, destinations: [{ name: 'nobody', namespace: '*' }], sourceNamespaces: [] },
});

/** `site` has a project whose name on the hub is that of a project of `site-a`. */
function overlap({ sim, fleet }: Stage, name: string): void {
  const { store } = fleet.cluster('site');
  const key = { namespace: hubNamespace, name: `a-project-${name}` };
  const { type } = kindInfo.AppProject;
  if (!store.find(type, key)) store.create(type, project(key.name, `d${sim.between(1, 1_000)}`));
  else if (sim.chance(0.4)) store.delete(type, key);
}

interface Planned {
  readonly label: string;
  readonly at: number;
  readonly run: () => void;
}

function planOf(sim: Simulation, fleet: () => Fleet, stages: readonly Stage[], lie: () => void): Planned[] {
  const planned: Planned[] = [];
  const add = (label: string, run: () => void): void => {
    const at = sim.between(0, troubleMs);
    planned.push({ label: `${at} ms: ${label}`, at, run });
  };
  for (const stage of stages)
    for (let i = sim.between(2, 6); i > 0; i--) {
      const [action, name] = [sim.pick(actions), sim.pick(['a', 'b'])];
      add(`${stage.agent}: ${action} ${name}`, () => acts[action]?.(stage, name));
    }
  for (let i = sim.between(1, 4); i > 0; i--) {
    const name = sim.pick(['a', 'b']);
    add(`site: overlap ${name}`, () => overlap(stages[0] as Stage, name));
  }
  for (let i = sim.between(5, 40); i > 0; i--) add('a lie', lie);
  const faults: readonly (readonly [string, () => void])[] = [
    ['a principal crashes', () => crashOne(sim, fleet())],
    ['an agent crashes', () => fleet().crashAgent(sim.pick(Object.keys(honest)))],
    ['an agent loses power', () => fleet().losePower(sim.pick(Object.keys(honest)))],
    ['all connections are cut', () => fleet().network.cutAll()],
    ['an agent reads slowly', () => slowDown(sim, fleet(), fleet().agent(sim.pick(Object.keys(honest))).process)],
    ['a principal reads slowly', () => slowDown(sim, fleet(), fleet().runningPrincipal.process)],
    [
      'messages are lost, doubled and late',
      () => {
        fleet().network.faults = { drop: 0.2, duplicate: 0.2, delay: 0, reorder: 0.3, cut: 0.02 };
      },
    ],
  ];
  for (let i = sim.between(0, 4); i > 0; i--) add(...(sim.pick(faults) as [string, () => void]));
  return planned.sort((a, b) => a.at - b.at);
}

/** Until the end of the faults. At the upper bound a resync takes longer than the liveness timeout of the peer. */
function slowDown(sim: Simulation, fleet: Fleet, process: SimProcess): void {
  fleet.network.slowDown(process, sim.pick([50, 500, 5_000]));
}

function crashOne(sim: Simulation, fleet: Fleet): void {
  const [other] = fleet.otherPrincipals;
  if (other && sim.chance(0.5)) {
    if (!other.process.crashed) other.process.crash();
    fleet.network.cutOf(other.process);
  } else fleet.crashPrincipal();
  sim.schedule(sim.between(500, 15_000), 'the principal is started again', () => {
    fleet.startPrincipal();
    fleet.startOtherPrincipals();
  });
}

/**
 * One hub with two principals, two autonomous agents whose names overlap, a managed one, and one that lies. Processes crash, lose power and
 * read slowly. The honest agents agree with the hub in the end, each operation runs at most once, and no agent changes objects of another.
 */
export const severalAgents = (settings: Partial<LinkSettings> = {}): Scenario => ({
  name: 'several-agents',
  async run(sim) {
    const isFaulty = sim.chance(0.5);
    const fleet: Fleet = new Fleet(sim, {
      agents: { ...honest, [liar]: sim.pick(modesOfLiars) },
      principals: 2,
      ...(isFaulty ? { hubFaults: drawn(sim), clusterFaults: drawn(sim) } : {}),
      settings,
    });
    const stages = Object.entries(honest).map(
      ([agent, mode]): Stage => ({ sim, fleet, agent, mode, intentions: newIntentions() }),
    );
    const hubOwn = new Map<string, string>();
    for (const name of hubProjects) {
      const made = fleet.hub.store.create(kindInfo.AppProject.type, project(name, 'of the hub')) as MirroredObject;
      hubOwn.set(name, JSON.stringify(made.spec));
    }
    for (const { agent, intentions } of stages) watchRules(sim, fleet, agent, intentions);
    watchOwnership(sim, fleet, liar, hubOwn);
    const lying = new LyingAgent(sim, fleet, liar);
    const planned = sim.plan(
      planOf(
        sim,
        () => fleet,
        stages,
        () => lying.lie(),
      ),
    );
    fleet.start();
    fleet.crashAgent(liar);
    for (const { label, at, run } of planned) sim.schedule(at, label, run);
    await sim.pass(troubleMs + 1_000);
    fleet.heal();
    fleet.crashAgent(liar);
    const wrong = (): string[] => stages.flatMap(({ agent, intentions }) => differences(fleet, agent, intentions));
    const isAgreed = await sim.reach(() => wrong().length === 0, convergenceMs);
    sim.check(isAgreed, `no agreement after ${convergenceMs / 60_000} minutes: ${wrong().join('; ')}`);
    await sim.pass(0);
  },
});
