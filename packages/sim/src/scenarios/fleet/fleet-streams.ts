import { type Application, applicationKind } from '@fairlead/api';
import { drawFaults } from '../../fault-profile.ts';
import type { Scenario } from '../../scenario.ts';
import { SimApiServer } from '../../sim-api-server.ts';
import type { Simulation } from '../../simulation.ts';
import { ServerReplica } from './server-replica.ts';
import { StreamClient } from './stream-client.ts';

const names = ['a', 'b', 'c', 'd', 'e', 'f'];

/**
 * Replicas of the API server crash, restart and stop while Applications change, and their watches fail. Clients read slowly, disconnect, and continue on any
 * replica after the last event that they have. In the end every client shows what exists: no change is lost between two streams.
 */
export const fleetStreams = ({ ignoresReload = false } = {}): Scenario => ({
  name: 'fleet-streams',
  async run(sim) {
    const api = new SimApiServer(
      sim,
      drawFaults((items) => sim.pick(items)),
    );
    const events = sim.between(2, 40);
    const all: ServerReplica[] = [];
    const replicas = (): ServerReplica[] => all.filter(({ process }) => !process.crashed);
    const start = (): void => void all.push(new ServerReplica(api, sim.process(`server ${all.length}`), events));
    for (let i = sim.between(1, 2); i > 0; i--) start();
    const clients = Array.from({ length: 3 }, () => new StreamClient(sim, { replicas, ignoresReload }));
    for (let i = sim.between(10, 120); i > 0; i--)
      sim.schedule(sim.between(0, 100_000), 'an Application changes', () => change(sim, api));
    for (let i = sim.between(0, 8); i > 0; i--)
      sim.schedule(sim.between(0, 100_000), 'a fault', () => {
        const replica = sim.pick(replicas());
        const fault = sim.pick(['crash', 'crash', 'stop', 'pause', 'disconnect'] as const);
        if (fault === 'crash') replica.process.crash();
        if (fault === 'stop') {
          replica.stop();
          replica.process.crash();
        }
        if (fault === 'pause') replica.process.pause(sim.between(1_000, 20_000));
        if (fault === 'disconnect') sim.pick(clients).disconnect();
        if (replicas().length < 1 || sim.chance(0.2)) start();
      });
    await sim.pass(110_000);
    api.heal();
    for (const client of clients) client.hurry();
    const truth = (): string =>
      shownOf(
        api.store
          .list<Application>(applicationKind.type)
          .map(({ metadata: { name = '', resourceVersion = '' } }) => [name, resourceVersion]),
      );
    const isShown = (client: StreamClient): boolean => shownOf(client.shown) === truth();
    const isComplete = await sim.reach(() => clients.every(isShown), 900_000);
    sim.check(isComplete, `a client shows ${clients.map(({ shown }) => shownOf(shown)).join(' | ')}, not ${truth()}`);
    // It stays so.
    await sim.pass(60_000);
    sim.check(clients.every(isShown), 'a client shows an older state again');
    await sim.pass(0);
  },
});

const shownOf = (entries: Iterable<readonly [string, string]>): string =>
  [...entries]
    .map(([name, version]) => `${name} ${version}`)
    .sort()
    .join(', ');

function change(sim: Simulation, { store }: SimApiServer): void {
  const key = { namespace: 'argocd', name: sim.pick(names) };
  const application: Application = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: key,
    spec: {
      project: 'default',
      source: { repoURL: 'https://git.example.com/shop', path: '.' },
      destination: { name: 'in-cluster', namespace: 'shop' },
    },
    status: { sync: { status: sim.pick(['Synced', 'OutOfSync']), revision: String(sim.between(0, 1e9)) } },
  };
  if (!store.find(applicationKind.type, key)) return void store.create(applicationKind.type, application);
  if (sim.chance(0.8)) store.replace(applicationKind.type, application);
  else store.delete(applicationKind.type, key);
}
