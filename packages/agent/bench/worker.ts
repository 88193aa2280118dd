/** One side of the benchmark in a separate process: `hub` (API server and principal) or `edge` (API server and agents). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Agent, agentKind } from '@fairlead/api';
import { paceCollections, silentLogger, systemClock, systemRandom } from '@fairlead/kube';
import {
  ClusterAgent,
  clusterId,
  decodeInvitation,
  encodeInvitation,
  invite,
  join,
  journalsIn,
  Principal,
  withCapabilities,
} from '../src/index.ts';
import { application, appType, makeNamespace, startCluster } from '../test/support/clusters.ts';

paceCollections();
const cluster = await startCluster();
const { client } = cluster;
const folder = mkdtempSync(path.join(tmpdir(), 'fairlead-bench-agent-'));
const shared = {
  clock: systemClock,
  random: systemRandom,
  log: silentLogger,
  version: withCapabilities('0.1.0'),
  link: { journal: journalsIn(folder) },
};
let stop = new AbortController();
let principal: Principal | undefined;
const agents = new Map<string, ClusterAgent>();
const identities = new Map<string, Awaited<ReturnType<typeof join>>>();
let port = 0;

/** As many concurrent requests as a client would send. */
async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      while (next < items.length) await work(items[next++]!);
    }),
  );
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

const commands: Record<string, (args: Record<string, unknown>) => Promise<unknown>> = {
  async principal() {
    stop = new AbortController();
    principal = await Principal.start(
      { ...shared, namespace: 'argocd', client, host: '127.0.0.1', port, names: ['127.0.0.1'] },
      stop.signal,
    );
    port = principal.port;
    return principal.address;
  },
  async stopPrincipal() {
    stop.abort();
    await principal?.close();
  },
  async invite({ agent }) {
    return encodeInvitation(await invite(client, 'argocd', { agent: String(agent), mode: 'managed' }));
  },
  async create({ agent, count, revision }) {
    await makeNamespace(client, String(agent));
    await inParallel(numbers(Number(count)), (i) =>
      client.create(appType, application(String(agent), `app-${i}`, String(revision))),
    );
  },
  async edit({ agent, count, revision }) {
    await inParallel(numbers(Number(count)), (i) =>
      client.patch(appType, { namespace: String(agent), name: `app-${i}` }, 'merge', {
        spec: { source: { targetRevision: revision } },
      }),
    );
  },
  async join({ token, agent }) {
    identities.set(String(agent), await join(decodeInvitation(String(token)), `${await clusterId(client)}-${agent}`));
  },
  async agent({ agent, namespace }) {
    const name = String(agent);
    if (agents.size === 0) stop = new AbortController();
    await makeNamespace(client, String(namespace));
    const identity = identities.get(name)!;
    const running = new ClusterAgent({
      ...shared,
      namespace: String(namespace),
      client,
      identity,
      cluster: `${await clusterId(client)}-${name}`,
    });
    agents.set(name, running);
    void running.run(stop.signal);
  },
  async stopAgents() {
    stop.abort();
    agents.clear();
    await new Promise((resolve) => setTimeout(resolve, 50));
  },
  /** Waits until this many mirrors are at the revision; returns the elapsed time. */
  async mirrored({ namespace, count, revision }) {
    const began = performance.now();
    for (;;) {
      const checkedAt = performance.now();
      const { items } = await client.list(appType, { namespace: String(namespace) });
      const there = items.filter(
        (item) =>
          (item as { spec?: { source?: { targetRevision?: string } } }).spec?.source?.targetRevision === revision,
      );
      if (there.length >= Number(count)) return performance.now() - began;
      // Polling takes CPU time of the measured process.
      await new Promise((resolve) => setTimeout(resolve, Math.max(20, 8 * (performance.now() - checkedAt))));
    }
  },
  async connected({ count }) {
    while ([...agents.values()].filter(({ reason }) => reason === undefined).length < Number(count)) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  },
  async compared({ since }) {
    for (;;) {
      const [agent] = agents.values();
      const { comparedAt = 0, pending } = agent!.report();
      if (comparedAt > Number(since) && pending === 0) return comparedAt;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  },
  /** Breaks the stream, and measures the traffic of the next one until both sides are known to be equal. */
  async reconnect() {
    const [agent] = agents.values();
    const before = agent!.comparedAt ?? 0;
    const opened = agent!.traffic.openedAt;
    await new Promise((resolve) => setTimeout(resolve, 20));
    agent!.breakStream();
    while (agent!.traffic.openedAt === opened || (agent!.comparedAt ?? 0) <= before)
      await new Promise((resolve) => setTimeout(resolve, 1));
    return { bytes: agent!.traffic.bytes, ms: performance.now() - agent!.traffic.openedAt };
  },
  async up({ count }) {
    for (;;) {
      const { items } = await client.list<Agent>(agentKind.type, { namespace: 'argocd' });
      if (items.filter(({ status }) => status?.transport === 'Up').length >= Number(count)) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  },
  /** CPU time so far, in ms. */
  async cpu() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
  async memory() {
    globalThis.gc?.();
    return process.memoryUsage().rss;
  },
};

process.on('message', ({ id, command, args }: { id: number; command: string; args: Record<string, unknown> }) => {
  commands[command]!(args).then(
    (result) => process.send!({ id, result }),
    (error: Error) => process.send!({ id, error: error.stack }),
  );
});
process.on('disconnect', () => {
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
});
process.send!({ id: 0 });
