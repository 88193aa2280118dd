import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Agent, agentKind } from '@fairlead/api';
import type { MirroredObject } from '../src/core/kinds.ts';
import {
  application,
  appType,
  find,
  makeNamespace,
  revisionOf,
  startCluster,
  type TestCluster,
  until,
} from '../test/support/clusters.ts';
import { TcpProxy } from '../test/support/tcp-proxy.ts';

const command = fileURLToPath(new URL('../../cli/bin/fairlead.js', import.meta.url));

/** A `fairlead` process, as started by a user. */
export class FairleadProcess {
  readonly #child: ChildProcess;
  output = '';

  constructor(args: readonly string[]) {
    this.#child = spawn(process.execPath, [command, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.#child.stdout!, this.#child.stderr!]) {
      stream.on('data', (chunk: Buffer) => {
        this.output += chunk.toString();
      });
    }
  }

  async ready(): Promise<string> {
    await until(() => this.output.includes('ready  ') || this.#child.exitCode !== null, 30_000);
    const line = this.output.split('\n').find((text) => text.startsWith('ready  '));
    if (!line) throw new Error(`it did not start: ${this.output}`);
    return line;
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill(signal);
    await ended;
  }
}

/** Runs a command of `fairlead` to its end. */
export async function fairlead(...args: readonly string[]): Promise<{ code: number; output: string }> {
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [command, ...args]);
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, output: stdout + stderr };
  }
}

/** A hub and one cluster with their real API servers, and the principal and the agent as real processes, with a network between them. */
export class Scene {
  readonly hub: TestCluster;
  readonly cluster: TestCluster;
  readonly network: TcpProxy;
  readonly mode: 'managed' | 'autonomous';
  /** The address of the metrics of the principal. */
  statusUrl = '';
  readonly #dir: string;
  #principal: FairleadProcess | undefined;
  #agent: FairleadProcess | undefined;

  private constructor(hub: TestCluster, cluster: TestCluster, network: TcpProxy, mode: 'managed' | 'autonomous') {
    this.hub = hub;
    this.cluster = cluster;
    this.network = network;
    this.mode = mode;
    this.#dir = mkdtempSync(join(tmpdir(), 'fairlead-agents-'));
    writeFileSync(this.kubeconfig('hub'), hub.plane.kubeconfig());
    writeFileSync(this.kubeconfig('cluster'), cluster.plane.kubeconfig());
  }

  /** Everything runs, and the agent `edge` is connected. */
  static async start(mode: 'managed' | 'autonomous' = 'managed'): Promise<Scene> {
    const [hub, cluster, network] = await Promise.all([
      startCluster({ controllers: true }),
      startCluster({ controllers: true }),
      TcpProxy.start(),
    ]);
    const scene = new Scene(hub, cluster, network, mode);
    await makeNamespace(hub.client, 'edge');
    await scene.startPrincipal();
    await scene.join();
    await scene.startAgent();
    return scene;
  }

  kubeconfig(of: 'hub' | 'cluster'): string {
    return join(this.#dir, `${of}.kubeconfig`);
  }

  run(...args: readonly string[]): Promise<{ code: number; output: string }> {
    return fairlead(...args);
  }

  async join(name = 'edge'): Promise<void> {
    const invited = await this.run(
      'agent',
      'invite',
      name,
      '--mode',
      this.mode,
      '-q',
      '--kubeconfig',
      this.kubeconfig('hub'),
    );
    const joined = await this.run('agent', 'join', invited.output.trim(), '--kubeconfig', this.kubeconfig('cluster'));
    if (joined.code !== 0) throw new Error(`it did not join: ${invited.output} ${joined.output}`);
  }

  async startPrincipal(): Promise<void> {
    const place = ['--host', '127.0.0.1', '--port', '0', '--name', '127.0.0.1', '--status-port', '0'];
    const kept = ['--outbox-dir', join(this.#dir, 'outbox'), '--application-namespaces', 'team-*'];
    this.#principal = new FairleadProcess(['principal', ...place, ...kept, '--kubeconfig', this.kubeconfig('hub')]);
    const line = await this.#principal.ready();
    this.statusUrl = /status (http:\S+)/u.exec(line)![1]!;
    this.network.target = Number(/principal 127\.0\.0\.1:(\d+)/u.exec(line)![1]);
  }

  async killPrincipal(): Promise<void> {
    await this.#principal?.kill('SIGKILL');
  }

  /** Starts it and waits until it is connected. */
  async startAgent(): Promise<void> {
    this.#agent = new FairleadProcess([
      'agent',
      'run',
      '--principal',
      this.network.address,
      '--outbox-dir',
      join(this.#dir, 'outbox'),
      '--kubeconfig',
      this.kubeconfig('cluster'),
    ]);
    await this.#agent.ready();
    await this.connected();
  }

  async killAgent(): Promise<void> {
    await this.#agent?.kill('SIGKILL');
  }

  agentOutput(): string {
    return this.#agent?.output ?? '';
  }

  async connected(): Promise<void> {
    await until(
      async () => (await this.agentStatus())?.transport === 'Up',
      30_000,
      `the agent connects: ${this.#agent?.output}`,
    );
  }

  async disconnected(): Promise<void> {
    await until(async () => (await this.agentStatus())?.transport === 'Down', 90_000, 'the loss is noticed');
  }

  async agentStatus(name = 'edge'): Promise<Agent['status']> {
    return (await this.hub.client.get<Agent>(agentKind.type, { namespace: 'argocd', name })).status;
  }

  /** On the principal's control plane. */
  userCreates(name: string, revision = 'v1'): Promise<MirroredObject> {
    return this.hub.client.create(appType, application('edge', name, revision));
  }

  async userDeletes(name: string): Promise<void> {
    await this.hub.client.delete(appType, { namespace: 'edge', name });
  }

  onHub(name: string): Promise<MirroredObject | undefined> {
    return find(this.hub.client, 'edge', name);
  }

  onAgent(name: string): Promise<MirroredObject | undefined> {
    return find(this.cluster.client, 'argocd', name);
  }

  async agentHas(name: string, revision = 'v1'): Promise<MirroredObject> {
    await until(
      async () => revisionOf(await this.onAgent(name)) === revision,
      30_000,
      `the agent has ${name} at ${revision}`,
    );
    return (await this.onAgent(name))!;
  }

  async agentHasNot(name: string): Promise<void> {
    await until(async () => (await this.onAgent(name)) === undefined, 30_000, `the agent has no ${name}`);
  }

  async close(): Promise<void> {
    await this.#agent?.kill();
    await this.#principal?.kill();
    await this.network.close();
    await Promise.all([this.hub.close(), this.cluster.close()]);
    rmSync(this.#dir, { recursive: true, force: true });
  }
}

export const sourceUid = (object: MirroredObject | undefined): string | undefined =>
  object?.metadata.annotations?.['argocd.argoproj.io/source-uid'];
