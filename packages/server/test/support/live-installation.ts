/** An installation with an Application whose objects are live: an embedded cluster with a node, a Git repository, and the API server. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applicationKind, applicationSetKind, appProjectKind, crdOf } from '@fairlead/api';
import {
  configMapType,
  crdType,
  deploymentType,
  isNotFound,
  type KubeObject,
  namespaceType,
  type ResourceType,
  secretType,
} from '@fairlead/apimachinery';
import { connectionOver, connectTo } from '@fairlead/app-controller';
import { type EmbeddedCluster, startEmbeddedCluster } from '@fairlead/control-plane';
import { createJq, createLua } from '@fairlead/engine';
import {
  accessOf,
  HttpClient,
  parseKubeconfig,
  type StartExec,
  silentLogger,
  sleep,
  systemClock,
  systemRandom,
} from '@fairlead/kube';
import { createRenderPool } from '@fairlead/render';
import { createSources } from '@fairlead/source';
import { hashSync } from 'bcryptjs';
import { type RunningServer, startServer } from '../../src/start-server.ts';

export const home = 'argocd';
export const namespace = 'shop';

/** Values that no answer may contain. */
export const secrets = { live: 'live-secret-value', target: 'target-secret-value', hidden: 'hidden-annotation-value' };

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const tracking = (kind: string, name: string): Record<string, string> => ({
  'argocd.argoproj.io/tracking-id': `web:${kind}:${namespace}/${name}`,
});

const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        containers: [
          {
            name: 'main',
            image: 'registry.example.com/web:1',
            resources: { requests: { cpu: '250m', memory: '64Mi' } },
          },
        ],
      },
    },
  },
};
const config = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'settings', namespace },
  data: { size: 'small' },
};
const secret = (value: string) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'password', namespace },
  data: { password: base64(value) },
});

const files: Readonly<Record<string, object>> = {
  'web/config.json': { ...config, data: { size: 'large' } },
  'web/deployment.json': deployment,
  'web/missing.json': { ...config, metadata: { name: 'missing', namespace } },
  'web/secret.json': secret(secrets.target),
};

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

export class LiveInstallation {
  readonly folder = mkdtempSync(join(tmpdir(), 'live-'));
  readonly #jq = createJq();
  readonly #lua = createLua();
  readonly #renders = createRenderPool({ workers: 1 });
  readonly #tokens = new Map<string, string>();
  #close: (() => unknown)[] = [];
  cluster!: EmbeddedCluster;
  client!: HttpClient;
  server!: RunningServer;
  commit = '';

  /** `exec` runs commands in containers: the nodes are simulated, and have none. */
  async start(options: { readonly exec?: StartExec; readonly auditSink?: (line: string) => void } = {}): Promise<void> {
    this.cluster = await startEmbeddedCluster({ nodes: 1, seed: 1, readyAtOnce: true, speed: 20, nodeEvents: false });
    const access = await accessOf(parseKubeconfig(this.cluster.kubeconfig(), 'kubeconfig'));
    this.client = new HttpClient(access.client);
    for (const kind of [applicationKind, appProjectKind, applicationSetKind])
      await this.client.create(crdType, crdOf(kind));
    for (const name of [home, namespace]) await this.#create(namespaceType, { metadata: { name } });
    await this.#configure();
    this.#makeRepository();
    await this.#deploy();
    await this.#startServer(options);
  }

  #makeRepository(): void {
    const git = (...args: string[]): string =>
      execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', ...args], {
        cwd: this.folder,
        encoding: 'utf8',
      });
    git('init', '-q', '-b', 'main', 'repo');
    const repository = join(this.folder, 'repo');
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(join(repository, path, '..'), { recursive: true });
      writeFileSync(join(repository, path), JSON.stringify(content));
    }
    git('-C', 'repo', 'add', '-A');
    git('-C', 'repo', 'commit', '-qm', 'first version\n\nWith a body.');
    git('-C', 'repo', 'tag', 'v1');
    this.commit = git('-C', 'repo', 'rev-parse', 'HEAD').trim();
  }

  async #configure(): Promise<void> {
    const policy = [
      'p, reader, applications, get, default/*, allow',
      'p, fixer, applications, get, default/*, allow',
      `p, fixer, applications, update//ConfigMap/${namespace}/settings, default/*, allow`,
      `p, fixer, applications, delete//ConfigMap/${namespace}/settings, default/*, allow`,
    ].join('\n');
    const links = [
      '- title: Logs',
      '  url: https://logs.example.com/{{.app.metadata.name | upper}}?cluster={{.cluster.name}}',
      '- title: Never',
      '  url: https://x.example.com',
      '  if: app.spec.project == "other"',
      '- title: Broken',
      '  url: https://x.example.com',
      '  if: app.spec.project ==',
    ].join('\n');
    const resourceLinks = '- title: R\n  url: https://x.example.com/{{.resource.data.password}}/{{.resource.kind}}\n';
    const settings = {
      'accounts.reader': 'login',
      'accounts.fixer': 'login',
      'application.links': links,
      'resource.links': resourceLinks,
      'resource.sensitive.mask.annotations': 'hidden',
    };
    await this.#create(configMapType, { metadata: { name: 'argocd-cm', namespace: home }, data: settings });
    await this.#create(configMapType, {
      metadata: { name: 'argocd-rbac-cm', namespace: home },
      data: { 'policy.csv': policy },
    });
    const hash = base64(hashSync('password', 4));
    await this.#create(secretType, {
      metadata: { name: 'argocd-secret', namespace: home },
      data: { 'admin.password': hash, 'accounts.reader.password': hash, 'accounts.fixer.password': hash },
    });
  }

  async #deploy(): Promise<void> {
    const applied = JSON.stringify(secret(secrets.live));
    await this.#create(secretType, {
      ...secret(secrets.live),
      metadata: {
        name: 'password',
        namespace,
        annotations: {
          ...tracking('/Secret', 'password'),
          'kubectl.kubernetes.io/last-applied-configuration': applied,
          hidden: secrets.hidden,
        },
      },
    });
    await this.#create(configMapType, {
      ...config,
      metadata: { ...config.metadata, annotations: tracking('/ConfigMap', 'settings') },
    });
    await this.#create(configMapType, { ...config, metadata: { name: 'unrelated', namespace } });
    await this.#create(deploymentType, {
      ...deployment,
      metadata: { ...deployment.metadata, annotations: tracking('apps/Deployment', 'web') },
    });
    await this.#create(appProjectKind.type, {
      metadata: { name: 'default', namespace: home },
      spec: { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }], orphanedResources: {} },
    });
    const named = (group: string, kind: string, name: string, status: string) => ({
      ...(group === '' ? {} : { group }),
      version: 'v1',
      kind,
      namespace,
      name,
      status,
    });
    await this.#create(applicationKind.type, {
      metadata: { name: 'web', namespace: home },
      spec: {
        project: 'default',
        destination: { server: 'https://kubernetes.default.svc', namespace },
        source: { repoURL: `file://${join(this.folder, 'repo')}`, path: 'web', targetRevision: 'main' },
      },
      status: {
        sync: { status: 'OutOfSync', revision: this.commit },
        health: { status: 'Healthy' },
        resources: [
          named('', 'ConfigMap', 'missing', 'OutOfSync'),
          named('', 'ConfigMap', 'settings', 'OutOfSync'),
          named('', 'Secret', 'password', 'OutOfSync'),
          named('apps', 'Deployment', 'web', 'Synced'),
        ],
      },
    });
  }

  async #startServer({ exec, auditSink }: Parameters<LiveInstallation['start']>[0] & object): Promise<void> {
    const sources = createSources({
      cacheDir: join(this.folder, 'sources'),
      clock: systemClock,
      environment: process.env,
      pollMs: 180_000,
      allowLocal: true,
    });
    this.#close.push(() => sources.close());
    this.server = await startServer({
      client: this.client,
      namespace: home,
      clock: systemClock,
      random: systemRandom,
      log: silentLogger,
      host: '127.0.0.1',
      port: 0,
      version: 'v1',
      signInMs: 0,
      auditSink,
      sources: {
        reader: sources,
        renderer: this.#renders.render,
        cluster: async () => ({ kubeVersion: 'v1.36.0', apiVersions: [] }),
      },
      clusters: {
        inCluster: { ...connectionOver(this.client, silentLogger), ...(exec ? { exec } : {}) },
        connect: (cluster) => connectTo(cluster, { environment: {}, clock: systemClock, log: silentLogger }),
        jq: this.#jq,
        lua: this.#lua,
      },
    });
  }

  /** Definitions are served a moment after they are accepted. */
  async #create(type: ResourceType, object: object): Promise<void> {
    const apiVersion = type.group === '' ? type.version : `${type.group}/${type.version}`;
    const whole: unknown = { apiVersion, kind: type.kind, ...object };
    for (let attempt = 0; ; attempt++) {
      try {
        await this.client.create(type, whole as KubeObject);
        return;
      } catch (error) {
        if (!isNotFound(error) || attempt > 50) throw error;
        await sleep(systemClock, 50);
      }
    }
  }

  async call(
    method: string,
    path: string,
    { as = 'admin', body }: { as?: string; body?: unknown } = {},
  ): Promise<Answer> {
    const answer = await fetch(`http://127.0.0.1:${this.server.port}${path}`, {
      method,
      headers: {
        ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
        authorization: `Bearer ${await this.tokenOf(as)}`,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const [first = ''] = text.split('\n');
    return { status: answer.status, text, body: first.startsWith('{') ? JSON.parse(first) : {} };
  }

  async tokenOf(account: string): Promise<string> {
    const known = this.#tokens.get(account);
    if (known !== undefined) return known;
    const answer = await fetch(`http://127.0.0.1:${this.server.port}/api/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: account, password: 'password' }),
    });
    const { token } = (await answer.json()) as { token: string };
    this.#tokens.set(account, token);
    return token;
  }

  async close(): Promise<void> {
    await this.server.close();
    for (const close of this.#close) await close();
    await Promise.all([this.#renders.close(), this.#jq.close(), this.#lua.close()]);
    await this.client.close();
    await this.cluster.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
