import { ownerOf } from '@fairlead/engine';
import { noFaults } from '../../fault-profile.ts';
import type { Scenario } from '../../scenario.ts';
import { around } from './forwarding.ts';
import { JobRunner } from './job-runner.ts';
import { commitAnnotation, SyncRules } from './sync-rules.ts';
import { configMaps, SyncSimulation, type Wiring } from './sync-simulation.ts';

const minutes = 60_000;

/** About as many as the scenario has: later numbers wrap around. */
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
 * A short scenario of two commits and a deletion in which the controller crashes right before or right after one of its writes: the seed
 * determines which. The next one takes over, and the result is the same as without a crash: every hook has run exactly once, and every sync
 * is in the history once.
 */
export const syncCrashPoints = (wiring: Wiring = (client) => client): Scenario => ({
  name: 'sync-crash-points',
  async run(sim) {
    const at = (sim.seed >> 1) % points;
    const before = sim.seed % 2 === 0;
    let writes = 0;
    const crash = (what: string): void => {
      sim.trace(`the controller is ${before ? 'about to' : 'done with'}: ${what}`);
      process.crash();
      sync.start();
    };
    const sync: SyncSimulation = new SyncSimulation(sim, noFaults, (client) =>
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
    const runner = new JobRunner(sim, sync);
    runner.calm = true;
    new SyncRules(sim, sync);
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
    const comesTo = async (desired: string): Promise<void> => {
      const isThere = (): boolean =>
        live() === desired && sync.application?.status?.sync?.status === 'Synced' && !sync.application.operation;
      sim.check(await sim.reach(isThere, 15 * minutes), `live is [${live()}] and not [${desired}]`);
      await sim.pass(minutes);
    };
    sync.repository.commit({ a: configMap('a', '1', 0), b: configMap('b', '1', 1), ...hooks('1') });
    sync.createApplication();
    await comesTo('a1 b1');
    sync.repository.commit({ a: configMap('a', '2', 0), c: configMap('c', '2', -1), ...hooks('2') });
    await comesTo('a2 c2');
    sim.check(sync.application?.status?.history?.length === 2, 'each sync is in the history once');
    sync.deleteApplication();
    sim.check(await sim.reach(() => !sync.application, 15 * minutes), 'the Application does not go');
    sim.check(live() === '', `left over: ${live()}`);
    const reported = [...runs].map(([run, times]) => `${run}: ${times}`).sort();
    const expected = ['backup of commit 2: 1', 'farewell of commit 2: 1', ...['migrate', 'smoke'].flatMap(once)];
    sim.check(reported.join() === expected.join(), `hooks ran: ${reported.join(', ')}`);
    await sim.pass(0);
  },
});

const once = (name: string): string[] => ['1', '2'].map((commit) => `${name} of commit ${commit}: 1`);
