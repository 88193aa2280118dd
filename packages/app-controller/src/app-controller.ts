import { type Application, type AppProject, applicationKind, appProjectKind } from '@fairlead/api';
import { trackingName } from '@fairlead/engine';
import {
  type ApiClient,
  type Clock,
  Controller,
  done,
  type Informer,
  InformerFactory,
  keyOf,
  type Logger,
  type Outcome,
  type Random,
  requeueAfter,
  withoutManagedFields,
} from '@fairlead/kube';
import { createManifestCache, type ManifestCache } from '@fairlead/render';
import { normalizeGitUrl, type StoredCredentials } from '@fairlead/source';
import { ApplicationView } from './application-view.ts';
import { type Clusters, isDestination } from './clusters.ts';
import { deleteApplication } from './delete-application.ts';
import { type DesiredState, sourcesOf } from './desired-state.ts';
import { type Events, noEvents } from './events.ts';
import { FailedRenders } from './failed-renders.ts';
import type { DestinationCluster } from './project.ts';
import { needsRefresh, type RefreshLevel } from './refresh.ts';
import { refreshApplication } from './refresh-application.ts';
import {
  opens,
  RepositoryAccess,
  repositorySecretSelector,
  type SecretObject,
  secretType,
} from './repository-access.ts';
import { runOperation } from './run-operation.ts';
import { keyOfApplication, type Settings, type SourceReader, type World } from './world.ts';

export interface AppControllerOptions {
  /** The API in which Applications live. */
  readonly client: ApiClient;
  readonly clusters: Clusters;
  readonly sources: SourceReader;
  readonly manifests?: ManifestCache;
  readonly events?: Events;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}

interface Memory {
  /** The highest level asked for since the last refresh. */
  requested?: RefreshLevel;
  comparedAt?: number;
  /** What the sources said at the last refresh. */
  desired?: DesiredState;
  /** What chance adds to the age at which a comparison is too old, so that Applications do not come all at once. */
  readonly jitterMs: number;
}

/**
 * Two queues of Applications. A refresh compares and says what it found; when it ends, its key goes to the operations, so that an
 * operation always sees the refreshed state. Deletions are operations too.
 */
export class AppController {
  readonly #world: World;
  readonly #informers: InformerFactory;
  readonly #applications: Informer<Application>;
  readonly #refreshes: Controller;
  readonly #operations: Controller;
  readonly #memory = new Map<string, Memory>();
  readonly #byTrackingName = new Map<string, string>();

  constructor(options: AppControllerOptions) {
    const { client, clusters, clock, random, log, settings, sources } = options;
    this.#informers = new InformerFactory(client, { clock, random, log, transform: withoutManagedFields });
    const informer = this.#informers.informer<Application>(applicationKind.type);
    this.#applications = informer.addIndex('repository', repositoriesOf).addIndex('project', projectNameOf);
    const projects = this.#informers.informer<AppProject>(appProjectKind.type);
    const selection = { namespace: settings.namespace, labelSelector: repositorySecretSelector };
    const secrets = this.#informers.informer<SecretObject>(secretType, selection);
    this.#world = {
      client,
      applications: new ApplicationView(informer),
      projects,
      clusters,
      sources,
      access: new RepositoryAccess(secrets, (entry) => this.#accessChanged(entry)),
      manifests: options.manifests ?? createManifestCache(),
      failures: new FailedRenders(clock),
      events: options.events ?? noEvents,
      clock,
      random,
      log,
      settings,
    };
    this.#refreshes = new Controller({
      name: 'refresh',
      concurrency: 20,
      reconcile: (key, { signal }) => this.#refresh(key, signal),
      clock,
      log,
    });
    this.#operations = new Controller({
      name: 'operation',
      concurrency: 10,
      reconcile: (key, { signal }) => this.#operate(key, signal),
      clock,
      log,
    });
    informer.addHandler({
      onAdd: (application) => this.#remember(application),
      onDelete: (application) => this.#forget(application),
    });
    this.#refreshes.watch(informer);
    projects.addHandler({
      onAdd: (project) => this.#projectChanged(project),
      onUpdate: (_, project) => this.#projectChanged(project),
      onDelete: (project) => this.#projectChanged(project),
    });
  }

  /** Applications as this process knows them. */
  get applications(): Pick<Informer<Application>, 'get' | 'list'> {
    return this.#applications;
  }

  /** Keys that are worked on, or wait to be. */
  get pending(): number {
    return [this.#refreshes, this.#operations].reduce((sum, { backlog, inFlight }) => sum + backlog + inFlight, 0);
  }

  /** Asks for a refresh of an Application, `namespace/name`. The highest level asked for counts. */
  request(key: string, level: RefreshLevel, afterMs = 0): void {
    const memory = this.#memory.get(key);
    if (!memory) return;
    if (memory.requested === undefined || memory.requested < level) memory.requested = level;
    this.#refreshes.enqueueAfter(key, afterMs);
  }

  /** Works until the signal aborts; resolves when all work has ended. */
  async run(signal: AbortSignal): Promise<void> {
    this.#informers.start(signal);
    const stopSource = this.#world.sources.onChange((repository) => this.#repositoryChanged(repository));
    const stopLive = this.#world.clusters.onLiveChange((_, { managedBy, partOf }) => {
      for (const app of managedBy) this.#objectChanged(app, 1);
      for (const app of partOf) this.#objectChanged(app, 0);
    });
    const stopClusters = this.#world.clusters.onClusterChange((cluster) => this.#clusterChanged(cluster));
    // Without all projects and secrets, an Application would look like one whose project or credentials do not exist.
    await this.#informers.waitForSync(signal).catch(() => {});
    await Promise.all([this.#refreshes.run(signal), this.#operations.run(signal)]);
    stopSource();
    stopLive();
    stopClusters();
    await this.#informers.stopped();
  }

  async #refresh(key: string, signal: AbortSignal): Promise<Outcome> {
    const application = this.#world.applications.get(key);
    const memory = this.#memory.get(key);
    if (!application || !memory) return done;
    this.#operations.enqueue(key);
    if (application.metadata.deletionTimestamp) return done;
    const { settings, clock } = this.#world;
    const timeoutMs = settings.refreshMs + memory.jitterMs;
    const { requested, comparedAt } = memory;
    const now = clock.now();
    const refresh = needsRefresh({
      application,
      now,
      timeoutMs,
      ...(requested === undefined ? {} : { requested }),
      ...(comparedAt === undefined ? {} : { comparedAt }),
    });
    if (!refresh) return requeueAfter(Math.max(1000, (comparedAt ?? now) + timeoutMs - now));
    delete memory.requested;
    try {
      const result = await refreshApplication(this.#world, application, refresh, memory.desired, signal);
      if (refresh.level >= 2) memory.comparedAt = now;
      if (result.desired) memory.desired = result.desired;
      this.#operations.enqueue(key);
      if (result.retryMs === undefined) return requeueAfter(timeoutMs);
      memory.requested = maxLevel(memory.requested, 2);
      return requeueAfter(result.retryMs);
    } catch (error) {
      memory.requested = maxLevel(memory.requested, refresh.level);
      throw error;
    }
  }

  async #operate(key: string, signal: AbortSignal): Promise<Outcome> {
    const application = this.#world.applications.get(key);
    if (!application) return done;
    if (application.metadata.deletionTimestamp) {
      const { againMs } = await deleteApplication(this.#world, application, signal);
      return againMs === undefined ? done : requeueAfter(againMs);
    }
    if (!application.operation) return done;
    const { againMs, ended } = await runOperation(this.#world, keyOfApplication(application), signal);
    if (ended) this.request(key, ended.automated ? 2 : 3);
    return againMs === undefined ? done : requeueAfter(againMs);
  }

  #remember(application: Application): void {
    const key = keyOf(application);
    this.#memory.set(key, { jitterMs: Math.floor(this.#world.random() * this.#world.settings.refreshJitterMs) });
    this.#byTrackingName.set(this.#trackingName(application), key);
  }

  #forget(application: Application): void {
    this.#memory.delete(keyOf(application));
    this.#byTrackingName.delete(this.#trackingName(application));
  }

  #trackingName(application: Application): string {
    return trackingName(keyOfApplication(application), this.#world.settings.namespace);
  }

  /** A change of a managed object: compare with the revision that is known. One of a child: only the tree is another. */
  #objectChanged(app: string, level: RefreshLevel): void {
    const key = this.#byTrackingName.get(app);
    if (key === undefined) return;
    this.request(key, level);
    if (this.#world.applications.get(key)?.metadata.deletionTimestamp) this.#operations.enqueue(key);
  }

  #clusterChanged(cluster: DestinationCluster): void {
    for (const application of this.#applications.list()) {
      if (isDestination(application.spec.destination ?? {}, cluster)) this.request(keyOf(application), 2);
    }
  }

  #repositoryChanged(repository: string): void {
    for (const application of this.#applications.byIndex('repository', repository)) this.request(keyOf(application), 2);
  }

  /** What could not be opened before may be now, and the other way about. */
  #accessChanged(entry: StoredCredentials): void {
    for (const application of this.#applications.list()) {
      const { spec } = application;
      const concerned = sourcesOf(spec).some(({ repoURL }) => opens(entry, repoURL, spec.project || 'default'));
      if (concerned) this.request(keyOf(application), 3);
    }
  }

  #projectChanged({ metadata }: AppProject): void {
    if (metadata.namespace !== this.#world.settings.namespace) return;
    for (const application of this.#applications.byIndex('project', metadata.name)) this.request(keyOf(application), 2);
  }
}

const repositoriesOf = ({ spec }: Application): string[] =>
  sourcesOf(spec).map(({ repoURL }) => normalizeGitUrl(repoURL));
const projectNameOf = ({ spec }: Application): string[] => [spec.project || 'default'];

const maxLevel = (a: RefreshLevel | undefined, b: RefreshLevel): RefreshLevel => (a === undefined || a < b ? b : a);
