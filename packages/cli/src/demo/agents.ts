import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AgentIdentity,
  clusterId,
  invite,
  join as joinHub,
  type Mode,
  readIdentity,
  writeIdentity,
} from '@fairlead/agent';
import { type Application, type AppProject, appProjectKind } from '@fairlead/api';
import { isAlreadyExists, namespaceType } from '@fairlead/apimachinery';
import { type ApiClient, HttpClient, loadKubeconfig, MetricsRegistry, sleep, systemClock } from '@fairlead/kube';
import type { DataDir } from '../data-dir.ts';
import { controlPlaneNamespace, createApplication, ensure, install } from '../install.ts';
import { startEmbeddedCluster } from '../roles/embedded-cluster.ts';
import { roles } from '../roles/index.ts';
import type { RoleContext } from '../roles/role.ts';
import { RoleHost } from '../roles/role-host.ts';
import type { ShutdownSequence } from '../shutdown-sequence.ts';
import { demoApplication } from './application.ts';

export interface DemoAgentsOptions {
  /** The context of the hub. */
  readonly context: RoleContext;
  readonly dir: DataDir;
  readonly bare: string;
  say(line: string): void;
}

/** Two clusters in addition to the hub: one with a managed agent, one with an autonomous agent. */
const demoAgents: readonly { readonly name: string; readonly mode: Mode }[] = [
  { name: 'edge', mode: 'managed' },
  { name: 'site', mode: 'autonomous' },
];

/** The namespaces on the hub with the Applications of the agents. */
export const demoAgentNamespaces: readonly string[] = demoAgents.map(({ name }) => name);

/** Waits until the process is mostly idle, but not forever: the main demo comes first. */
async function quiet(signal: AbortSignal): Promise<void> {
  for (let waited = 0; waited < 30_000; waited += 3_000) {
    const before = performance.eventLoopUtilization();
    await sleep(systemClock, 3_000, signal);
    if (waited > 0 && performance.eventLoopUtilization(before).utilization < 0.2) return;
  }
}

/** Starts the principal and two simulated clusters with agents, in the background. */
export function startDemoAgents(options: DemoAgentsOptions, signal: AbortSignal, started: ShutdownSequence): void {
  started.startInBackground("the demo's agents", signal, (working, parts) => start(options, working, parts));
}

async function start(options: DemoAgentsOptions, signal: AbortSignal, parts: ShutdownSequence): Promise<void> {
  const { context, say } = options;
  await quiet(signal);
  const outboxDir = join(options.dir.root, 'agents', 'outbox');
  // Without the signal: the principal stops after its agents, which would report a lost connection otherwise.
  const { address } = await new RoleHost(context, parts).start(roles.principal, {
    host: '127.0.0.1',
    port: 0,
    names: ['127.0.0.1'],
    status: { port: 0 },
    outboxDir,
  });
  say(`principal ${address}`);
  await permitInDefaultProject(context.client);
  for (const { name, mode } of demoAgents) {
    if (signal.aborted) return;
    const client = await startCluster(options, name, parts);
    await install(client, { own: true, signal });
    // Each cluster has its own controller, and their metrics must not mix.
    const host = new RoleHost({ ...context, client, registry: new MetricsRegistry() }, parts);
    await host.start(
      roles.controller,
      { cacheDir: join(options.dir.cache, name), allowLocalRepositories: true, pollMs: 5_000, renderWorkers: 1 },
      signal,
    );
    await seed(options, name, mode, client);
    const identity = await identify(context.client, client, name, mode);
    await host.start(roles.agent, { identity, address, outboxDir }, signal);
    say(`agent ${name} (${mode}) of a separate cluster, kubeconfig ${kubeconfigOf(options.dir, name)}`);
  }
}

const kubeconfigOf = (dir: DataDir, name: string): string => join(dir.root, 'agents', `${name}.kubeconfig`);

async function startCluster(
  { dir, context: { log } }: DemoAgentsOptions,
  name: string,
  parts: ShutdownSequence,
): Promise<HttpClient> {
  const dataDir = join(dir.root, 'agents', name);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const plane = await startEmbeddedCluster({ dataDir, nodes: 1, log, report: () => {} });
  parts.add(`cluster ${name}`, () => plane.close());
  const kubeconfig = kubeconfigOf(dir, name);
  writeFileSync(kubeconfig, plane.kubeconfig(), { mode: 0o600 });
  const client = new HttpClient((await loadKubeconfig({ path: kubeconfig })).client);
  parts.add(`connections to ${name}`, () => client.close());
  return client;
}

/** Uses the stored identity, or invites the cluster. */
async function identify(hub: ApiClient, cluster: ApiClient, agent: string, mode: Mode): Promise<AgentIdentity> {
  const known = await readIdentity(cluster, controlPlaneNamespace);
  if (known) return known;
  const identity = await joinHub(await invite(hub, controlPlaneNamespace, { agent, mode }), await clusterId(cluster));
  await writeIdentity(cluster, controlPlaneNamespace, identity);
  return identity;
}

/** Without this, the API server refuses the Applications of the agents. What an administrator has set is kept. */
async function permitInDefaultProject(hub: ApiClient): Promise<void> {
  const key = { namespace: controlPlaneNamespace, name: 'default' };
  const { spec } = await hub.get<AppProject>(appProjectKind.type, key);
  const sourceNamespaces = [...new Set([...(spec.sourceNamespaces ?? []), ...demoAgentNamespaces])];
  await hub.patch(appProjectKind.type, key, 'merge', { spec: { sourceNamespaces } });
}

/** One Application for each, created where it is managed. */
async function seed(
  { context: { client }, bare }: DemoAgentsOptions,
  name: string,
  mode: Mode,
  cluster: ApiClient,
): Promise<void> {
  const demo = demoApplication(bare);
  const application = (namespace: string): Application => ({
    ...demo,
    metadata: { ...demo.metadata, name: `${name}-web`, namespace },
  });
  await ensure(client, namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, 'keep');
  await (mode === 'managed'
    ? createApplication(client, application(name))
    : createApplication(cluster, application(controlPlaneNamespace))
  ).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
}
