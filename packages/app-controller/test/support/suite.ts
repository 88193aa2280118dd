import { readFileSync } from 'node:fs';
import {
  type Application,
  applicationKind,
  appProjectKind,
  crdOf,
  kinds,
  type Operation,
  type OperationState,
} from '@fairlead/api';
import { crdType, isAlreadyExists, isNotFound, type KubeObject, type ResourceType } from '@fairlead/apimachinery';
import { startEmbeddedCluster } from '@fairlead/control-plane';
import { createJq, createLua } from '@fairlead/engine';
import {
  type ApiClient,
  accessOf,
  HttpClient,
  parseKubeconfig,
  silentLogger,
  sleep,
  systemClock,
  systemRandom,
} from '@fairlead/kube';
import { AppController } from '../../src/app-controller.ts';
import { connectionOver, connectTo } from '../../src/cluster/cluster-connection.ts';
import { ClusterSet } from '../../src/cluster/cluster-set.ts';
import { inClusterServer } from '../../src/cluster/clusters.ts';
import { defaultSettings, type Settings, type SourceReader } from '../../src/reconcile-env.ts';
import { followInstallation, withInstallation } from '../../src/settings/follow-installation.ts';
import type { Signatures } from '../../src/source/signatures.ts';
import { type RememberingClient, remembering } from './remembering-client.ts';
import { RepositoriesInMemory } from './repositories-in-memory.ts';

const core = (kind: string, plural: string, namespaced = true): ResourceType => ({
  group: '',
  version: 'v1',
  kind,
  plural,
  namespaced,
});
export const types = {
  ConfigMap: core('ConfigMap', 'configmaps'),
  Secret: core('Secret', 'secrets'),
  Service: core('Service', 'services'),
  Pod: core('Pod', 'pods'),
  Namespace: core('Namespace', 'namespaces', false),
  Job: { group: 'batch', version: 'v1', kind: 'Job', plural: 'jobs', namespaced: true },
  Deployment: { group: 'apps', version: 'v1', kind: 'Deployment', plural: 'deployments', namespaced: true },
} satisfies Record<string, ResourceType>;

export type AnyObject = KubeObject & {
  data?: Record<string, string>;
  spec?: Record<string, unknown>;
  status?: Record<string, unknown>;
};

/** A controller on a cluster with nodes: the embedded one, or the one of `npm run e2e -- --kubeconfig FILE`. */
export interface Suite {
  readonly client: ApiClient;
  readonly namespace: string;
  /** Whether nodes are simulated: the behaviour of a container follows from its command. */
  readonly embedded: boolean;
  readonly repositories: RepositoriesInMemory;
  readonly controller: AppController;
  /** The recorded events, as `reason: note`. */
  readonly events: readonly string[];
  readonly clusters: ClusterSet;
  /** Stops the controller in any state, and starts a new one without its memory. */
  restart(): Promise<void>;
  /** Sets the data of `argocd-cm`: all of it. */
  configure(data: Record<string, string>): Promise<void>;
  /** A new Application with a separate namespace and repository. It is synced automatically only if its policy enables that. */
  create(name: string, files: Files, change?: AppChange): Promise<TestApplication>;
  close(): Promise<void>;
}

export type Files = Record<string, object | string>;
export interface AppChange {
  readonly spec?: Partial<Application['spec']>;
  readonly metadata?: Partial<Application['metadata']>;
}

export interface SuiteOptions extends Partial<Settings> {
  /** The user that the controller impersonates on the destination; without it, everything is permitted. */
  readonly as?: string;
  /** A layer between the controller and the destination, such as an admission webhook. */
  readonly through?: (destination: HttpClient) => HttpClient;
  /** Runs before the controller is started. */
  readonly prepare?: (client: ApiClient) => Promise<void>;
  /** Where Applications are read from, instead of repositories in memory; `commit` then does nothing. */
  readonly sources?: SourceReader;
  readonly signatures?: Signatures;
}

export async function openSuite({
  as,
  through,
  prepare,
  sources,
  signatures,
  ...change
}: SuiteOptions = {}): Promise<Suite> {
  const opened = await openTarget(as);
  const target = through ? { ...opened, destination: through(opened.destination) } : opened;
  try {
    const client = remembering(target.client);
    await prepare?.(client);
    return await startOn(target, client, change, {
      ...(sources ? { sources } : {}),
      ...(signatures ? { signatures } : {}),
    });
  } catch (error) {
    await target.close();
    throw error;
  }
}

interface Target {
  readonly client: HttpClient;
  /** For the objects of Applications. */
  readonly destination: HttpClient;
  readonly embedded: boolean;
  close(): Promise<void>;
}

async function startOn(
  target: Target,
  remembered: RememberingClient,
  change: Partial<Settings>,
  { sources, signatures }: Pick<SuiteOptions, 'sources' | 'signatures'>,
): Promise<Suite> {
  const stop = new AbortController();
  const { client } = target;
  const settings: Settings = {
    ...defaultSettings,
    namespace: 'fairlead-e2e',
    pollMs: 250,
    waveDelayMs: 200,
    ...change,
  };
  await install(client, settings.namespace);
  const shared = { clock: systemClock, random: systemRandom, log: silentLogger };
  const installation = await followInstallation(client, settings.namespace, shared, stop.signal);
  const jq = createJq();
  const lua = createLua();
  const clusters = new ClusterSet({
    client,
    namespace: settings.namespace,
    inCluster: connectionOver(target.destination, silentLogger),
    connect: (config) => connectTo(config, { environment: {}, clock: systemClock, log: silentLogger }),
    installation,
    jq,
    lua,
    monitorMs: 1_000,
    ...shared,
  });
  await clusters.start(stop.signal);
  const repositories = new RepositoriesInMemory();
  const events: string[] = [];
  const start = () => {
    const over = new AbortController();
    const controller = new AppController({
      client,
      clusters,
      sources: sources ?? repositories,
      ...(signatures ? { signatures } : {}),
      events: { record: ({ reason, note }) => void events.push(`${reason}: ${note}`) },
      settings: withInstallation(settings, installation),
      onSettingsChange: installation.onChange,
      ...shared,
    });
    return { controller, over, stopped: controller.run(AbortSignal.any([stop.signal, over.signal])) };
  };
  let running = start();
  const made: TestApplication[] = [];
  return {
    client: remembered,
    namespace: settings.namespace,
    embedded: target.embedded,
    repositories,
    get controller() {
      return running.controller;
    },
    clusters,
    events,
    async restart() {
      running.over.abort();
      await running.stopped;
      running = start();
    },
    configure: (data) => configure(remembered, settings.namespace, data),
    async create(name, files, extra = {}) {
      const app = new TestApplication(client, repositories, name, settings.namespace);
      made.push(app);
      await app.create(files, extra);
      return app;
    },
    async close() {
      if (!target.embedded) {
        for (const app of made) await app.discard();
        await remembered.removeAll();
      }
      stop.abort();
      await running.stopped;
      await Promise.all([jq.close(), lua.close()]);
      await target.close();
    },
  };
}

async function openTarget(as?: string): Promise<Target> {
  const named = process.env['FAIRLEAD_E2E_KUBECONFIG'];
  const cluster = named ? undefined : await startEmbeddedCluster({ nodes: 2, speed: 4 });
  const text = named ? readFileSync(named, 'utf8') : cluster!.kubeconfig();
  const access = (await accessOf(parseKubeconfig(text, named ?? 'kubeconfig'))).client;
  const client = new HttpClient(access);
  const destination = as ? new HttpClient({ ...access, impersonate: { user: as } }) : client;
  const close = async (): Promise<void> => {
    await client.close();
    if (as) await destination.close();
    await cluster?.close();
  };
  return { client, destination, embedded: cluster !== undefined, close };
}

async function install(client: ApiClient, namespace: string): Promise<void> {
  const orThere = async (making: Promise<unknown>): Promise<void> => {
    await making.catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
    });
  };
  for (const kind of kinds) await orThere(client.create(crdType, crdOf(kind)));
  await orThere(client.create(types.Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }));
  const spec = {
    sourceRepos: ['*'],
    destinations: [{ server: '*', namespace: '*' }],
    clusterResourceWhitelist: [{ group: '*', kind: '*' }],
  };
  const project = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'default', namespace },
    spec,
  };
  await until('the CRDs are served', () =>
    orThere(client.create(appProjectKind.type, project)).then(
      () => true,
      () => false,
    ),
  );
}

async function configure(client: ApiClient, namespace: string, data: Record<string, string>): Promise<void> {
  const settings = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'argocd-cm', namespace }, data };
  await client.delete(types.ConfigMap, { namespace, name: 'argocd-cm' }).catch(missing);
  await client.create(types.ConfigMap, settings);
}

export async function until(
  what: string,
  holds: () => Promise<boolean> | boolean,
  withinMs = 30_000,
  explain: () => Promise<unknown> = async () => '',
): Promise<void> {
  // A machine that is busy with other tests takes longer; an idle one never reaches this timeout.
  const end = Date.now() + 4 * withinMs;
  while (!(await holds())) {
    if (Date.now() > end)
      throw new Error(`not within ${withinMs} ms: ${what}\n${JSON.stringify(await explain(), null, 1)}`);
    await sleep(systemClock, 25);
  }
}

type Sync = NonNullable<Operation['sync']>;

/** One Application of a suite, with the actions and views of a user. */
export class TestApplication {
  readonly name: string;
  readonly controlPlane: string;
  readonly #client: ApiClient;
  readonly #repositories: RepositoriesInMemory;

  constructor(client: ApiClient, repositories: RepositoriesInMemory, name: string, controlPlane: string) {
    this.#client = client;
    this.#repositories = repositories;
    this.name = name;
    this.controlPlane = controlPlane;
  }

  /** The namespace of its objects. */
  get namespace(): string {
    return `fle-${this.name}`;
  }

  get #key(): { namespace: string; name: string } {
    return { namespace: this.controlPlane, name: this.name };
  }

  async create(files: Files, { spec, metadata }: AppChange = {}): Promise<void> {
    this.commit(files);
    await this.#client.create<Application>(applicationKind.type, {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { ...this.#key, ...metadata },
      spec: {
        project: 'default',
        source: { repoURL: this.repository, path: '.' },
        destination: { server: inClusterServer, namespace: this.namespace },
        syncPolicy: { syncOptions: ['CreateNamespace=true'] },
        ...spec,
      },
    });
  }

  get repository(): string {
    return `https://git.example/${this.name}`;
  }

  /** Objects as files of one commit; its revision. */
  commit(files: Files): string {
    const texts = Object.entries(files).map(([name, content]) => [
      name.includes('.') ? name : `${name}.json`,
      typeof content === 'string' ? content : JSON.stringify(content),
    ]);
    return this.#repositories.commit(this.repository, Object.fromEntries(texts));
  }

  get(): Promise<Application> {
    return this.#client.get<Application>(applicationKind.type, this.#key);
  }

  async exists(): Promise<boolean> {
    return (await this.#client.get(applicationKind.type, this.#key).catch(missing)) !== undefined;
  }

  async state(): Promise<OperationState | undefined> {
    return (await this.get()).status?.operationState;
  }

  patch(body: object): Promise<Application> {
    return this.#client.patch<Application>(applicationKind.type, this.#key, 'merge', body);
  }

  /** Starts a sync without waiting for it. */
  async begin(sync: Partial<Sync> = {}, rest: Omit<Operation, 'sync'> = {}): Promise<void> {
    await until(`${this.name} is idle`, async () => (await this.get()).operation === undefined);
    const syncOptions = (await this.get()).spec.syncPolicy?.syncOptions;
    const full = { ...(syncOptions ? { syncOptions } : {}), ...sync };
    await this.patch({ operation: { sync: full, initiatedBy: { username: 'ada' }, ...rest } });
  }

  /** Syncs and waits for the end. */
  async sync(sync: Partial<Sync> = {}, rest: Omit<Operation, 'sync'> = {}): Promise<OperationState> {
    await this.begin(sync, rest);
    return this.ended();
  }

  async ended(withinMs = 30_000): Promise<OperationState> {
    const over = async (): Promise<boolean> => (await this.get()).operation === undefined;
    await until(`the sync of ${this.name} ends`, over, withinMs, () => this.state());
    return (await this.state())!;
  }

  async reaches(what: string, holds: (application: Application) => boolean, withinMs = 30_000): Promise<Application> {
    await until(
      `${this.name}: ${what}`,
      async () => holds(await this.get()),
      withinMs,
      () => this.get(),
    );
    return this.get();
  }

  find(type: ResourceType, name: string, namespace = this.namespace): Promise<AnyObject | undefined> {
    const key = type.namespaced ? { namespace, name } : { name };
    return this.#client.get<AnyObject>(type, key).catch(missing);
  }

  async list(type: ResourceType): Promise<AnyObject[]> {
    const { items } = await this.#client.list<AnyObject>(type, { namespace: this.namespace });
    return items.filter(({ metadata }) => metadata.name !== 'kube-root-ca.crt');
  }

  async names(type: ResourceType): Promise<string[]> {
    return (await this.list(type)).map(({ metadata }) => metadata.name).sort();
  }

  async delete(): Promise<void> {
    await this.#client.delete(applicationKind.type, this.#key);
  }

  /** Cleans up on a shared cluster. */
  async discard(): Promise<void> {
    await this.patch({ metadata: { finalizers: [] } }).catch(() => {});
    await this.delete().catch(() => {});
    await this.#client.delete(types.Namespace, { name: this.namespace }).catch(() => {});
  }
}

const missing = (error: unknown): undefined => {
  if (isNotFound(error)) return undefined;
  throw error;
};

export const results = (state: OperationState | undefined): string[] =>
  (state?.syncResult?.resources ?? []).map(
    ({ syncPhase, kind, name, status, hookPhase = '', hookType = '' }) =>
      `${syncPhase} ${kind}/${name} ${status} ${hookPhase}${hookType ? ` hook` : ''}`,
  );
