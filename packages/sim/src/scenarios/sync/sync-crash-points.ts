import { ownerOf } from '@fairlead/engine';
import { noFaults } from '../../fault-profile.ts';
import type { Scenario } from '../../scenario.ts';
import { around } from './forwarding.ts';
import { JobRunner } from './job-runner.ts';
import { commitAnnotation, SyncRules } from './sync-rules.ts';
import { configMaps, SyncWorld, type Wiring } from './sync-world.ts';

const minutes = 60_000;

/** About as many as the story has: later numbers begin again. */
const points = 70;

const wave = (n: number) => ({ 'argocd.argoproj.io/sync-wave': String(n) });
const configMap = (name: string, commit: string, n: number): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, annotations: wave(n) },
  data: { commit },
});
const hook = (kind: string, name: string, commit: string): object => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: {
    name,
    annotations: {
      'argocd.argoproj.io/hook': kind,
      'argocd.argoproj.io/hook-delete-policy': 'BeforeHookCreation,HookSucceeded',
      [commitAnnotation]: commit,
    },
  },
});

const hooks = (commit: string): Record<string, object> => ({
  migrate: hook('PreSync', 'migrate', commit),
  smoke: hook('PostSync', 'smoke', commit),
  backup: hook('PreDelete', 'backup', commit),
  farewell: hook('PostDelete', 'farewell', commit),
});

/**
 * A short story of two commits and a deletion in which the controller dies right before one of its writes, or right after it was
 * done: the seed says which. The next one takes over, and all comes out as if nothing had happened: every hook has run exactly once,
 * and every sync is in the history once.
 */
export const syncCrashPoints = (wiring: Wiring = (client) => client): Scenario => ({
  name: 'sync-crash-points',
  async run(world) {
    const at = (world.seed >> 1) % points;
    const before = world.seed % 2 === 0;
    let writes = 0;
    const crash = (what: string): void => {
      world.trace(`the controller is ${before ? 'about to' : 'done with'}: ${what}`);
      process.crash();
      sync.start();
    };
    const sync: SyncWorld = new SyncWorld(world, noFaults, (client) =>
      wiring(
        around(client, async (what, send) => {
          const fatal = !/^(get|list) /u.test(what) && writes++ === at;
          if (fatal && before) crash(what);
          const answer = await send();
          if (fatal && !before) crash(what);
          return answer;
        }),
      ),
    );
    const runner = new JobRunner(world, sync);
    runner.calm = true;
    new SyncRules(world, sync);
    const runs = new Map<string, number>();
    sync.server.store.onEvent(({ type, object: { kind, metadata } }) => {
      if (type !== 'ADDED' || kind !== 'Job') return;
      const run = `${metadata.name} of commit ${metadata.annotations?.[commitAnnotation]}`;
      runs.set(run, (runs.get(run) ?? 0) + 1);
    });
    const process = sync.start();
    const live = (): string =>
      sync
        .list(configMaps)
        .filter((object) => ownerOf(object) === 'shop')
        .map(({ metadata, data }) => `${metadata.name}${data?.['commit']}`)
        .join(' ');
    const comesTo = async (wanted: string): Promise<void> => {
      const isThere = (): boolean =>
        live() === wanted && sync.application?.status?.sync?.status === 'Synced' && !sync.application.operation;
      world.check(await world.reach(isThere, 15 * minutes), `live is [${live()}] and not [${wanted}]`);
      await world.pass(minutes);
    };
    sync.repository.commit({ a: configMap('a', '1', 0), b: configMap('b', '1', 1), ...hooks('1') });
    sync.createApplication();
    await comesTo('a1 b1');
    sync.repository.commit({ a: configMap('a', '2', 0), c: configMap('c', '2', -1), ...hooks('2') });
    await comesTo('a2 c2');
    world.check(sync.application?.status?.history?.length === 2, 'each sync is in the history once');
    sync.deleteApplication();
    world.check(await world.reach(() => !sync.application, 15 * minutes), 'the Application does not go');
    world.check(live() === '', `left over: ${live()}`);
    const told = [...runs].map(([run, times]) => `${run}: ${times}`).sort();
    const expected = ['backup of commit 2: 1', 'farewell of commit 2: 1', ...['migrate', 'smoke'].flatMap(once)];
    world.check(told.join() === expected.join(), `hooks ran: ${told.join(', ')}`);
    await world.pass(0);
  },
});

const once = (name: string): string[] => ['1', '2'].map((commit) => `${name} of commit ${commit}: 1`);
