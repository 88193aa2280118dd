import { type Application, type AppProject, applicationKind, appProjectKind } from '@fairlead/api';
import type { KubeObject, ResourceType } from '@fairlead/apimachinery';
import type { DiscoveredType } from '@fairlead/engine';
import { type ApiClient, silentLogger } from '@fairlead/kube';
import { memoryTree, type Tree } from '@fairlead/render';
import {
  type FaultProfile,
  noFaults,
  SimApiServer,
  type SimProcess,
  type SimStore,
  type Simulation,
} from '@fairlead/sim';
import { type SourceAddress, SourceError } from '@fairlead/source';
import { AppController } from '../../src/app-controller.ts';
import { openCluster } from '../../src/cluster/cluster.ts';
import { inClusterName, inClusterServer } from '../../src/cluster/clusters.ts';
import { defaultSettings, type Settings, type SourceReader } from '../../src/reconcile-env.ts';
import { onlyCluster } from './only-cluster.ts';

const verbs = ['list', 'watch', 'delete'];
export const configMaps: DiscoveredType = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
  verbs,
};
export const secrets: DiscoveredType = {
  group: '',
  version: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  namespaced: true,
  verbs,
};
export const claims: DiscoveredType = {
  group: '',
  version: 'v1',
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
  namespaced: true,
  verbs,
};
const namespaces: DiscoveredType = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
  verbs,
};

/** A repository in memory: files by commit, one branch. */
export class MemorySources implements SourceReader {
  readonly #trees = new Map<string, Tree>();
  readonly #listeners = new Set<(repository: string) => void>();
  head = '';
  resolutions = 0;
  /** The head for callers that accept a cached revision. */
  #lastSeen = '';
  /** When set, every read of the repository fails with it. */
  broken: string | undefined;

  commit(files: Record<string, string>): string {
    this.commitUnseen(files);
    this.#lastSeen = this.head;
    for (const listener of this.#listeners) listener(this.keyOf());
    return this.head;
  }

  /** A commit without a webhook. */
  commitUnseen(files: Record<string, string>): void {
    this.head = String(this.#trees.size + 1).padStart(40, '0');
    this.#trees.set(this.head, memoryTree(files));
  }

  async resolve(
    _: SourceAddress,
    revision: string,
    { fresh = false }: { readonly fresh?: boolean } = {},
  ): Promise<string> {
    if (this.broken) throw new SourceError('RepositoryUnavailable', this.broken);
    if (this.#trees.has(revision)) return revision;
    if (fresh) {
      this.resolutions += 1;
      this.#lastSeen = this.head;
    }
    return this.#lastSeen;
  }

  async tree(_: SourceAddress, commit: string): Promise<Tree> {
    return this.#trees.get(commit)!;
  }

  async file(url: string): Promise<Tree> {
    throw new SourceError('RepositoryNotFound', `${url} was not found`);
  }

  onChange(listener: (repository: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  keyOf(): string {
    return 'https://example.com/shop';
  }
}

export const application = (change: Partial<Application['spec']> = {}): Application => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'shop', namespace: 'argocd', finalizers: ['resources-finalizer.argocd.argoproj.io'] },
  spec: {
    project: 'default',
    source: { repoURL: 'https://example.com/shop.git', path: '.' },
    destination: { server: inClusterServer, namespace: 'web' },
    syncPolicy: { automated: { prune: true, selfHeal: true }, syncOptions: ['CreateNamespace=true'] },
    ...change,
  },
});

const project: AppProject = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name: 'default', namespace: 'argocd' },
  spec: {
    sourceRepos: ['*'],
    destinations: [{ server: '*', namespace: '*' }],
    clusterResourceWhitelist: [{ group: '*', kind: '*' }],
  },
};

export const configMap = (
  name: string,
  data: Record<string, string> = {},
  annotations: Record<string, string> = {},
): string => JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, annotations }, data });

/** A controller, a repository and an API server in one simulation. */
export class ControllerSimulation {
  readonly sim: Simulation;
  readonly server: SimApiServer;
  readonly sources = new MemorySources();
  /** Writes that reached the server, as `verb kind name`. */
  readonly writes: string[] = [];
  /** The recorded events, as `reason: note`. */
  readonly events: string[] = [];
  settings: Settings = defaultSettings;
  /** The controller that was started last. */
  running: { readonly process: SimProcess; stop(): void } | undefined;
  /** Notifies the controllers of changed settings. */
  settingsChanged: () => void = () => {};
  /** Objects whose creation no watch reports. */
  loses: (object: KubeObject) => boolean = () => false;

  constructor(sim: Simulation, faults: FaultProfile = noFaults) {
    this.sim = sim;
    this.server = new SimApiServer(sim, faults);
    removeAbsentFields(this.server.store);
    this.server.store.create(appProjectKind.type, project);
    this.server.store.onEvent(({ type, object }) => this.writes.push(`${type} ${object.kind} ${object.metadata.name}`));
  }

  /** Starts a controller; the function returned stops it. */
  start(name = 'controller'): { readonly process: SimProcess; stop(): void } {
    const process = this.sim.process(name);
    const stop = new AbortController();
    const client = losing(withDryRun(this.server.client(process)), (object) => this.loses(object));
    const shared = { clock: process.clock, random: process.random, log: silentLogger };
    const discover = async (): Promise<DiscoveredType[]> => [configMaps, secrets, claims, namespaces];
    void openCluster(
      { name: inClusterName, server: inClusterServer, client, clientAs: () => client, discover, ...shared },
      stop.signal,
    )
      .then((cluster) =>
        new AppController({
          client,
          clusters: onlyCluster(cluster),
          sources: this.sources,
          events: { record: ({ reason, note }) => void this.events.push(`${reason}: ${note}`) },
          settings: this.settings,
          onSettingsChange: (listener) => {
            this.settingsChanged = listener;
            return () => {};
          },
          ...shared,
        }).run(stop.signal),
      )
      .catch((error: unknown) => {
        if (!stop.signal.aborted) this.sim.check(false, `the controller ended: ${error}`);
      });
    this.running = { process, stop: () => stop.abort() };
    return this.running;
  }

  create(app: Application): void {
    this.server.store.create(applicationKind.type, app);
  }

  get application(): Application | undefined {
    return this.server.store.find(applicationKind.type, { namespace: 'argocd', name: 'shop' }) as
      | Application
      | undefined;
  }

  /** Gives the default project other rules. */
  rule(change: Partial<AppProject['spec']>, metadata: Partial<AppProject['metadata']> = {}): void {
    const found = this.server.store.find(appProjectKind.type, project.metadata) as AppProject;
    const { resourceVersion: _, ...kept } = found.metadata;
    this.server.store.replace(appProjectKind.type, {
      ...found,
      metadata: { ...kept, ...metadata },
      spec: { ...project.spec, ...change },
    } as AppProject);
  }

  /** The conditions of the Application, as `type: message`. */
  get conditions(): string[] {
    return (this.application?.status?.conditions ?? []).map(({ type, message }) => `${type}: ${message}`);
  }

  change(edit: (application: Application) => Application): void {
    const { resourceVersion: _, ...metadata } = this.application!.metadata;
    this.server.store.replace(applicationKind.type, edit({ ...this.application!, metadata }));
  }

  find(type: ResourceType, name: string): (KubeObject & { data?: Record<string, string> }) | undefined {
    return this.server.store.find(type, { namespace: 'web', name });
  }

  get comparedPath(): string | undefined {
    return this.application?.status?.sync?.comparedTo?.source?.path;
  }

  get sync(): string | undefined {
    return this.application?.status?.sync?.status;
  }

  /** Whether the ConfigMaps of the cluster and their data equal these, and the Application is Synced and Healthy. */
  isSettledOn(expected: Record<string, Record<string, string>>): boolean {
    const live = this.server.store.list(configMaps) as (KubeObject & { data?: object })[];
    const same =
      JSON.stringify(Object.fromEntries(live.map((object) => [object.metadata.name, object.data]))) ===
      JSON.stringify(expected);
    return same && this.sync === 'Synced' && this.application?.operation === undefined;
  }
}

/** A replace removes the fields that the new object does not have; the simulated store keeps them. */
function removeAbsentFields(store: SimStore): void {
  const replace = store.replace.bind(store);
  store.replace = (type, object) => {
    const gone = Object.keys(store.find(type, object.metadata) ?? {}).filter((name) => !(name in object));
    return replace(type, { ...Object.fromEntries(gone.map((name) => [name, undefined])), ...object });
  };
}

/** The simulated server has no dry run: such a write is ignored, and its input is returned. */
function withDryRun(client: ApiClient): ApiClient {
  return {
    get: client.get.bind(client),
    list: client.list.bind(client),
    watch: client.watch.bind(client),
    delete: client.delete.bind(client),
    deleteCollection: client.deleteCollection.bind(client),
    create: (type, object, options) =>
      options?.dryRun ? Promise.resolve(object) : client.create(type, object, options),
    replace: (type, object, options) =>
      options?.dryRun ? Promise.resolve(object) : client.replace(type, object, options),
    patch: (type, key, patchType, body, options) => {
      if (!options?.dryRun) return client.patch(type, key, patchType, body, options);
      return Promise.resolve(body as never);
    },
  };
}

/** Watches that do not report some objects. */
function losing(client: ApiClient, loses: (object: KubeObject) => boolean): ApiClient {
  const watch: ApiClient['watch'] = async function* (type, options) {
    for await (const event of client.watch(type, options)) {
      if (event.type !== 'ADDED' || !loses(event.object)) yield event as never;
    }
  };
  return { ...client, watch };
}
