import type { KubeObject } from '@fairlead/apimachinery';
import { ownerOf } from '@fairlead/engine';
import type { ApiClient } from '@fairlead/kube';
import { drawFaults } from '../../fault-profile.ts';
import type { Scenario } from '../../scenario.ts';
import type { World } from '../../world.ts';
import { forwarding } from './forwarding.ts';
import { HookCounts } from './hook-counts.ts';
import { JobRunner, mayFail } from './job-runner.ts';
import { commitAnnotation, SyncRules } from './sync-rules.ts';
import { configMaps, SyncWorld, type Wiring } from './sync-world.ts';

const trackingAnnotation = 'argocd.argoproj.io/tracking-id';
const names = ['a', 'b', 'c', 'd'];
const minutes = 60_000;

/** A commit: some objects in waves, a hook before and a hook after them. */
export function manifests(world: World, commit: string): Record<string, object> {
  const hook = (kind: string, name: string) => ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      ...(world.chance(0.3) ? { generateName: `${name}-` } : { name }),
      annotations: {
        'argocd.argoproj.io/hook': kind,
        'argocd.argoproj.io/hook-delete-policy': world.pick([
          'BeforeHookCreation',
          'BeforeHookCreation,HookSucceeded',
          'BeforeHookCreation,HookFailed',
        ]),
        [commitAnnotation]: commit,
        ...mayFail,
      },
    },
  });
  const wanted = names.filter((name) => name === 'a' || world.chance(0.6));
  const objects = wanted.map((name): [string, object] => [
    name,
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, annotations: { 'argocd.argoproj.io/sync-wave': String(world.between(-1, 1)) } },
      data: { commit },
    },
  ]);
  return {
    ...Object.fromEntries(objects),
    migrate: hook('PreSync', 'migrate'),
    smoke: hook('PostSync', 'smoke'),
  };
}

interface Deed {
  readonly label: string;
  readonly after: number;
  readonly act: () => void;
}

/**
 * Commits, edits and deletions by hand, take-overs, terminations, crashes at any step and lost leadership, through a server that
 * misbehaves. Afterwards live is what the last commit says, its hooks have run, nobody else's objects were touched, and when the
 * Application is deleted, exactly what is its own goes with it.
 */
export const syncConverges = (wiring: Wiring = (client) => client): Scenario => ({
  name: 'sync-converges',
  async run(world) {
    const sync: SyncWorld = new SyncWorld(
      world,
      drawFaults((items) => world.pick(items)),
      (client) => wiring(rivalled(world, client, (name) => rules.as(() => takeOver(sync, name)))),
    );
    const runner = new JobRunner(world, sync);
    const rules: SyncRules = new SyncRules(world, sync);
    const counts = new HookCounts(world, sync, ['migrate', 'smoke']);
    rules.as(() => strangers(sync));
    let commits = 0;
    let wanted: Record<string, object> = {};
    const commit = (): void => {
      commits += 1;
      wanted = manifests(world, String(commits));
      sync.repository.commit(wanted);
    };
    commit();
    sync.createApplication();
    sync.start();
    sync.start();
    for (const { label, after, act } of world.plan(deeds(world, sync, commit, counts))) {
      await world.pass(after);
      world.trace(label);
      rules.as(act);
    }
    await world.pass(world.between(0, 2 * minutes));
    runner.calm = true;
    sync.server.heal();
    commit();
    const settled = await world.reach(
      () => isSettled(sync, wanted, commits) && rules.hasRun(String(commits)),
      60 * minutes,
    );
    world.check(settled, `live is not what the last commit says: ${describe(sync, wanted)}`);
    await world.pass(2 * minutes);
    world.check(isSettled(sync, wanted, commits), `it does not stay as it is: ${describe(sync, wanted)}`);
    sync.deleteApplication();
    const gone = await world.reach(() => sync.application === undefined, 30 * minutes);
    world.check(gone, 'the Application does not go');
    const left = sync.list(configMaps).filter((object) => ownerOf(object) === 'shop');
    world.check(left.length === 0, `left over: ${left.map(({ metadata }) => metadata.name)}`);
    await world.pass(0);
  },
});

/** Objects that are nobody's, one of them a copy of ours with all its annotations. */
function strangers(sync: SyncWorld): void {
  const make = (namespace: string, name: string, annotations: Record<string, string> = {}): void => {
    const metadata = { namespace, name, annotations };
    sync.server.store.create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
  };
  make('web', 'stranger');
  make('other', 'a');
  make('web', 'copy', { [trackingAnnotation]: 'shop:/ConfigMap:web/a' });
  make('web', 'neighbour', { [trackingAnnotation]: 'bakery:/ConfigMap:web/neighbour' });
}

/** Somebody makes an object of the Application their own. */
function takeOver(sync: SyncWorld, name: string): void {
  const found = sync.find(configMaps, name);
  if (!found) return;
  const { [trackingAnnotation]: _, ...annotations } = found.metadata.annotations ?? {};
  sync.server.store.replace(configMaps, { ...found, metadata: { ...found.metadata, annotations } });
}

/** Now and then somebody takes an object over while the request to delete it is on its way. */
function rivalled(world: World, client: ApiClient, takesOver: (name: string) => void): ApiClient {
  return {
    ...forwarding(client),
    delete: (type, key, options) => {
      if (type.kind === 'ConfigMap' && world.chance(0.15)) takesOver(key.name);
      return client.delete(type, key, options);
    },
  };
}

function deeds(world: World, sync: SyncWorld, commit: () => void, counts: HookCounts): Deed[] {
  const { store } = sync.server;
  const ours = (): KubeObject[] => sync.list(configMaps).filter((object) => ownerOf(object) === 'shop');
  const someone = (act: (object: KubeObject) => void) => (): void => {
    const [first] = ours().sort(() => world.random() - 0.5);
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
    ['a sync that is asked for', () => void counts.ask(String(world.random()))],
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
        process?.crashAtStep(world.between(1, 60), () => void sync.start());
      },
    ],
    [
      'a crash at a step',
      () => {
        const process = world.pick(sync.replicas);
        process.crashAtStep(world.between(1, 20), () => void sync.start());
      },
    ],
    ['a clock that is put right', () => world.pick(sync.replicas).jump(world.between(-600_000, 600_000))],
    ['a long pause', () => world.pick(sync.replicas).pause(world.between(5_000, 60_000))],
  ];
  return Array.from({ length: world.between(3, 14) }, (): Deed => {
    const [label, act] = world.pick(all);
    return { label, act, after: world.between(0, 40_000) };
  });
}

function isSettled(sync: SyncWorld, wanted: Record<string, object>, commit: number): boolean {
  const { application } = sync;
  return (
    application?.status?.sync?.status === 'Synced' &&
    application.operation === undefined &&
    JSON.stringify(liveData(sync)) === JSON.stringify(wantedData(wanted, commit))
  );
}

/** What is the Application's, by name. What somebody took over and the source does not want is somebody's. */
const liveData = (sync: SyncWorld): [string, string][] =>
  sync
    .list(configMaps)
    .filter((object) => ownerOf(object) === 'shop')
    .map(({ metadata, data }): [string, string] => [metadata.name, data?.['commit'] ?? ''])
    .sort();

const wantedData = (wanted: Record<string, object>, commit: number): [string, string][] =>
  names.filter((name) => name in wanted).map((name) => [name, String(commit)]);

function describe(sync: SyncWorld, wanted: Record<string, object>): string {
  const { status, operation } = sync.application ?? {};
  const { phase, message } = status?.operationState ?? {};
  return `[${liveData(sync).join(' ')}] and not [${names.filter((name) => name in wanted)}]; ${status?.sync?.status}, ${phase}: ${message}; operation ${operation ? 'pending' : 'none'}; ${JSON.stringify(status?.conditions?.map(({ type, message: words }) => `${type}: ${words}`))}`;
}
