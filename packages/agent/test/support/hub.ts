import assert from 'node:assert/strict';
import { type Agent, agentKind } from '@fairlead/api';
import { silentLogger, systemClock, systemRandom } from '@fairlead/kube';
import type { Mode } from '../../src/core/kinds.ts';
import {
  type AgentIdentity,
  ClusterAgent,
  clusterId,
  invite,
  join,
  type LinkSettings,
  Principal,
  withCapabilities,
} from '../../src/index.ts';
import { application, appType, find, makeNamespace, startCluster, type TestCluster, until } from './clusters.ts';

const shared = {
  clock: systemClock,
  random: systemRandom,
  log: silentLogger,
  version: withCapabilities('0.1.0'),
  namespace: 'argocd',
};

export interface TestHub {
  readonly cluster: TestCluster;
  readonly principal: Principal;
  readonly version: string;
  /** Invites an agent and joins, without running it. */
  invited(agent: string, mode?: Mode, of?: TestCluster): Promise<AgentIdentity>;
  /** An agent with its own cluster. */
  startAgent(agent: string, mode: Mode): Promise<TestAgent>;
  statusOf(agent: string): Promise<NonNullable<Agent['status']>>;
  close(): Promise<void>;
}

export interface TestAgent {
  readonly cluster: TestCluster;
  readonly agent: ClusterAgent;
}

/** A hub with its principal on loopback, all in this process. */
export async function startHub(link: Partial<LinkSettings> = {}): Promise<TestHub> {
  const stop = new AbortController();
  const cluster = await startCluster();
  const principal = await Principal.start(
    { ...shared, client: cluster.client, host: '127.0.0.1', port: 0, names: ['127.0.0.1'], link },
    stop.signal,
  );
  const clusters: TestCluster[] = [cluster];
  const invited = async (agent: string, mode: Mode = 'managed', of?: TestCluster): Promise<AgentIdentity> =>
    join(
      await invite(cluster.client, 'argocd', { agent, mode }),
      of ? await clusterId(of.client) : `cluster-of-${agent}`,
    );
  return {
    cluster,
    principal,
    version: shared.version,
    invited,
    async startAgent(name, mode) {
      const own = await startCluster();
      clusters.push(own);
      const identity = await invited(name, mode, own);
      const read = async (path: string) => ({ status: 200, text: `${name} ${path}` });
      const id = await clusterId(own.client);
      const agent = new ClusterAgent({ ...shared, client: own.client, identity, cluster: id, read, link });
      void agent.run(stop.signal);
      await until(() => agent.reason === undefined, 15_000, `agent ${name} connects`);
      return { cluster: own, agent };
    },
    statusOf: async (name) =>
      (await cluster.client.get<Agent>(agentKind.type, { namespace: 'argocd', name })).status ?? {},
    async close() {
      stop.abort();
      await principal.close();
      await Promise.all(clusters.map((one) => one.close()));
    },
  };
}

/** How long Applications of a managed agent take from the hub to its cluster: the median, in ms. */
export async function deliveryMs(
  hub: TestHub,
  agent: string,
  { cluster }: TestAgent,
  round: string,
  count = 15,
): Promise<number> {
  await makeNamespace(hub.cluster.client, agent);
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const name = `${round}-${i}`;
    const began = performance.now();
    await hub.cluster.client.create(appType, application(agent, name));
    while (!(await find(cluster.client, 'argocd', name))) {
      if (performance.now() - began > 30_000) throw new Error(`${name} did not arrive at ${agent} within 30 s`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    times.push(performance.now() - began);
  }
  times.sort((a, b) => a - b);
  return times[Math.floor(count / 2)] ?? 0;
}

/** A delivery in less than this is not slow: it is within the noise of a machine that also runs the attacker. */
const noiseMs = 100;

/** Deliveries during an attack take at most twice as long as usual. */
export const assertUnaffected = (meanwhileMs: number, usualMs: number): void =>
  assert.ok(
    meanwhileMs <= Math.max(2 * usualMs, noiseMs),
    `delivery took ${Math.round(meanwhileMs)} ms during the attack, and ${Math.round(usualMs)} ms before`,
  );
