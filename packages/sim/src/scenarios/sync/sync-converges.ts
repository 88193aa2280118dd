import type { KubeObject } from '@fairlead/apimachinery';
import { ownerOf } from '@fairlead/engine';
import type { ApiClient } from '@fairlead/kube';
import { drawFaults } from '../../fault-profile.ts';
import type { Scenario } from '../../scenario.ts';
import type { Simulation } from '../../simulation.ts';
import { forwarding } from './forwarding.ts';
import { HookCounts } from './hook-counts.ts';
import { JobRunner, mayFail } from './job-runner.ts';
import { commitAnnotation, SyncRules } from './sync-rules.ts';
import { configMaps, SyncSimulation, type Wiring } from './sync-simulation.ts';

const trackingAnnotation = 'argocd.argoproj.io/tracking-id';
const names = ['a', 'b', 'c', 'd'];
const minutes = 60_000;

/** A commit: some objects in waves, with a hook before and a hook after them. */
export function manifests(sim: Simulation, commit: string): Record<string, object> {
  const hook = (kind: string, name: string) => ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      ...(sim.chance(0.3) ? { generateName: `${name}-` } : { name }),
      annotations: {
        'argocd.argoproj.io/hook': kind,
        'argocd.argoproj.io/hook-delete-policy': sim.pick([
          'BeforeHookCreation',
          'BeforeHookCreation,HookSucceeded',
          'BeforeHookCreation,HookFailed',
        ]),
        [commitAnnotation]: commit,
        ...mayFail,
      },
    },
  });
  const desired = names.filter((name) => name === 'a' || sim.chance(0.6));
  const objects = desired.map((name): [string, object] => [
    name,
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, annotations: { 'argocd.argoproj.io/sync-wave': String(sim.between(-1, 1)) } },
      data: { commit },
    },
  ]);
  return {
    ...Object.fromEntries(objects),
    migrate: hook('PreSync', 'migrate'),
    smoke: hook('PostSync', 'smoke'),
  };
}

interface Action {
  readonly label: string;
  readonly after: number;
  readonly act: () => void;
}

/**
 * Commits, manual edits and deletions, changes of owner, terminations, crashes at any step and lost leadership, through a faulty server.
 * Afterwards the live state equals the last commit, its hooks have run, no other objects were changed, and deleting the Application deletes
 * exactly its own objects.
 */
export const syncConverges = (wiring: Wiring = (client) => client): Scenario => ({
  name: 'sync-converges',
  async run(sim) {
    const sync: SyncSimulation = new SyncSimulation(
      sim,
      drawFaults((items) => sim.pick(items)),
      (client) => wiring(rivalled(sim, client, (name) => rules.as(() => takeOver(sync, name)))),
    );
    const runner = new JobRunner(sim, sync);
    const rules: SyncRules = new SyncRules(sim, sync);
    const counts = new HookCounts(sim, sync, ['migrate', 'smoke']);
    rules.as(() => strangers(sync));
    let commits = 0;
    let desired: Record<string, object> = {};
    const commit = (): void => {
      commits += 1;
      desired = manifests(sim, String(commits));
      sync.repository.commit(desired);
    };
    commit();
    sync.createApplication();
    sync.start();
    sync.start();
    for (const { label, after, act } of sim.plan(actions(sim, sync, commit, counts))) {
      await sim.pass(after);
      sim.trace(label);
      rules.as(act);
    }
    await sim.pass(sim.between(0, 2 * minutes));
    runner.calm = true;
    sync.server.heal();
    commit();
    const settled = await sim.reach(
      () => isSettled(sync, desired, commits) && rules.hasRun(String(commits)),
      60 * minutes,
    );
    sim.check(settled, `live is not what the last commit says: ${describe(sync, desired)}`);
    await sim.pass(2 * minutes);
    sim.check(isSettled(sync, desired, commits), `it does not stay as it is: ${describe(sync, desired)}`);
    sync.deleteApplication();
    const gone = await sim.reach(() => sync.application === undefined, 30 * minutes);
    sim.check(gone, 'the Application does not go');
    const left = sync.list(configMaps).filter((object) => ownerOf(object) === 'shop');
    sim.check(left.length === 0, `left over: ${left.map(({ metadata }) => metadata.name)}`);
    await sim.pass(0);
  },
});

/** Objects without an Application, one of them a copy of ours with all its annotations. */
function strangers(sync: SyncSimulation): void {
  const make = (namespace: string, name: string, annotations: Record<string, string> = {}): void => {
    const metadata = { namespace, name, annotations };
    sync.server.store.create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
  };
  make('web', 'stranger');
  make('other', 'a');
  make('web', 'copy', { [trackingAnnotation]: 'shop:/ConfigMap:web/a' });
  make('web', 'neighbour', { [trackingAnnotation]: 'bakery:/ConfigMap:web/neighbour' });
}

/** Another owner takes over an object of the Application. */
function takeOver(sync: SyncSimulation, name: string): void {
  const found = sync.find(configMaps, name);
  if (!found) return;
  const { [trackingAnnotation]: _, ...annotations } = found.metadata.annotations ?? {};
  sync.server.store.replace(configMaps, { ...found, metadata: { ...found.metadata, annotations } });
}

/** Sometimes another owner takes over an object while the request to delete it is in transit. */
function rivalled(sim: Simulation, client: ApiClient, takesOver: (name: string) => void): ApiClient {
  return {
    ...forwarding(client),
    delete: (type, key, options) => {
      if (type.kind === 'ConfigMap' && sim.chance(0.15)) takesOver(key.name);
      return client.delete(type, key, options);
    },
  };
}

function actions(sim: Simulation, sync: SyncSimulation, commit: () => void, counts: HookCounts): Action[] {
  const { store } = sync.server;
  const ours = (): KubeObject[] => sync.list(configMaps).filter((object) => ownerOf(object) === 'shop');
  const someone = (act: (object: KubeObject) => void) => (): void => {
    const [first] = ours().sort(() => sim.random() - 0.5);
    if (first) act(first);
  };
  const all: [label: string, act: () => void][] = [
    ['a commit', commit],
    ['a commit', commit],
    [
      'an edit by hand',
      someone((one) => store.replace(configMaps, { ...one, data: { commit: 'by hand' } } as KubeObject)),
    ],
    ['a deletion by hand', someone(({ metadata }) => store.delete(configMaps, metadata))],
    ['a take-over', someone(({ metadata }) => takeOver(sync, metadata.name))],
    ['a requested sync', () => void counts.ask(String(sim.random()))],
    [
      'a termination',
      () =>
        sync.changeApplication((app) =>
          app.status?.operationState?.phase === 'Running'
            ? {
                ...app,
                status: { ...app.status, operationState: { ...app.status.operationState, phase: 'Terminating' } },
              }
            : app,
        ),
    ],
    [
      'a crash at a step',
      () => {
        const [process] = sync.replicas;
        process?.crashAtStep(sim.between(1, 60), () => void sync.start());
      },
    ],
    [
      'a crash at a step',
      () => {
        const process = sim.pick(sync.replicas);
        process.crashAtStep(sim.between(1, 20), () => void sync.start());
      },
    ],
    ['a clock that is corrected', () => sim.pick(sync.replicas).jump(sim.between(-600_000, 600_000))],
    ['a long pause', () => sim.pick(sync.replicas).pause(sim.between(5_000, 60_000))],
  ];
  return Array.from({ length: sim.between(3, 14) }, (): Action => {
    const [label, act] = sim.pick(all);
    return { label, act, after: sim.between(0, 40_000) };
  });
}

function isSettled(sync: SyncSimulation, desired: Record<string, object>, commit: number): boolean {
  const { application } = sync;
  return (
    application?.status?.sync?.status === 'Synced' &&
    application.operation === undefined &&
    JSON.stringify(liveData(sync)) === JSON.stringify(desiredData(desired, commit))
  );
}

/** The objects of the Application, by name. An object that was taken over and is not in the source belongs to its new owner. */
const liveData = (sync: SyncSimulation): [string, string][] =>
  sync
    .list(configMaps)
    .filter((object) => ownerOf(object) === 'shop')
    .map(({ metadata, data }): [string, string] => [metadata.name, data?.['commit'] ?? ''])
    .sort();

const desiredData = (desired: Record<string, object>, commit: number): [string, string][] =>
  names.filter((name) => name in desired).map((name) => [name, String(commit)]);

function describe(sync: SyncSimulation, desired: Record<string, object>): string {
  const { status, operation } = sync.application ?? {};
  const { phase, message } = status?.operationState ?? {};
  return `[${liveData(sync).join(' ')}] and not [${names.filter((name) => name in desired)}]; ${status?.sync?.status}, ${phase}: ${message}; operation ${operation ? 'pending' : 'none'}; ${JSON.stringify(status?.conditions?.map(({ type, message: words }) => `${type}: ${words}`))}`;
}
