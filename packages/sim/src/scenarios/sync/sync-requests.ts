import { noFaults } from '../../fault-profile.ts';
import type { Scenario } from '../../scenario.ts';
import type { Simulation } from '../../simulation.ts';
import { around } from './forwarding.ts';
import { HookCounts } from './hook-counts.ts';
import { SyncSimulation, type Wiring } from './sync-simulation.ts';

const minutes = 60_000;

/** Hooks that end as soon as they are created: so several syncs fit into a second. */
const hook = (sim: Simulation, kind: string, name: string): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    ...(sim.chance(0.3) ? { generateName: `${name}-` } : { name }),
    annotations: {
      'argocd.argoproj.io/hook': kind,
      'argocd.argoproj.io/hook-delete-policy': sim.pick(['BeforeHookCreation', 'BeforeHookCreation,HookSucceeded']),
    },
  },
});

/**
 * Several syncs are requested one after the other, some within a second, each time removing the state of the last one. The controller may
 * crash at any step in between. Every sync runs its hooks.
 */
export const syncRequests = (wiring: Wiring = (client) => client): Scenario => ({
  name: 'sync-requests',
  async run(sim) {
    const dies = sim.chance(0.5);
    const at = sim.between(0, 40);
    let writes = 0;
    const sync: SyncSimulation = new SyncSimulation(sim, noFaults, (client) =>
      wiring(
        around(client, async (what, send) => {
          const answer = await send();
          if (dies && !/^(get|list) /u.test(what) && writes++ === at) {
            sim.trace(`the controller dies after: ${what}`);
            process.crash();
            process = sync.start();
          }
          return answer;
        }),
      ),
    );
    const counts = new HookCounts(sim, sync, ['note', 'seal']);
    sync.repository.commit({
      a: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { commit: '1' } },
      note: hook(sim, 'PreSync', 'note'),
      seal: hook(sim, 'PostSync', 'seal'),
    });
    sync.createApplication();
    let process = sync.start();
    const isIdle = (): boolean => sync.application?.operation === undefined && counts.ended > 0;
    sim.check(await sim.reach(isIdle, 5 * minutes), 'the first sync does not end');
    const desired = sim.between(3, 10);
    for (let asked = 0, tries = 0; asked < desired; tries++) {
      sim.check(tries < 10_000, `only ${asked} of ${desired} syncs could be requested`);
      await sim.pass(sim.between(1, 300));
      if (counts.ask(String(asked + 1))) asked += 1;
    }
    sim.check(await sim.reach(isIdle, 5 * minutes), 'the last sync does not end');
    // The controller may have started another one itself.
    sim.check(counts.ended > desired, `${counts.ended} syncs succeeded, of ${desired + 1}`);
  },
});
