import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applicationKind, applicationSetKind, appProjectKind, crdOf } from '@fairlead/api';
import {
  configMapType,
  crdType,
  isNotFound,
  type KubeObject,
  namespaceType,
  type ResourceType,
  type Secret,
  secretType,
} from '@fairlead/apimachinery';
import { connectionOver, connectTo } from '@fairlead/app-controller';
import { type EmbeddedCluster, startEmbeddedCluster } from '@fairlead/control-plane';
import { accessOf, HttpClient, parseKubeconfig, silentLogger, sleep, systemClock, systemRandom } from '@fairlead/kube';
import { createRenderPool } from '@fairlead/render';
import { createGpg, createSources } from '@fairlead/source';
import { hashSync } from 'bcryptjs';
import { type RunningServer, type StartServerOptions, startServer } from '../../src/start-server.ts';

export const namespace = 'argocd';

export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly text: string;
  readonly headers: Headers;
}

export interface InstallationOptions extends Partial<StartServerOptions> {
  /** Lines of the policy; `admin` may do everything, `nobody` nothing, `dev` what they say. */
  readonly policy?: string;
  readonly settings?: Readonly<Record<string, string>>;
  readonly secret?: Readonly<Record<string, string>>;
}

/** The API server on an embedded cluster, with everything that it can read: repositories, clusters, keys. */
export class Installation {
  readonly cluster: EmbeddedCluster;
  readonly client: HttpClient;
  /** A folder of this installation. */
  readonly folder: string;
  readonly server: RunningServer;
  readonly #closing: (() => unknown)[];
  readonly #tokens = new Map<string, string>();

  private constructor(
    parts: Pick<Installation, 'cluster' | 'client' | 'folder' | 'server'>,
    closing: (() => unknown)[],
  ) {
    this.cluster = parts.cluster;
    this.client = parts.client;
    this.folder = parts.folder;
    this.server = parts.server;
    this.#closing = closing;
  }

  static async start(options: InstallationOptions = {}): Promise<Installation> {
    const { policy = '', settings = {}, secret = {}, ...serverOptions } = options;
    const folder = mkdtempSync(join(tmpdir(), 'fairlead-server-'));
    const cluster = await startEmbeddedCluster({ nodes: 0 });
    const access = await accessOf(parseKubeconfig(cluster.kubeconfig(), 'kubeconfig'));
    const client = new HttpClient(access.client);
    for (const kind of [applicationKind, appProjectKind, applicationSetKind]) await client.create(crdType, crdOf(kind));
    await client.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    const accounts = { 'accounts.dev': 'login', 'accounts.nobody': 'login' };
    await put(client, configMapType, 'ConfigMap', 'argocd-cm', { data: { ...accounts, ...settings } });
    await put(client, configMapType, 'ConfigMap', 'argocd-rbac-cm', { data: { 'policy.csv': policy } });
    const hash = hashSync('password', 4);
    const passwords = { 'admin.password': hash, 'accounts.dev.password': hash, 'accounts.nobody.password': hash };
    await put(client, secretType, 'Secret', 'argocd-secret', { stringData: { ...passwords, ...secret } });
    await defaultProject(client);
    const environment = process.env;
    const cacheDir = join(folder, 'cache');
    const reader = createSources({ cacheDir, clock: systemClock, environment, pollMs: 60_000, allowLocal: true });
    const renders = createRenderPool({ workers: 1 });
    const gpg = createGpg({ dir: join(folder, 'gnupg'), environment });
    const server = await startServer({
      client,
      namespace,
      clock: systemClock,
      random: systemRandom,
      log: silentLogger,
      host: '127.0.0.1',
      port: 0,
      version: 'v1',
      signInMs: 0,
      sources: {
        reader,
        renderer: renders.render,
        cluster: async () => ({ kubeVersion: 'v1.36.0', apiVersions: [] }),
      },
      gpg,
      clusterAccess: {
        inCluster: connectionOver(client, silentLogger),
        connect: (config) => connectTo(config, { environment: {}, clock: systemClock, log: silentLogger }),
      },
      ...serverOptions,
    });
    const closing = [
      () => server.close(),
      () => reader.close(),
      () => renders.close(),
      () => gpg.close(),
      () => client.close(),
      () => cluster.close(),
      () => rmSync(folder, { recursive: true, force: true }),
    ];
    return new Installation({ cluster, client, folder, server }, closing);
  }

  get url(): string {
    return `http://127.0.0.1:${this.server.port}`;
  }

  /** Sends a request as an account; as nobody if it is undefined. */
  async call(
    as: 'admin' | 'dev' | 'nobody' | undefined,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Answer> {
    const answer = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
        ...(as === undefined ? {} : { authorization: `Bearer ${await this.#token(as)}` }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      body: text.startsWith('{') ? JSON.parse(text) : {},
    };
  }

  async #token(account: string): Promise<string> {
    const known = this.#tokens.get(account);
    if (known !== undefined) return known;
    const { body, text } = await this.call(undefined, 'POST', '/api/v1/session', {
      username: account,
      password: 'password',
    });
    assert.equal(typeof body['token'], 'string', text);
    this.#tokens.set(account, String(body['token']));
    return String(body['token']);
  }

  secrets(): Promise<readonly Secret[]> {
    return this.client.list<Secret>(secretType, { namespace }).then(({ items }) => items);
  }

  /** A bare repository with one commit of these files; its `file://` URL. */
  repository(name: string, files: Readonly<Record<string, string>>): string {
    const [bare, work] = [join(this.folder, 'git', name), join(this.folder, 'work', name)];
    mkdirSync(work, { recursive: true });
    const git = (...args: string[]): void => {
      execFileSync('git', ['-C', work, '-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
        stdio: 'pipe',
      });
    };
    execFileSync('git', ['init', '-q', '--bare', '--initial-branch=main', bare]);
    git('init', '-q', '--initial-branch=main');
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(join(work, path, '..'), { recursive: true });
      writeFileSync(join(work, path), content);
    }
    git('add', '-A');
    git('commit', '-qm', 'first');
    git('tag', 'v1.0.0');
    git('push', '-q', bare, 'HEAD:main', 'v1.0.0');
    return `file://${bare}`;
  }

  async close(): Promise<void> {
    for (const close of this.#closing) await close();
  }
}

export async function put(
  client: HttpClient,
  type: ResourceType,
  kind: string,
  name: string,
  rest: object,
): Promise<void> {
  const object: KubeObject = { apiVersion: 'v1', kind, metadata: { name, namespace }, ...rest };
  await client.create(type, object);
}

/** Definitions are served a moment after they are accepted. */
async function defaultProject(client: HttpClient): Promise<void> {
  const project = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'default', namespace },
    spec: { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }] },
  };
  for (let attempt = 0; ; attempt++) {
    try {
      await client.create<KubeObject>(appProjectKind.type, project);
      return;
    } catch (error) {
      if (!isNotFound(error) || attempt > 100) throw error;
      await sleep(systemClock, 50);
    }
  }
}

/** An address as it stands in a path. */
export const escaped = (url: string): string => encodeURIComponent(url);
