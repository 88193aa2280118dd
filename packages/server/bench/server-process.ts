/** The API server on an embedded cluster with Applications, as a child process: what is measured must not share a process with the clients. */
import { readFileSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type Application, applicationKind, applicationSetKind, appProjectKind, crdOf } from '@fairlead/api';
import { configMapType, crdType, isNotFound, type KubeObject, namespaceType, secretType } from '@fairlead/apimachinery';
import { startEmbeddedCluster } from '@fairlead/control-plane';
import { paceCollections, silentLogger, sleep, systemClock, systemRandom } from '@fairlead/kube';
import { hashSync } from 'bcryptjs';
import { startServer } from '../src/start-server.ts';
import { applicationNumber, namespace } from './fleet.ts';

// As the command `fairlead` does.
paceCollections();
const count = Number(process.argv[2]);
const cluster = await startEmbeddedCluster({ nodes: 0 });
const client = cluster.client('bench');
const create = (type: Parameters<typeof client.create>[0], object: object) => client.create(type, object as KubeObject);
for (const kind of [applicationKind, appProjectKind, applicationSetKind]) await client.create(crdType, crdOf(kind));
await create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
await create(configMapType, {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'argocd-cm', namespace },
  data: { 'accounts.viewer': 'login' },
});
await create(configMapType, {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'argocd-rbac-cm', namespace },
  data: {
    'policy.csv': Array.from({ length: 100 }, (_, i) => `p, role:team-${i}, applications, *, team-${i}/*, allow`)
      .concat(Array.from({ length: 100 }, (_, i) => `g, viewer, role:team-${i}`))
      .join('\n'),
  },
});
const hash = (password: string): string => Buffer.from(hashSync(password, 10)).toString('base64');
await create(secretType, {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'argocd-secret', namespace },
  data: { 'admin.password': hash('admin-password'), 'accounts.viewer.password': hash('viewer-password') },
});
const created = async (i: number): Promise<void> => {
  for (let attempt = 0; ; attempt++) {
    try {
      await create(applicationKind.type, applicationNumber(i));
      return;
    } catch (error) {
      if (!isNotFound(error) || attempt > 100) throw error;
      await sleep(systemClock, 50);
    }
  }
};
for (let i = 0; i < count; i += 50) {
  await Promise.all(Array.from({ length: Math.min(50, count - i) }, (_, j) => created(i + j)));
}
const server = await startServer({
  client,
  namespace,
  clock: systemClock,
  random: systemRandom,
  log: silentLogger,
  host: '127.0.0.1',
  port: 0,
  version: 'bench',
});
const resolutionMs = 10;
const lag = monitorEventLoopDelay({ resolution: resolutionMs });
lag.enable();

/** The most memory since the last reset; Linux counts it. */
const peak = (): number => Number(/VmHWM:\s+(\d+) kB/u.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1_024;

function resetPeak(): number {
  globalThis.gc?.();
  writeFileSync('/proc/self/clear_refs', '5');
  return process.memoryUsage().rss;
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function takeLag(): number {
  const ms = Math.max(0, lag.max / 1e6 - resolutionMs);
  lag.reset();
  return ms;
}

/** Changes one Application after the other: an annotation, or the status as a controller does. */
async function update(ask: 'update' | 'status', perSecond: number, seconds: number): Promise<void> {
  const startedAt = Date.now();
  const pending = new Set<Promise<unknown>>();
  for (let sent = 0; sent < perSecond * seconds; sent++) {
    const due = startedAt + (sent * 1_000) / perSecond;
    // Also if it is late: a burst of changes would keep requests waiting.
    await sleep(systemClock, Math.max(0, due - Date.now()));
    const { metadata } = applicationNumber(sent % count);
    const patch =
      ask === 'update' ? { metadata: { annotations: { 'bench/sent': String(Date.now()) } } } : statusChange(sent);
    const done = client.patch<Application>(applicationKind.type, metadata, 'merge', patch);
    pending.add(done);
    void done.finally(() => pending.delete(done));
  }
  await Promise.all(pending);
}

/** The revision begins with the time of the change. */
const statusChange = (sent: number): object => ({
  status: {
    sync: { status: sent % 3 === 0 ? 'OutOfSync' : 'Synced', revision: String(Date.now()).padEnd(40, '0') },
    health: { status: ['Healthy', 'Progressing', 'Degraded'][sent % 3] },
    reconciledAt: new Date().toISOString(),
  },
});

interface Request {
  readonly ask: 'update' | 'status' | 'memory' | 'peak' | 'lag' | 'cpu';
  readonly perSecond?: number;
  readonly seconds?: number;
}

process.on('message', ({ ask, perSecond = 0, seconds = 0 }: Request) => {
  if (ask === 'update' || ask === 'status')
    void update(ask, perSecond, seconds).then(() => process.send?.({ ask, value: 0 }));
  else process.send?.({ ask, value: { memory: resetPeak, peak, lag: takeLag, cpu: cpuMs }[ask]() });
});
process.on('disconnect', () => process.exit(0));
process.send?.({ ask: 'ready', value: server.port });
