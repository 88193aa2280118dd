import { join } from 'node:path';
import { TcpProxy } from '@fairlead/agent/testing';
import { type KubeObject, namespaceType } from '@fairlead/apimachinery';
import { runCommand } from '@fairlead/cli/testing';
import { pushImage, startDemoRegistry } from '@fairlead/images/demo-registry';
import { HttpClient, loadKubeconfig } from '@fairlead/kube';
import { findPostgres, type RealPostgres, startRealPostgres } from '@fairlead/service/postgres';
import { freePort } from '@fairlead/source/testing';
import { GitHost } from './git-host.ts';
import { MeasuredProcess, type ProcessSpec } from './measured-process.ts';
import {
  agentSpec,
  clusterSpec,
  controllerSpec,
  imagesSpec,
  prepullSpec,
  principalSpec,
  serviceSpec,
} from './process-specs.ts';
import { repositories, tenants } from './slots.ts';

/** The repository to which the image updater commits. */
export const imagesRepository = 'storefront';

/** Which parts run. `controller` is a hub with an application controller; `all` adds every other role and a second cluster with an agent. */
export type Parts = 'controller' | 'all';

/** Everything that runs in a soak test: two clusters and each role as a separate process, with the servers that they use on loopback. */
export interface Stage {
  readonly git: GitHost;
  readonly processes: readonly MeasuredProcess[];
  readonly hub: HttpClient;
  /** The cluster of the agent; the hub itself if there is no agent. */
  readonly edge: HttpClient;
  readonly network: TcpProxy | undefined;
  readonly postgres: RealPostgres | undefined;
  readonly webhook: string;
  pushTag(tag: string): Promise<void>;
  process(name: string): MeasuredProcess | undefined;
  close(): Promise<void>;
}

export interface StageOptions {
  readonly dir: string;
  readonly parts: Parts;
  /** A folder for what each process prints. */
  readonly logs?: string;
  report(line: string): void;
}

export async function startStage(options: StageOptions): Promise<Stage> {
  const closing: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const each of closing.reverse()) await each();
  };
  try {
    return { ...(await open(options, closing)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function open(
  { dir, parts, logs, report }: StageOptions,
  closing: (() => Promise<unknown>)[],
): Promise<Omit<Stage, 'close'>> {
  const processes: MeasuredProcess[] = [];
  const start = async (spec: ProcessSpec): Promise<void> => {
    const measured = new MeasuredProcess(logs === undefined ? spec : { ...spec, log: join(logs, `${spec.name}.log`) });
    closing.push(() => measured.stop('SIGKILL'));
    await measured.start();
    processes.push(measured);
    report(`${spec.name} is ready`);
  };
  const git = await GitHost.start(join(dir, 'git'), [...repositories, imagesRepository]);
  closing.push(() => git.close());
  const connect = async (kubeconfig: string): Promise<HttpClient> => {
    const client = new HttpClient((await loadKubeconfig({ path: kubeconfig })).client);
    closing.push(() => client.close());
    return client;
  };
  const hubConfig = join(dir, 'hub.kubeconfig');
  await start(await clusterSpec('hub-api', dir, hubConfig));
  const hub = await connect(hubConfig);
  const webhookPort = await freePort();
  const webhookArgs = ['--webhook-port', String(webhookPort)];
  await start(await controllerSpec('controller', dir, hubConfig, webhookArgs));
  const webhook = `http://127.0.0.1:${webhookPort}/api/webhook`;
  const registry = await startDemoRegistry({ dir: join(dir, 'registry') });
  closing.push(() => registry.close());
  const pushTag = async (tag: string): Promise<void> => {
    await pushImage(registry.url, { repository: 'web', tag, created: new Date() });
  };
  await pushTag('1.0.0');
  const process = (name: string): MeasuredProcess | undefined => processes.find(({ spec }) => spec.name === name);
  const common = { git, processes, hub, webhook, pushTag, process };
  if (parts === 'controller') return { ...common, edge: hub, network: undefined, postgres: undefined };

  for (const name of [...tenants, 'edge']) await hub.create<KubeObject>(namespaceType, namespace(name));
  const edgeConfig = join(dir, 'edge.kubeconfig');
  await start(await clusterSpec('edge-api', dir, edgeConfig));
  const edge = await connect(edgeConfig);
  await start(await controllerSpec('edge-controller', dir, edgeConfig, []));

  const bin = await findPostgres();
  if (bin === undefined) throw new Error('a soak test needs PostgreSQL: install it (Debian: postgresql)');
  const postgres = await startRealPostgres(bin);
  closing.push(() => postgres.remove());
  await start(await serviceSpec(dir, hubConfig, postgres.url));

  const principalPort = await freePort();
  await start(await principalSpec(dir, hubConfig, principalPort));
  const network = await TcpProxy.start();
  network.target = principalPort;
  closing.push(() => network.close());
  await joinHub(hubConfig, edgeConfig);
  await start(await agentSpec(dir, edgeConfig, network.address));
  await start(await imagesSpec(dir, hubConfig, registry.url));
  await start(await prepullSpec(hubConfig));
  return { ...common, edge, network, postgres };
}

const namespace = (name: string): KubeObject => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });

async function joinHub(hubConfig: string, edgeConfig: string): Promise<void> {
  const invited = await runCommand(['agent', 'invite', 'edge', '-q', '--kubeconfig', hubConfig]);
  const joined = await runCommand(['agent', 'join', invited.stdout.trim(), '--kubeconfig', edgeConfig]);
  if (joined.code !== 0) throw new Error(`the agent did not join: ${invited.stderr} ${joined.stderr}`);
}
