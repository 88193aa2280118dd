/** The application controller in a separate process: runs the commands it receives over IPC, and reports what they took. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Application, applicationKind } from '@fairlead/api';
import {
  accessOf,
  Discovery,
  EventRecorder,
  HttpClient,
  LeaderElector,
  MetricsRegistry,
  paceCollections,
  parseKubeconfig,
  ShardMember,
  silentLogger,
  systemClock,
  systemRandom,
} from '@fairlead/kube';
import { createManifestCache, createRenderPool } from '@fairlead/render';
import { createSources } from '@fairlead/source';
import {
  AppController,
  createAppMetrics,
  defaultSettings,
  inClusterName,
  inClusterServer,
  openCluster,
} from '../src/index.ts';
import { onlyCluster } from '../test/support/only-cluster.ts';
import { counting, type Requests, readsAndWrites } from './counting-client.ts';

paceCollections();
const [dir = '', kubeconfig = '', mode = ''] = process.argv.slice(2);
const complete = mode === 'complete';
const gitLog = join(dir, 'git.log');
const gitProcesses = (): number => readFileSync(gitLog, 'utf8').length;
const requests: Requests = {};
const connect = async (): Promise<HttpClient> =>
  new HttpClient((await accessOf(parseKubeconfig(readFileSync(kubeconfig, 'utf8'), kubeconfig))).client);
const http = counting(await connect(), requests);
const registry = new MetricsRegistry();
const metrics = createAppMetrics(registry);
const discovery = new Discovery(http);
const discover = async () => {
  discovery.invalidate();
  const { groups } = await discovery.catalogue();
  return groups.flatMap(({ versions }) => versions.flatMap(({ resources }) => resources));
};
const stop = new AbortController();
const shared = { clock: systemClock, random: systemRandom, log: silentLogger };
const cluster = await openCluster(
  {
    name: inClusterName,
    server: inClusterServer,
    client: metrics.counted(http, inClusterServer),
    clientAs: (user) => http.as({ user }),
    discover,
    ...shared,
  },
  stop.signal,
);
const sources = createSources({
  cacheDir: join(dir, 'cache'),
  clock: systemClock,
  environment: process.env,
  pollMs: 3_600_000,
  allowLocal: true,
});
const renders = createRenderPool({ workers: 2 });
const manifests = createManifestCache({ renderer: renders.render });
const settings = { ...defaultSettings, refreshMs: 86_400_000 };
const events = complete
  ? new EventRecorder(http, { controller: 'fairlead.dev/app-controller', instance: 'bench' })
  : undefined;
const elector = new LeaderElector(http, {
  lease: { namespace: 'argocd', name: 'fairlead-bench' },
  identity: String(process.pid),
});
/** Its requests are not counted: they depend on time, and not on work. */
const member =
  mode === 'shard'
    ? new ShardMember(await connect(), {
        lease: { namespace: 'argocd', name: 'fairlead-bench' },
        identity: `shard-${process.pid}`,
      })
    : undefined;
const controller = new AppController({
  client: http,
  ...(member ? { shard: member } : {}),
  ...(events ? { events } : {}),
  clusters: onlyCluster(cluster),
  sources,
  manifests,
  registry,
  metrics,
  settings,
  ...shared,
});

const snapshot = () => ({
  at: performance.now(),
  cpu: process.cpuUsage(),
  loop: performance.eventLoopUtilization(),
  requests: { ...requests },
  renders: manifests.renders,
  git: gitProcesses(),
});

/** Runs until nothing waits any more, and reports the cost. */
async function measured(work: () => void | Promise<void>, settled: () => boolean) {
  const before = snapshot();
  await work();
  while (!(controller.pending === 0 && settled())) await pause(2);
  const after = snapshot();
  const { idle, active } = performance.eventLoopUtilization(after.loop, before.loop);
  return {
    ms: after.at - before.at,
    cpuMs: (after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system) / 1000,
    waitingShare: idle / (idle + active),
    ...readsAndWrites(since(before.requests, after.requests)),
    renders: after.renders - before.renders,
    git: after.git - before.git,
  };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const since = (before: Requests, after: Requests): Requests =>
  Object.fromEntries(Object.entries(after).map(([verb, count]) => [verb, count - (before[verb] ?? 0)]));

const applications = (): Application[] => controller.applications.list();
const isDone = ({ status, operation }: Application): boolean =>
  status?.sync?.status === 'Synced' && operation === undefined;
let running: Promise<unknown> | undefined;
const commands: Record<string, (argument: string) => Promise<unknown>> = {
  /** Joins a group of so many shards, and waits for its share. */
  join: async (members) => {
    void member?.run(stop.signal);
    while (!(member?.isSettled && member.map?.members.length === Number(members))) await pause(20);
    return {};
  },
  /** What it works on, and what of that is compared and synced. */
  share: async () => ({ applications: applications().length, synced: applications().filter(isDone).length }),
  /** First sync of all. */
  start: () =>
    measured(
      () => {
        running = complete ? elector.run(stop.signal, (signal) => controller.run(signal)) : controller.run(stop.signal);
      },
      () => applications().length > 0 && applications().every(isDone),
    ),
  /** All requests of this process so far; pending events are written first. */
  requests: async () => {
    await events?.close();
    return requests;
  },
  refresh: (level) =>
    measured(
      () => {
        for (const { metadata } of applications())
          controller.request(`argocd/${metadata.name}`, Number(level) as 0 | 1 | 2 | 3);
      },
      () => true,
    ),
  /** A commit that affects this Application was made: refreshes the repository as a webhook would, until the Application is synced. */
  follow: async (name) => {
    const key = `argocd/${name}`;
    const before = controller.applications.get(key)!.status!.sync!.revision;
    return measured(
      () => sources.invalidate(controller.applications.get(key)!.spec.source!.repoURL),
      () => {
        const application = controller.applications.get(key)!;
        return isDone(application) && application.status!.sync!.revision !== before;
      },
    );
  },
  memory: async () => {
    for (let i = 0; i < 3; i++) (globalThis as { gc?: () => void }).gc?.();
    return { ...process.memoryUsage(), live: cluster.live.size, manifests: manifests.bytes };
  },
};
process.on('message', async ({ id, command, argument }: { id: number; command: string; argument: string }) => {
  process.send?.({ id, result: await commands[command]!(argument) });
});
process.on('disconnect', async () => {
  stop.abort();
  await running;
  process.exit(0);
});
void http.get(applicationKind.type, { namespace: 'argocd', name: 'app-0' }).then(() => process.send?.({ ready: true }));
