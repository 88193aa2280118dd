import { noFaults } from '../../fault-profile.ts';
import type { Scenario } from '../../scenario.ts';
import type { World } from '../../world.ts';
import { around } from './forwarding.ts';
import { HookCounts } from './hook-counts.ts';
import { SyncWorld, type Wiring } from './sync-world.ts';

const minutes = 60_000;

/** Hooks that are over as soon as they are made: so several syncs fit into a second. */
const hook = (world: World, kind: string, name: string): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    ...(world.chance(0.3) ? { generateName: `${name}-` } : { name }),
    annotations: {
      'argocd.argoproj.io/hook': kind,
      'argocd.argoproj.io/hook-delete-policy': world.pick(['BeforeHookCreation', 'BeforeHookCreation,HookSucceeded']),
    },
  },
});

/**
 * Somebody asks for one sync after the other, several within a second, and each time wipes what is told of the last one. The controller
 * may die at any step in between. Every sync runs its hooks.
 */
export const syncRequests = (wiring: Wiring = (client) => client): Scenario => ({
  name: 'sync-requests',
  async run(world) {
    const dies = world.chance(0.5);
    const at = world.between(0, 40);
    let writes = 0;
    const sync: SyncWorld = new SyncWorld(world, noFaults, (client) =>
      wiring(
        around(client, async (what, send) => {
          const answer = await send();
          if (dies && !/^(get|list) /u.test(what) && writes++ === at) {
            world.trace(`the controller dies after: ${what}`);
            process.crash();
            process = sync.start();
          }
          return answer;
        }),
      ),
    );
    const counts = new HookCounts(world, sync, ['note', 'seal']);
    sync.repository.commit({
      a: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { commit: '1' } },
      note: hook(world, 'PreSync', 'note'),
      seal: hook(world, 'PostSync', 'seal'),
    });
    sync.createApplication();
    let process = sync.start();
    const isIdle = (): boolean => sync.application?.operation === undefined && counts.ended > 0;
    world.check(await world.reach(isIdle, 5 * minutes), 'the first sync does not end');
    const wanted = world.between(3, 10);
    for (let asked = 0, tries = 0; asked < wanted; tries++) {
      world.check(tries < 10_000, `only ${asked} of ${wanted} syncs could be asked for`);
      await world.pass(world.between(1, 300));
      if (counts.ask(String(asked + 1))) asked += 1;
    }
    world.check(await world.reach(isIdle, 5 * minutes), 'the last sync does not end');
    // Beside those that were asked for there may be one of the controller's own.
    world.check(counts.ended > wanted, `${counts.ended} syncs ended well, of ${wanted + 1}`);
  },
});
