/** A real agent of argocd-agent with this principal: `npm run e2e -- interop --argocd-agent FILE`. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { type Agent, agentKind } from '@fairlead/api';
import { readIdentity } from '../src/agent/identity.ts';
import {
  application,
  appType,
  find,
  revisionOf,
  startCluster,
  type TestCluster,
  until,
} from '../test/support/clusters.ts';
import { FairleadProcess } from './scene.ts';

const program = process.env['FAIRLEAD_E2E_ARGOCD_AGENT'];
const skip = program === undefined ? 'needs a real argocd-agent: --argocd-agent FILE' : false;

/** A hub with this principal, and a cluster with a real agent. */
class Interop {
  readonly #dir = mkdtempSync(join(tmpdir(), 'fairlead-interop-'));
  readonly #mode: 'managed' | 'autonomous';
  readonly hub: TestCluster;
  readonly cluster: TestCluster;
  #principal: FairleadProcess | undefined;
  #agent: ChildProcess | undefined;
  #port = 0;
  output = '';

  private constructor(mode: 'managed' | 'autonomous', hub: TestCluster, cluster: TestCluster) {
    this.#mode = mode;
    this.hub = hub;
    this.cluster = cluster;
    writeFileSync(this.#file('hub'), hub.plane.kubeconfig());
    writeFileSync(this.#file('cluster'), cluster.plane.kubeconfig());
  }

  static async start(mode: 'managed' | 'autonomous'): Promise<Interop> {
    const [hub, cluster] = await Promise.all([
      startCluster({ controllers: true }),
      startCluster({ controllers: true }),
    ]);
    const interop = new Interop(mode, hub, cluster);
    await interop.startPrincipal();
    const invited = new FairleadProcess([
      'agent',
      'invite',
      'edge',
      '--mode',
      mode,
      '-q',
      '--kubeconfig',
      interop.#file('hub'),
    ]);
    await until(() => /fairlead-\S+/u.test(invited.output), 20_000, 'the invitation');
    const token = /fairlead-\S+/u.exec(invited.output)?.[0] ?? '';
    const joined = new FairleadProcess(['agent', 'join', token, '--kubeconfig', interop.#file('cluster')]);
    await until(async () => (await readIdentity(cluster.client, 'argocd')) !== undefined, 20_000, joined.output);
    const identity = await readIdentity(cluster.client, 'argocd');
    for (const part of ['ca', 'cert', 'key'] as const) writeFileSync(interop.#file(part), identity?.[part] ?? '');
    await interop.startAgent();
    return interop;
  }

  #file(name: string): string {
    return join(this.#dir, name);
  }

  async startPrincipal(): Promise<void> {
    const place = ['--host', '127.0.0.1', '--port', String(this.#port), '--name', '127.0.0.1', '--status-port', '0'];
    this.#principal = new FairleadProcess(['principal', ...place, '--kubeconfig', this.#file('hub')]);
    this.#port = Number(/principal 127\.0\.0\.1:(\d+)/u.exec(await this.#principal.ready())?.[1]);
  }

  async startAgent(): Promise<void> {
    const args = [
      ...['agent', '--agent-mode', this.#mode, '--namespace', 'argocd', '--kubeconfig', this.#file('cluster')],
      ...['--server-address', '127.0.0.1', '--server-port', String(this.#port), '--creds', 'mtls:'],
      ...['--root-ca-path', this.#file('ca'), '--tls-client-cert', this.#file('cert')],
      ...['--tls-client-key', this.#file('key'), '--redis-addr', '127.0.0.1:1', '--log-level', 'info'],
      ...['--healthz-port', '0', '--metrics-port', '0'],
    ];
    this.#agent = spawn(program ?? '', args, { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.#agent.stdout, this.#agent.stderr])
      stream?.on('data', (chunk: Buffer) => {
        this.output = (this.output + chunk.toString()).slice(-20_000);
      });
    await until(async () => (await this.status())?.transport === 'Up', 30_000, `the agent connects: ${this.output}`);
  }

  async killAgent(): Promise<void> {
    const ended = new Promise((resolve) => this.#agent?.once('exit', resolve));
    this.#agent?.kill('SIGKILL');
    await ended;
  }

  async killPrincipal(): Promise<void> {
    await this.#principal?.kill('SIGKILL');
  }

  async status(): Promise<Agent['status']> {
    return (await this.hub.client.get<Agent>(agentKind.type, { namespace: 'argocd', name: 'edge' })).status;
  }

  async close(): Promise<void> {
    await this.killAgent();
    await this.#principal?.kill();
    await Promise.all([this.hub.close(), this.cluster.close()]);
    rmSync(this.#dir, { recursive: true, force: true });
  }
}

const patchRevision = (on: TestCluster, namespace: string, name: string, targetRevision: string) =>
  on.client.patch(appType, { namespace, name }, 'merge', { spec: { source: { targetRevision } } });

describe('a managed agent of argocd-agent', { skip }, () => {
  test('create, update, operation, refresh, restarts of both ends, delete', { timeout: 300_000 }, async (t) => {
    const scene = await Interop.start('managed');
    t.after(() => scene.close());
    const { hub, cluster } = scene;
    const has = (name: string, revision: string) =>
      until(
        async () => revisionOf(await find(cluster.client, 'argocd', name)) === revision,
        30_000,
        `the agent has ${name} at ${revision}`,
      );
    await hub.client.create(appType, application('edge', 'web', 'v1'));
    await has('web', 'v1');
    await patchRevision(hub, 'edge', 'web', 'v2');
    await has('web', 'v2');
    await hub.client.patch(appType, { namespace: 'edge', name: 'web' }, 'merge', {
      operation: { sync: { revision: 'v2' } },
    });
    await until(
      async () => /"operation"/u.test(JSON.stringify((await find(cluster.client, 'argocd', 'web')) ?? {})),
      30_000,
      'the operation arrives',
    );
    await hub.client.patch(appType, { namespace: 'edge', name: 'web' }, 'merge', {
      metadata: { annotations: { 'argocd.argoproj.io/refresh': 'normal' } },
    });
    await until(
      async () =>
        (await find(cluster.client, 'argocd', 'web'))?.metadata.annotations?.['argocd.argoproj.io/refresh'] ===
        'normal',
      30_000,
      'the refresh arrives',
    );
    await scene.killAgent();
    await patchRevision(hub, 'edge', 'web', 'v3');
    await hub.client.create(appType, application('edge', 'more', 'v1'));
    await scene.startAgent();
    await has('web', 'v3');
    await has('more', 'v1');
    await scene.killPrincipal();
    await patchRevision(hub, 'edge', 'more', 'v2');
    await scene.startPrincipal();
    await has('more', 'v2');
    await until(async () => (await scene.status())?.live === 'Up', 60_000, 'live access works');
    await hub.client.delete(appType, { namespace: 'edge', name: 'web' });
    await until(async () => (await find(cluster.client, 'argocd', 'web')) === undefined, 30_000, 'it is deleted');
    assert.equal(revisionOf(await find(cluster.client, 'argocd', 'more')), 'v2');
  });
});

describe('an autonomous agent of argocd-agent', { skip }, () => {
  test('create, update, restarts of both ends, delete', { timeout: 300_000 }, async (t) => {
    const scene = await Interop.start('autonomous');
    t.after(() => scene.close());
    const { hub, cluster } = scene;
    const has = (name: string, revision: string) =>
      until(
        async () => revisionOf(await find(hub.client, 'edge', name)) === revision,
        30_000,
        `the hub has ${name} at ${revision}`,
      );
    await cluster.client.create(appType, application('argocd', 'web', 'v1'));
    await has('web', 'v1');
    await patchRevision(cluster, 'argocd', 'web', 'v2');
    await has('web', 'v2');
    await scene.killAgent();
    await patchRevision(cluster, 'argocd', 'web', 'v3');
    await scene.startAgent();
    await has('web', 'v3');
    await scene.killPrincipal();
    await cluster.client.create(appType, application('argocd', 'more', 'v1'));
    await scene.startPrincipal();
    await has('more', 'v1');
    await cluster.client.delete(appType, { namespace: 'argocd', name: 'web' });
    await until(async () => (await find(hub.client, 'edge', 'web')) === undefined, 30_000, 'it is deleted');
  });
});
