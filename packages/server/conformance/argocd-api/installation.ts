import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Application, applicationKind, applicationSetKind, appProjectKind, crdOf } from '@fairlead/api';
import {
  configMapType,
  crdType,
  isAlreadyExists,
  isNotFound,
  type KubeObject,
  must,
  namespaceType,
  type ResourceType,
  secretType,
} from '@fairlead/apimachinery';
import {
  AppController,
  ApplicationSetController,
  applicationSetSettings,
  ClusterSet,
  connectionOver,
  connectTo,
  createForgeHttp,
  defaultSettings,
  followInstallation,
  withInstallation,
} from '@fairlead/app-controller';
import { type EmbeddedCluster, startEmbeddedCluster } from '@fairlead/control-plane';
import { createJq, createLua } from '@fairlead/engine';
import {
  accessOf,
  EventRecorder,
  HttpClient,
  parseKubeconfig,
  silentLogger,
  sleep,
  systemClock,
  systemRandom,
} from '@fairlead/kube';
import { createManifestCache, createRenderPool } from '@fairlead/render';
import { createGpg, createSources } from '@fairlead/source';
import { hashSync } from 'bcryptjs';
import { type RunningServer, type StartServerOptions, startServer } from '../../src/start-server.ts';
import { type AccountSetup, mergeSetups, type Setup } from './api-case.ts';
import { HandledObjects } from './handled-objects.ts';
import { fillIn, type Values } from './placeholders.ts';
import { Repository } from './repository.ts';
import { serverFlags } from './server-flags.ts';
import { startWebServer } from './web-server.ts';

export const namespace = 'argocd';

const workers = {
  renders: undefined as ReturnType<typeof createRenderPool> | undefined,
  jq: undefined as ReturnType<typeof createJq> | undefined,
  lua: undefined as ReturnType<typeof createLua> | undefined,
};

/** A separate installation for each setup: cluster, controller, server, repositories. */
export class Installation {
  readonly values: Values = new Map();
  readonly repositories = new Map<string, Repository>();
  readonly #folder = mkdtempSync(join(tmpdir(), 'argocd-api-'));
  readonly #stop = new AbortController();
  readonly #tokens = new Map<string, string>();
  readonly #handled = new HandledObjects();
  readonly #forges = createForgeHttp({ clock: systemClock, environment: {} });
  #setup: Setup;
  #cluster!: EmbeddedCluster;
  #client!: HttpClient;
  #server!: RunningServer;
  #closing: (() => Promise<unknown>)[] = [];

  private constructor(setup: Setup) {
    this.#setup = setup;
  }

  static async start(setup: Setup, flags: readonly string[]): Promise<Installation> {
    const installation = new Installation(setup);
    await installation.#start(flags);
    return installation;
  }

  get client(): HttpClient {
    return this.#client;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  async #start(flags: readonly string[]): Promise<void> {
    this.#cluster = await startEmbeddedCluster({
      nodes: 2,
      seed: 1,
      nodeEvents: false,
      readyAtOnce: true,
      speed: 5,
      token: 'admintoken',
    });
    const access = await accessOf(parseKubeconfig(this.#cluster.kubeconfig(), 'kubeconfig'));
    this.#client = new HttpClient(access.client);
    for (const kind of [applicationKind, appProjectKind, applicationSetKind])
      await this.#client.create(crdType, crdOf(kind));
    this.values.set('NS', 'apps-one').set('NS2', 'apps-two');
    for (const name of [namespace, 'apps-one', 'apps-two']) {
      await this.#client.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    }
    for (const [name, repo] of Object.entries(this.#setup.repos ?? {})) {
      const repository = new Repository(join(this.#folder, 'git', name.toLowerCase()));
      this.repositories.set(name, repository);
      this.values.set(name, `file://${repository.dir}`);
      for (const commit of repo?.commits ?? []) repository.push(commit);
      if (name === 'REPO') this.#nameCommits();
    }
    await this.#startWebServer();
    await this.#configure(this.#setup);
    await this.apply({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata: { name: 'default', namespace },
      spec: {
        sourceRepos: ['*'],
        destinations: [{ server: '*', namespace: '*' }],
        clusterResourceWhitelist: [{ group: '*', kind: '*' }],
      },
    } as KubeObject);
    await this.#startController();
    this.#server = await startServer({
      client: this.#client,
      namespace,
      clock: systemClock,
      random: systemRandom,
      log: silentLogger,
      host: '127.0.0.1',
      port: 0,
      version: 'v3.6.0',
      signInMs: 0,
      sources: this.#sources(),
      generators: { forges: this.#forges, environment: {} },
      clusters: this.#liveClusters(),
      gpg: this.#gpg(),
      clusterAccess: {
        inCluster: connectionOver(this.#client, silentLogger),
        connect: (config) => connectTo(config, { environment: {}, clock: systemClock, log: silentLogger }),
      },
      ...serverFlags(flags),
    });
    this.values.set('HOST', `127.0.0.1:${this.#server.port}`);
    for (const object of this.#setup.objects ?? []) await this.apply(fillIn(object, this.values));
    // Sessions of cases begin before their first step.
    if (this.#setup.accounts?.['admin']) await this.tokenOf('admin');
    await this.#settle();
  }

  async #startWebServer(): Promise<void> {
    const web = await startWebServer(join(this.#folder, 'git'));
    this.#closing.push(() => web.close());
    const at = `http://${web.host}`;
    this.values
      .set('KUBE', new URL(this.#cluster.url).host)
      .set('HTTP', web.host)
      .set('HTTPGIT', `${at}/git/1/repo.git`)
      .set('HTTPWEB', `${at}/git/1/repo`)
      .set('HTTPAUTH', `${at}/auth/1/repo.git`)
      .set('HELMREPO', `${at}/charts`)
      .set('HELMAUTH', `${at}/auth-charts`);
  }

  #nameCommits(): void {
    for (const [i, sha] of (this.repositories.get('REPO')?.commits ?? []).entries()) this.values.set(`COMMIT${i}`, sha);
  }

  async push(name: string, commit: Parameters<Repository['push']>[0]): Promise<void> {
    this.repositories.get(name)?.push(fillIn(commit, this.values));
    this.#nameCommits();
  }

  /** Changed settings add to those that are there. */
  async change(settings: Setup): Promise<void> {
    this.#setup = mergeSetups(this.#setup, settings);
    await this.#configure(this.#setup);
  }

  async #configure(setup: Setup): Promise<void> {
    const accounts = Object.entries(setup.accounts ?? {}).flatMap(([name, account]): [string, AccountSetup][] =>
      account ? [[name, account]] : [],
    );
    const settings: Record<string, string> = { ...clean(setup['argocd-cm']) };
    const secret: Record<string, string> = {
      'server.secretkey': 'c2VjcmV0LWtleS1vZi10aGUtc2VydmVy',
      ...clean(setup['argocd-secret']),
    };
    for (const [name, { password = '', capabilities = 'login', enabled = true }] of accounts) {
      const prefix = name === 'admin' ? 'admin' : `accounts.${name}`;
      if (name !== 'admin') settings[prefix] = capabilities;
      if (!enabled) settings[`${prefix}.enabled`] = 'false';
      secret[`${prefix}.password`] = hashOf(password);
      secret[`${prefix}.passwordMtime`] = '2024-01-01T00:00:00Z';
    }
    const filled = { settings: fillIn(settings, this.values), secret: fillIn(secret, this.values) };
    const maps = {
      'argocd-cm': filled.settings,
      'argocd-rbac-cm': fillIn(clean(setup['argocd-rbac-cm']), this.values),
      'argocd-notifications-cm': clean(setup['argocd-notifications-cm']),
    };
    for (const [name, data] of Object.entries(maps))
      await this.#put(configMapType, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name, namespace },
        data,
      } as KubeObject);
    const encoded = Object.fromEntries(
      Object.entries(filled.secret).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
    );
    await this.#put(secretType, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'argocd-secret', namespace },
      data: encoded,
    } as KubeObject);
  }

  /** Keys that a step does not mention stay: tokens of accounts are in the Secret. */
  async #put(type: ResourceType, object: KubeObject): Promise<void> {
    const key = { namespace, name: object.metadata.name ?? '' };
    try {
      await this.#client.create(type, object);
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      await this.#client.patch(type, key, 'merge', object);
    }
  }

  async apply(object: KubeObject): Promise<void> {
    const type = await this.typeOf(object);
    const placed = {
      ...object,
      metadata: {
        ...object.metadata,
        ...(type.namespaced ? { namespace: object.metadata.namespace ?? namespace } : {}),
      },
    };
    for (let attempt = 0; ; attempt++) {
      try {
        await this.#client.patch(
          type,
          {
            name: placed.metadata.name ?? '',
            ...(type.namespaced ? { namespace: placed.metadata.namespace ?? '' } : {}),
          },
          'apply',
          placed,
          { fieldManager: 'setup', force: true },
        );
        return;
      } catch (error) {
        if (!isNotFound(error) || attempt > 50) throw error;
        await sleep(systemClock, 50);
      }
    }
  }

  async typeOf({ apiVersion, kind }: { apiVersion?: string; kind?: string }): Promise<ResourceType> {
    const all = this.#cluster.api.registry.all();
    const found = all.find(
      (type) =>
        type.kind === kind &&
        (apiVersion === undefined || (type.group ? `${type.group}/${type.version}` : type.version) === apiVersion),
    );
    if (!found) throw new Error(`the cluster does not serve ${apiVersion} ${kind}`);
    return found;
  }

  async #startController(): Promise<void> {
    workers.renders ??= createRenderPool({ workers: 1, timeMs: 60_000 });
    workers.jq ??= createJq({ timeMs: 10_000 });
    workers.lua ??= createLua();
    const shared = { clock: systemClock, random: systemRandom, log: silentLogger };
    const client = this.#client;
    const followed = await followInstallation(client, namespace, shared, this.#stop.signal);
    const clusters = new ClusterSet({
      client,
      namespace,
      inCluster: connectionOver(client, silentLogger),
      connect: (config) => connectTo(config, { environment: {}, clock: systemClock, log: silentLogger }),
      installation: followed,
      jq: workers.jq,
      lua: workers.lua,
      ...shared,
    });
    await clusters.start(this.#stop.signal);
    const sources = createSources({
      cacheDir: join(this.#folder, 'sources'),
      clock: systemClock,
      environment: process.env,
      pollMs: 180_000,
      allowLocal: true,
    });
    const pool = workers.renders;
    const events = new EventRecorder(client, { controller: 'fairlead.dev/app-controller', instance: 'conformance' });
    const controller = new AppController({
      client,
      clusters,
      sources,
      manifests: createManifestCache({ renderer: (...args) => pool.render(...args) }),
      settings: withInstallation({ ...defaultSettings, namespace, waveDelayMs: 0 }, followed),
      onSettingsChange: followed.onChange,
      events,
      ...shared,
    });
    const sets = new ApplicationSetController({
      client,
      sources,
      forges: this.#forges,
      jq: workers.jq,
      events,
      settings: () => applicationSetSettings(followed, { namespace }),
      onSettingsChange: followed.onChange,
      ...shared,
    });
    const stopped = Promise.all([controller.run(this.#stop.signal), sets.run(this.#stop.signal)]);
    this.#closing.push(async () => {
      await stopped;
      await this.#forges.close();
      await events.close();
      sources.close();
    });
  }

  #sources(): NonNullable<StartServerOptions['sources']> {
    const reader = createSources({
      cacheDir: join(this.#folder, 'server-sources'),
      clock: systemClock,
      environment: process.env,
      pollMs: 180_000,
      allowLocal: true,
    });
    this.#closing.push(async () => reader.close());
    const pool = workers.renders;
    return {
      reader,
      renderer: (...args) => must(pool, 'render pool').render(...args),
      cluster: async () => ({ kubeVersion: 'v1.36.3', apiVersions: ['v1'] }),
    };
  }

  #liveClusters(): NonNullable<StartServerOptions['clusters']> {
    return {
      inCluster: connectionOver(this.#client, silentLogger),
      connect: (config) => connectTo(config, { environment: {}, clock: systemClock, log: silentLogger }),
      jq: must(workers.jq, 'jq'),
      lua: must(workers.lua, 'lua'),
    };
  }

  #gpg(): NonNullable<StartServerOptions['gpg']> {
    const gpg = createGpg({ dir: join(this.#folder, 'gnupg'), environment: process.env });
    this.#closing.push(() => gpg.close());
    return gpg;
  }

  /** Until Applications were compared, and those that shall be synced are. */
  async #settle(): Promise<void> {
    const named = (this.#setup.objects ?? []).filter(({ kind }) => kind === 'Application');
    for (const name of this.#setup.sync ?? []) {
      await this.#until(name, ({ status }) => status?.sync?.status !== undefined);
      await fetch(`${this.url}/api/v1/applications/${name}/sync`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${await this.tokenOf('admin')}` },
        body: '{}',
      });
    }
    const synced = new Set([...(this.#setup.sync ?? []), ...(this.#setup.synced ?? [])]);
    for (const { metadata } of named) {
      const isDone = ({ status, operation }: Application): boolean => {
        if (!synced.has(metadata.name ?? '')) return status?.sync?.status !== undefined;
        return status?.sync?.status === 'Synced' && status.health?.status === 'Healthy' && operation === undefined;
      };
      await this.#until(metadata.name ?? '', isDone, metadata.namespace);
    }
    if ((this.#setup.objects ?? []).some(({ kind }) => kind === 'ApplicationSet')) await this.quiet();
  }

  /** Waits until the controllers have handled what is there: on a busy machine they may be later than the next step. */
  quiet(): Promise<void> {
    return this.#handled.wait(this.#client);
  }

  async #until(name: string, isDone: (application: Application) => boolean, inNamespace = namespace): Promise<void> {
    for (let attempt = 0; attempt < 300; attempt++) {
      const application = await this.#client.get<Application>(applicationKind.type, { namespace: inNamespace, name });
      if (isDone(application)) return;
      await sleep(systemClock, 50);
    }
  }

  passwordOf(account: string): string {
    return this.#setup.accounts?.[account]?.password ?? '';
  }

  /** Signs in as an account; once for all steps. */
  async tokenOf(account: string): Promise<string> {
    const known = this.#tokens.get(account);
    if (known !== undefined) return known;
    const password = this.passwordOf(account);
    const answer = await fetch(`${this.url}/api/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: account, password }),
    });
    const { token = '' } = (await answer.json()) as { token?: string };
    if (token !== '') this.#tokens.set(account, token);
    return token;
  }

  async close(): Promise<void> {
    await this.#server.close();
    this.#stop.abort();
    for (const close of this.#closing) await close();
    await this.#client.close();
    await this.#cluster.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

const hashes = new Map<string, string>();

function hashOf(password: string): string {
  const known = hashes.get(password) ?? hashSync(password, 4);
  hashes.set(password, known);
  return known;
}

const clean = (data: Setup['argocd-cm'] = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(data).flatMap(([key, text]) => (text === null ? [] : [[key, text]])));

export async function closeWorkers(): Promise<void> {
  await workers.renders?.close();
  await workers.jq?.close();
  await workers.lua?.close();
  workers.renders = undefined;
  workers.jq = undefined;
  workers.lua = undefined;
}
