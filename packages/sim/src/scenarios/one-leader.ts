import { LeaderElector } from '@fairlead/kube';
import { drawFaults } from '../fault-profile.ts';
import type { Scenario } from '../scenario.ts';
import { SimApiServer } from '../sim-api-server.ts';
import type { SimProcess } from '../sim-process.ts';
import type { Simulation } from '../simulation.ts';

const lease = { namespace: 'system', name: 'leader' };

interface Replica {
  readonly process: SimProcess;
  readonly elector: LeaderElector;
}

export type MakeElector = (...args: ConstructorParameters<typeof LeaderElector>) => LeaderElector;

/**
 * Replicas that crash, hang and lose their connection to the server. Two never act as the leader at the same time; once the faults stop,
 * one does.
 */
export const oneLeader = (makeElector: MakeElector = (...args) => new LeaderElector(...args)): Scenario => ({
  name: 'one-leader',
  async run(sim) {
    const server = new SimApiServer(
      sim,
      drawFaults((items) => sim.pick(items)),
    );
    const replicas: Replica[] = [];
    let started = 0;
    const start = () => {
      started += 1;
      replicas.push(startReplica(sim, server, `replica-${started}`, replicas, makeElector));
    };
    for (let i = 0; i < 3; i++) start();
    for (let i = sim.between(0, 12); i > 0; i--) {
      await sim.pass(sim.between(500, 30_000));
      const { process } = sim.pick(replicas);
      if (sim.chance(0.4)) process.pause(sim.between(1_000, 40_000));
      else if (sim.chance(0.5)) {
        process.crash();
        start();
      }
    }
    server.heal();
    await sim.pass(120_000);
    const leaders = replicas.filter(({ process, elector }) => !process.crashed && elector.isLeader);
    sim.check(leaders.length === 1, `${leaders.length} lead after the faults`);
    await sim.pass(0);
  },
});

function startReplica(
  sim: Simulation,
  server: SimApiServer,
  identity: string,
  replicas: readonly Replica[],
  makeElector: MakeElector,
): Replica {
  const process = sim.process(identity);
  const { clock, random } = process;
  const elector = makeElector(server.client(process), { lease, identity, clock, random });
  const act = (signal: AbortSignal) => {
    if (signal.aborted || !elector.isLeader) return;
    sim.trace(`${identity} acts`);
    const others = replicas.filter(
      (other) => other.process !== process && !other.process.crashed && other.elector.isLeader,
    );
    sim.check(others.length === 0, `${identity} acts while ${others[0]?.process.name} leads`);
    clock.after(sim.between(50, 700), () => act(signal));
  };
  const lead = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      act(signal);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  const never = new AbortController().signal;
  const again = async (): Promise<void> => {
    while (!process.crashed) await elector.run(never, lead);
  };
  void again();
  return { process, elector };
}
