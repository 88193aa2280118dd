import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { type Agent, agentKind } from '@fairlead/api';
import { configMapType, type KubeObject, podType, type Secret, secretType, secretValue } from '@fairlead/apimachinery';
import { readIdentity } from '../src/agent/identity.ts';
import { makeNamespace, startCluster, type TestCluster, until } from '../test/support/clusters.ts';
import { FairleadProcess, fairlead } from './scene.ts';

/** The programs of argocd-agent, if the command line names them. */
export const programs = {
  argocdAgent: process.env['FAIRLEAD_E2E_ARGOCD_AGENT'],
  agentctl: process.env['FAIRLEAD_E2E_AGENTCTL'],
};

export type Mode = 'managed' | 'autonomous';

/** argocd-agent accepts no port above this one for its metrics. */
const lastPort = 32_767;

/** A principal of argocd-agent cannot listen on another one. */
const resourceProxyPort = 9_090;

/** A port that is free now. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * (lastPort - 20_000));
    const free = await new Promise<boolean>((resolve) => {
      const server = createServer();
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
    });
    if (free) return port;
  }
}

/** A process of argocd-agent with the end of its output. */
export class ArgocdAgentProcess {
  readonly #child: ChildProcess;
  output = '';

  constructor(args: readonly string[]) {
    this.#child = spawn(programs.argocdAgent ?? '', args, { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        this.output = (this.output + chunk.toString()).slice(-20_000);
      });
  }

  get ended(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  async kill(): Promise<void> {
    if (this.ended) return;
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGKILL');
    await ended;
  }
}

/** A hub and the cluster of agent `edge`, one of which has a process of argocd-agent. */
abstract class Interop {
  readonly mode: Mode;
  readonly hub: TestCluster;
  readonly cluster: TestCluster;
  readonly #dir = mkdtempSync(join(tmpdir(), 'fairlead-interop-'));

  protected constructor(mode: Mode, hub: TestCluster, cluster: TestCluster) {
    this.mode = mode;
    this.hub = hub;
    this.cluster = cluster;
    // Both have the same names, and argocd-agentctl reads both.
    for (const [name, { plane }] of [['hub', hub] as const, ['cluster', cluster] as const])
      writeFileSync(
        this.file(name),
        plane.kubeconfig().replaceAll(/(name|cluster|user|context): fairlead$/gmu, `$1: ${name}`),
      );
  }

  protected static clusters(): Promise<[TestCluster, TestCluster]> {
    const podLog = (_: string, name: string) => `2026-01-01T00:00:00Z the first line of ${name}\n`;
    return Promise.all([startCluster({ controllers: true }), startCluster({ controllers: true, podLog })]);
  }

  protected file(name: string): string {
    return join(this.#dir, name);
  }

  /** Starts both processes. */
  abstract begin(): Promise<void>;
  abstract startPrincipal(): Promise<void>;
  abstract startAgent(): Promise<void>;
  abstract killPrincipal(): Promise<void>;
  abstract killAgent(): Promise<void>;
  /** The end of the output of both processes. */
  abstract output(): string;

  /** A running pod of an Application on the agent's cluster, which the principal may read. */
  async makePod(name: string): Promise<void> {
    const { client } = this.cluster;
    await makeNamespace(client, 'shop');
    const labels = { 'app.kubernetes.io/instance': 'web' };
    const annotations = { 'argocd.argoproj.io/tracking-id': `web:/Pod:shop/${name}` };
    const pod: KubeObject = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace: 'shop', labels, annotations },
    };
    await client.create(podType, {
      ...pod,
      spec: { nodeName: 'node-1', containers: [{ name: 'main', image: 'shop/web' }] },
    } as KubeObject);
    const status = {
      phase: 'Running',
      containerStatuses: [
        { name: 'main', ready: true, restartCount: 0, image: 'shop/web', imageID: '', state: { running: {} } },
      ],
    };
    await client.patch(podType, { namespace: 'shop', name }, 'merge', { status }, { subresource: 'status' });
  }

  async close(): Promise<void> {
    await this.killAgent();
    await this.killPrincipal();
    await Promise.all([this.hub.close(), this.cluster.close()]);
    rmSync(this.#dir, { recursive: true, force: true });
  }
}

/** This principal on the hub, and a real agent of argocd-agent. */
export class TheirAgent extends Interop {
  #principal: FairleadProcess | undefined;
  #agent: ArgocdAgentProcess | undefined;
  #port = 0;

  static async create(mode: Mode): Promise<TheirAgent> {
    return new TheirAgent(mode, ...(await Interop.clusters()));
  }

  async begin(): Promise<void> {
    await this.startPrincipal();
    const invited = await fairlead(
      'agent',
      'invite',
      'edge',
      '--mode',
      this.mode,
      '-q',
      '--kubeconfig',
      this.file('hub'),
    );
    const joined = await fairlead('agent', 'join', invited.output.trim(), '--kubeconfig', this.file('cluster'));
    const identity = await readIdentity(this.cluster.client, 'argocd');
    if (!identity) throw new Error(`it did not join: ${invited.output} ${joined.output}`);
    for (const part of ['ca', 'cert', 'key'] as const) writeFileSync(this.file(part), identity[part]);
    // Without it argocd-agent shows no object, because it does not know how Argo CD marks its objects.
    await this.cluster.client.create(configMapType, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'argocd-cm', namespace: 'argocd', labels: { 'app.kubernetes.io/part-of': 'argocd' } },
    });
    await this.startAgent();
  }

  async startPrincipal(): Promise<void> {
    const place = ['--host', '127.0.0.1', '--port', String(this.#port), '--name', '127.0.0.1', '--status-port', '0'];
    this.#principal = new FairleadProcess(['principal', ...place, '--kubeconfig', this.file('hub')]);
    this.#port = Number(/principal 127\.0\.0\.1:(\d+)/u.exec(await this.#principal.ready())?.[1]);
  }

  async startAgent(): Promise<void> {
    const agent = new ArgocdAgentProcess([
      ...['agent', '--agent-mode', this.mode, '--namespace', 'argocd', '--kubeconfig', this.file('cluster')],
      ...['--server-address', '127.0.0.1', '--server-port', String(this.#port), '--creds', 'mtls:'],
      ...['--root-ca-path', this.file('ca'), '--tls-client-cert', this.file('cert')],
      ...['--tls-client-key', this.file('key'), '--redis-addr', '127.0.0.1:1', '--log-level', 'info'],
      ...['--healthz-port', String(await freePort()), '--metrics-port', String(await freePort())],
    ]);
    this.#agent = agent;
    await until(async () => (await this.status())?.transport === 'Up' || agent.ended, 30_000, 'the agent connects');
    if (agent.ended) throw new Error(`the agent has ended: ${agent.output}`);
  }

  async killAgent(): Promise<void> {
    await this.#agent?.kill();
  }

  async killPrincipal(): Promise<void> {
    await this.#principal?.kill('SIGKILL');
  }

  async status(): Promise<Agent['status']> {
    return (await this.hub.client.get<Agent>(agentKind.type, { namespace: 'argocd', name: 'edge' })).status;
  }

  get(path: string): Promise<{ code: number; output: string }> {
    return fairlead('agent', 'get', 'edge', path, '--kubeconfig', this.file('hub'));
  }

  output(): string {
    return `${this.#principal?.output ?? ''}\n${this.#agent?.output ?? ''}`;
  }
}

/** A real principal of argocd-agent with the PKI of `argocd-agentctl`, and this agent. */
export class TheirPrincipal extends Interop {
  #principal: ArgocdAgentProcess | undefined;
  #agent: FairleadProcess | undefined;
  #port = 0;

  static async create(mode: Mode): Promise<TheirPrincipal> {
    return new TheirPrincipal(mode, ...(await Interop.clusters()));
  }

  async begin(): Promise<void> {
    await makeNamespace(this.hub.client, 'edge');
    this.#port = await freePort();
    await this.agentctl('pki', 'init');
    await this.agentctl('pki', 'issue', 'principal', '--ip', '127.0.0.1', '--dns', 'localhost');
    await this.agentctl('pki', 'issue', 'resource-proxy', '--ip', '127.0.0.1', '--dns', 'localhost');
    await this.agentctl('jwt', 'create-key');
    await this.agentctl('agent', 'create', 'edge', '--resource-proxy-server', `127.0.0.1:${resourceProxyPort}`);
    await this.agentctl('pki', 'issue', 'agent', 'edge');
    await this.startPrincipal();
    await this.startAgent();
  }

  async agentctl(...args: readonly string[]): Promise<string> {
    const contexts = ['--principal-context', 'hub', '--agent-context', 'cluster', '--config', this.file('ctl.conf')];
    const { stdout } = await promisify(execFile)(programs.agentctl ?? '', [...args, ...contexts], {
      env: { ...process.env, KUBECONFIG: `${this.file('hub')}:${this.file('cluster')}` },
    });
    return stdout;
  }

  async startPrincipal(): Promise<void> {
    const principal = new ArgocdAgentProcess([
      ...['principal', '--namespace', 'argocd', '--kubeconfig', this.file('hub'), '--allowed-namespaces', 'edge'],
      ...['--listen-host', '127.0.0.1', '--listen-port', String(this.#port), '--auth', 'mtls:subject:CN=([^,]+)'],
      ...['--namespace-create-enable', '--disable-redis-proxy', '--redis-server-address', '127.0.0.1:1'],
      ...['--healthz-port', String(await freePort()), '--metrics-port', String(await freePort())],
    ]);
    this.#principal = principal;
    await until(() => /Now listening on/u.test(principal.output) || principal.ended, 60_000, 'the principal listens');
    if (principal.ended) throw new Error(`the principal has ended: ${principal.output}`);
  }

  async startAgent(): Promise<void> {
    const place = ['--principal', `127.0.0.1:${this.#port}`, '--mode', this.mode, '--live-access', 'write'];
    this.#agent = new FairleadProcess(['agent', 'run', ...place, '--kubeconfig', this.file('cluster')]);
    await this.#agent.ready();
    await until(() => /connected to the principal/u.test(this.#agent?.output ?? ''), 30_000, 'the agent connects');
  }

  async killAgent(): Promise<void> {
    await this.#agent?.kill('SIGKILL');
  }

  async killPrincipal(): Promise<void> {
    await this.#principal?.kill();
  }

  /** A request to the resource proxy, as Argo CD sends it with the credentials of the agent's cluster Secret. */
  async get(path: string, method = 'GET', body?: string): Promise<{ status: number; text: string }> {
    const secret = await this.hub.client.get<Secret>(secretType, { namespace: 'argocd', name: 'cluster-edge' });
    const { tlsClientConfig: tls } = JSON.parse(secretValue(secret, 'config') ?? '{}') as {
      tlsClientConfig: { certData: string; keyData: string; caData: string };
    };
    const pem = (data: string): string => Buffer.from(data, 'base64').toString();
    const credentials = { cert: pem(tls.certData), key: pem(tls.keyData), ca: pem(tls.caData) };
    const headers = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    return new Promise((resolve, reject) => {
      const sent = request(
        { host: '127.0.0.1', port: resourceProxyPort, path, method, headers, ...credentials },
        (answer) => {
          text(answer).then((read) => resolve({ status: answer.statusCode ?? 0, text: read }), reject);
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  }

  output(): string {
    return `${this.#principal?.output ?? ''}\n${this.#agent?.output ?? ''}`;
  }
}
