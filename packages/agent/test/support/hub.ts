import { type Agent, agentKind } from '@fairlead/api';
import { silentLogger, systemClock, systemRandom } from '@fairlead/kube';
import { stopwatch } from '@fairlead/kube/testing';
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

/** Delivers Applications of a managed agent from the hub to its cluster, one for each call. */
export async function deliveriesTo(hub: TestHub, name: string, { cluster }: TestAgent): Promise<() => Promise<number>> {
  await makeNamespace(hub.cluster.client, name);
  return async () => {
    const delivered = `delivery-${count++}`;
    const elapsed = stopwatch();
    await hub.cluster.client.create(appType, application(name, delivered));
    while (!(await find(cluster.client, 'argocd', delivered))) {
      if (elapsed() > 30_000) throw new Error(`${delivered} did not arrive at ${name} within 30 s`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    return elapsed();
  };
}

let count = 0;
