import { type Application, type AppProject, applicationKind, appProjectKind } from '@fairlead/api';
import type { KubeObject, ResourceType } from '@fairlead/apimachinery';
import type { SourceReader } from '@fairlead/app-controller';
import { AppController, defaultSettings, inClusterName, inClusterServer, openCluster } from '@fairlead/app-controller';
import { onlyCluster } from '@fairlead/app-controller/testing';
import type { DiscoveredType } from '@fairlead/engine';
import { type ApiClient, LeaderElector, silentLogger } from '@fairlead/kube';
import { memoryTree, type Tree } from '@fairlead/render';
import { type SourceAddress, SourceError } from '@fairlead/source';
import type { FaultProfile } from '../../fault-profile.ts';
import { SimApiServer } from '../../sim-api-server.ts';
import type { SimProcess } from '../../sim-process.ts';
import type { Simulation } from '../../simulation.ts';
import { around } from './forwarding.ts';

const type = (group: string, kind: string, plural: string, namespaced = true): DiscoveredType => ({
  group,
  version: 'v1',
  kind,
  plural,
  namespaced,
  verbs: ['list', 'watch', 'delete'],
});
export const configMaps = type('', 'ConfigMap', 'configmaps');
export const jobs = type('batch', 'Job', 'jobs');
const namespaces = type('', 'Namespace', 'namespaces', false);
const kinds = [configMaps, jobs, namespaces];

/** A repository in memory: files by commit, one branch. */
class Repository implements SourceReader {
  readonly #trees = new Map<string, Tree>();
  readonly #listeners = new Set<(repository: string) => void>();
  head = '';

  commit(files: Record<string, object>): string {
    this.head = String(this.#trees.size + 1).padStart(40, '0');
    const texts = Object.entries(files).map(([name, object]) => [`${name}.json`, JSON.stringify(object)]);
    this.#trees.set(this.head, memoryTree(Object.fromEntries(texts)));
    for (const listener of this.#listeners) listener(this.keyOf());
    return this.head;
  }

  async resolve(_: SourceAddress, revision: string): Promise<string> {
    return this.#trees.has(revision) ? revision : this.head;
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

const shop: Application = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'shop', namespace: 'argocd', finalizers: ['resources-finalizer.argocd.argoproj.io'] },
  spec: {
    project: 'default',
    source: { repoURL: 'https://example.com/shop.git', path: '.' },
    destination: { server: inClusterServer, namespace: 'web' },
    syncPolicy: {
      automated: { prune: true, selfHeal: true },
      syncOptions: ['CreateNamespace=true'],
      retry: { limit: -1, backoff: { duration: '5s', factor: 2, maxDuration: '30s' } },
    },
  },
};

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

/** The connection of a controller to the server; a test breaks it deliberately. */
export type Wiring = (client: ApiClient) => ApiClient;

/** One Application, a repository, and replicas of a controller of which one is the leader. */
export class SyncSimulation {
  readonly sim: Simulation;
  readonly server: SimApiServer;
  readonly repository = new Repository();
  readonly #wiring: Wiring;
  readonly #replicas: SimProcess[] = [];
  #started = 0;

  constructor(sim: Simulation, faults: FaultProfile, wiring: Wiring = (client) => client) {
    this.sim = sim;
    this.server = new SimApiServer(sim, faults);
    this.#wiring = wiring;
    this.server.store.create(appProjectKind.type, project);
    this.server.store.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } });
  }

  /** Replicas that have not crashed. */
  get replicas(): readonly SimProcess[] {
    return this.#replicas.filter(({ crashed }) => !crashed);
  }

  start(): SimProcess {
    this.#started += 1;
    const process = this.sim.process(`controller-${this.#started}`);
    this.#replicas.push(process);
    const plain = this.server.client(process);
    const { clock, random } = process;
    const identity = process.name;
    const lease = { namespace: 'argocd', name: 'controller' };
    const elector = new LeaderElector(plain, { lease, identity, clock, random });
    const client = this.#wiring(onlyAsLeader(plain, elector));
    const lead = async (signal: AbortSignal): Promise<void> => {
      const shared = { clock, random, log: silentLogger };
      const discover = async () => kinds;
      try {
        const cluster = await openCluster(
          { name: inClusterName, server: inClusterServer, client, clientAs: () => client, discover, ...shared },
          signal,
        );
        const clusters = onlyCluster(cluster);
        const settings = { ...defaultSettings, syncTimeoutMs: 0 };
        await new AppController({ client, clusters, sources: this.repository, settings, ...shared }).run(signal);
      } catch (error) {
        this.sim.check(signal.aborted || process.crashed, `${identity} ended: ${error}`);
      }
    };
    const again = async (): Promise<void> => {
      while (!process.crashed) await elector.run(new AbortController().signal, lead);
    };
    void again();
    return process;
  }

  createApplication(): void {
    this.server.store.create(applicationKind.type, shop);
  }

  get application(): Application | undefined {
    return this.server.store.find<Application>(applicationKind.type, shop.metadata);
  }

  changeApplication(edit: (application: Application) => Application): void {
    const found = this.application;
    if (found) this.server.store.replace(applicationKind.type, edit(found));
  }

  deleteApplication(): void {
    this.server.store.delete(applicationKind.type, shop.metadata);
  }

  find(of: ResourceType, name: string): (KubeObject & { data?: Record<string, string> }) | undefined {
    return this.server.store.find(of, { namespace: 'web', name });
  }

  list(of: ResourceType): (KubeObject & { data?: Record<string, string> })[] {
    return this.server.store.list(of);
  }
}

/** A process that may no longer act sends nothing: after a long pause its clock is checked before any timer fires. */
function onlyAsLeader(client: ApiClient, elector: LeaderElector): ApiClient {
  return around(client, (_, request) =>
    elector.isLeader ? request() : Promise.reject(new Error('this process does not lead')),
  );
}
