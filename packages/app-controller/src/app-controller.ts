import { type Application, type AppProject, applicationKind, appProjectKind } from '@fairlead/api';
import { find, keyOf, parseKey, type Secret, secretType } from '@fairlead/apimachinery';
import { knownAnnotations } from '@fairlead/engine';
import {
  type ApiClient,
  type Clock,
  Controller,
  controllerMetrics,
  done,
  type Informer,
  InformerFactory,
  Lanes,
  type Logger,
  type MetricsRegistry,
  type Outcome,
  type Random,
  type Reconcile,
  type ReconcileContext,
  type RoleReport,
  requeueAfter,
  withoutManagedFields,
} from '@fairlead/kube';
import { createManifestCache, type ManifestCache } from '@fairlead/render';
import { normalizeGitUrl, type Sources, type StoredCredentials } from '@fairlead/source';
import { type Clusters, isClusterProblem, isDestination } from './cluster/clusters.ts';
import { withoutHoldingWorkers } from './cluster/slow-clusters.ts';
import { deleteApplication } from './deletion/delete-application.ts';
import type { HydrationWriter } from './hydrator/hydration-writer.ts';
import { Hydrator } from './hydrator/hydrator.ts';
import { isWatchedNamespace } from './project/application-namespaces.ts';
import { globalsOf } from './project/global-projects.ts';
import { type DestinationCluster, isSourceNamespacePermitted } from './project/project.ts';
import { refreshProject } from './project/project-refresh.ts';
import type { ReconcileEnv, Settings, SourceReader, SyncGate } from './reconcile-env.ts';
import { ApplicationStates, projectNameOf } from './refresh/application-states.ts';
import { ApplicationView } from './refresh/application-view.ts';
import { RecentFetches } from './refresh/recent-fetches.ts';
import { isAutomationNew, needsRefresh, type Refresh, type RefreshLevel, refreshLevels } from './refresh/refresh.ts';
import { refreshApplication } from './refresh/refresh-application.ts';
import { type RefreshState, requestRefresh } from './refresh/refresh-state.ts';
import { everything, type Shard, whileOwned } from './shard.ts';
import { sourcesOf } from './source/desired-state.ts';
import { FailedRenders } from './source/failed-renders.ts';
import { opens, RepositoryAccess, repositorySecretSelector } from './source/repository-access.ts';
import { requiresSignatures } from './source/signature-policy.ts';
import { noSignatures, type Signatures } from './source/signatures.ts';
import { endsSourceWait, SourceWaitCanceled, SourceWaits } from './source/source-waits.ts';
import type { AppMetrics } from './status/app-metrics.ts';
import { type Events, noEvents } from './status/events.ts';
import { runOperation } from './sync/run-operation.ts';
import { endHooks } from './sync/terminate.ts';
import { locationsFollowed } from './webhook/affected.ts';

export interface AppControllerOptions {
  /** The API in which Applications live. */
  readonly client: ApiClient;
  readonly clusters: Clusters;
  readonly sources: SourceReader;
  readonly manifests?: ManifestCache;
  readonly events?: Events;
  /** Verifies signatures that projects require; without it, no source of such a project is deployed. */
  readonly signatures?: Signatures;
  /** For queue metrics. */
  readonly registry?: MetricsRegistry;
  readonly metrics?: AppMetrics;
  /** Called before the first step of each sync. */
  readonly gate?: SyncGate;
  /** Commits rendered manifests for Applications with `sourceHydrator`; without it, they are only synced. */
  readonly hydration?: { readonly writer: HydrationWriter; readonly commit: Sources['commit'] };
  /** Whether an Application is reconciled by the controller of another cluster, behind an agent. */
  readonly isElsewhere?: (application: Application) => boolean;
  /** The share of this replica; all Applications by default. */
  readonly shard?: Shard;
  readonly settings: Settings;
  /** Called when the settings change. */
  readonly onSettingsChange?: (listener: () => void) => () => void;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}

/** While a sync runs, its objects change one after the other: they are reconciled together. */
const duringSyncMs = { refresh: 1_000, operation: 200 };

/** A window may open next month; timers are not set that far ahead. */
const maxTimerMs = 24 * 3_600_000;

/**
 * Four queues.
 *
 * - `refresh` (20 workers) compares an Application and writes the result. When it ends, its key goes to
 * - `operation` (10), which syncs and deletes: so an operation always has the refreshed state.
 * - `comparison` (1) has requests for a refresh that are due later; its keys are `namespace/name/level`.
 * - `project` (1) removes the finalizers of deleted projects, and refreshes the Applications of a changed one.
 *
 * Within a queue an Application is reconciled by one worker at a time, and projects alternate: a thousand Applications of one project delay
 * only that project. If a reconcile throws, the queue continues, and the key is retried after a delay.
 */
export class AppController {
  readonly #env: ReconcileEnv;
  readonly #informers: InformerFactory;
  readonly #applications: Informer<Application>;
  readonly #projects: Informer<AppProject>;
  readonly #refreshes: Controller;
  readonly #operations: Controller;
  readonly #comparisons: Controller;
  readonly #projectRefreshes: Controller;
  readonly #states: ApplicationStates;
  readonly #sourceWaits = new SourceWaits();
  readonly #hydrator: Hydrator | undefined;
  /** Projects that report orphans. Changes of objects that belong to no Application are very frequent. */
  readonly #orphanWatchers = new Set<string>();
  /** Applications that a worker is syncing or deleting. */
  readonly #operating = new Set<string>();
  /** Applications that were deleted during a sync. */
  readonly #abandoned = new Map<string, Application>();

  readonly #shard: Shard;
  /** Applications that another replica worked on before: its last writes may not be in the cache yet. */
  readonly #gained = new Set<string>();
  readonly #isElsewhere: (application: Application) => boolean;
  readonly #onSettingsChange: NonNullable<AppControllerOptions['onSettingsChange']>;

  constructor(options: AppControllerOptions) {
    this.#isElsewhere = options.isElsewhere ?? (() => false);
    this.#shard = options.shard ?? everything;
    this.#onSettingsChange = options.onSettingsChange ?? (() => () => {});
    const { client, clusters, clock, random, log, settings, sources, registry } = options;
    this.#states = new ApplicationStates(settings, random);
    this.#informers = new InformerFactory(client, { clock, random, log, transform: withoutManagedFields });
    const informer = this.#informers.informer<Application>(applicationKind.type);
    this.#applications = informer
      .addIndex('repository', repositoriesOf)
      .addIndex('location', locationsFollowed)
      .addIndex('project', (application) => [projectNameOf(application)])
      .addIndex('namespace', ({ spec }) => [spec.destination?.namespace ?? '']);
    this.#projects = this.#informers.informer<AppProject>(appProjectKind.type);
    const selection = { namespace: settings.namespace, labelSelector: repositorySecretSelector };
    const secrets = this.#informers.informer<Secret>(secretType, selection);
    const serverOf = ({ spec }: Application): string => {
      const cluster = clusters.find(spec.destination ?? {});
      return isClusterProblem(cluster) ? '' : cluster.server;
    };
    const access = new RepositoryAccess(secrets, (entry) => this.#accessChanged(entry));
    this.#env = {
      client,
      applications: new ApplicationView(informer),
      projects: this.#projects,
      clusters,
      sources,
      access,
      manifests: options.manifests ?? createManifestCache(),
      failures: new FailedRenders(clock),
      signatures: options.signatures ?? noSignatures,
      recentFetches: new RecentFetches(clock),
      events: options.events ?? noEvents,
      ...(options.metrics ? { metrics: options.metrics } : {}),
      ...(options.gate ? { gate: options.gate } : {}),
      clock,
      random,
      log,
      settings,
    };
    this.#hydrator = options.hydration && this.#createHydrator(options.hydration, access);
    options.metrics?.describe({ applications: () => this.applications.list(), serverOf });
    const queue = (name: string, concurrency: number, reconcile: Reconcile, fair = true): Controller => {
      const metrics = registry && controllerMetrics(registry, name);
      const lanes = new Lanes({
        laneOf: (key) => this.#states.laneOf(key),
        onIdle: (lane) => metrics?.laneIdle(lane),
      });
      return new Controller({
        name,
        concurrency,
        reconcile,
        clock,
        log,
        ...(fair ? { order: lanes } : {}),
        ...(metrics ? { metrics } : {}),
      });
    };
    const owned = (reconcile: Reconcile): Reconcile => whileOwned(this.#shard, reconcile);
    this.#refreshes = queue(
      'app_reconciliation_queue',
      20,
      owned((key, context) => this.#refresh(key, context)),
    );
    this.#operations = queue(
      'app_operation_processing_queue',
      10,
      owned((key, context) => this.#operate(key, context)),
    );
    this.#comparisons = queue('app_comparison_type_queue', 1, (key) => this.#due(key), false);
    this.#projectRefreshes = queue(
      'project_reconciliation_queue',
      1,
      (key, { signal }) => this.#refreshProject(key, signal),
      false,
    );
    informer.addHandler({
      onAdd: (application) => {
        this.#states.remember(application);
        this.#hydrator?.changed(undefined, application);
      },
      onUpdate: (old, application) => {
        this.#changed(old, application);
        this.#hydrator?.changed(old, application);
      },
      onDelete: (application) => this.#forget(application),
    });
    this.#projects.addHandler({
      onAdd: (project) => this.#updateOrphanWatchers(project),
      onUpdate: (_, project) => this.#updateOrphanWatchers(project),
      onDelete: (project) => this.#updateOrphanWatchers(project, true),
    });
    this.#refreshes.watch(informer);
    this.#projectRefreshes.watch(this.#projects);
  }

  #createHydrator(hydration: NonNullable<AppControllerOptions['hydration']>, access: RepositoryAccess): Hydrator {
    return new Hydrator({
      ...hydration,
      env: this.#env,
      applications: () => this.applications.list(),
      writeCredentialsFor: (url, project) => access.writeCredentialsFor(url, project),
      refresh: (key) => this.request(key, 2),
    });
  }

  /** The Applications that this replica reconciles, as known to this process. */
  get applications(): Pick<Informer<Application>, 'get' | 'list'> & {
    /** Applications with a source at a location, as webhooks name it, also those of other shards. */
    at(location: string): Application[];
  } {
    const all = this.#applications;
    const managed = (applications: readonly Application[]): Application[] =>
      applications.filter((application) => this.#isManaged(application));
    return {
      get: (key) => all.get(key),
      list: () => managed(all.list()).filter((application) => this.#shard.owns(keyOf(application))),
      at: (location) => managed(all.byIndex('location', location)),
    };
  }

  /** Adds the queues of the controller to the report of its role. */
  reportTo(report: RoleReport): void {
    report.queue('refresh', () => this.#refreshes.queueStatus);
    report.queue('operation', () => this.#operations.queueStatus);
    report.queue('project', () => this.#projectRefreshes.queueStatus);
  }

  /** Keys that are being processed or waiting. */
  get pending(): number {
    return [this.#refreshes, this.#operations, this.#comparisons, this.#projectRefreshes].reduce(
      (sum, { backlog, inFlight }) => sum + backlog + inFlight,
      0,
    );
  }

  /** Requests a refresh of an Application, `namespace/name`, now or after a delay. The highest requested level counts. */
  request(key: string, level: RefreshLevel, afterMs = 0): void {
    if (afterMs > 0) return this.#comparisons.enqueueAfter(`${key}/${level}`, afterMs);
    const state = this.#states.get(key);
    // One that this replica gains later is compared then in any case.
    if (!state || !this.#shard.owns(key)) return;
    requestRefresh(state, level);
    this.#refreshes.enqueue(key);
  }

  /** Runs until the signal aborts; resolves when all work has ended. */
  async run(signal: AbortSignal): Promise<void> {
    this.#informers.start(signal);
    const { sources, clusters } = this.#env;
    const stops = [
      sources.onChange((repository) => this.#repositoryChanged(repository)),
      clusters.onLiveChange((_, { id, managedBy, partOf }) => {
        for (const app of managedBy) this.#objectChanged(app, 1);
        for (const app of partOf) this.#objectChanged(app, 0);
        if (managedBy.length === 0 && partOf.length === 0 && id.namespace !== '') this.#untrackedChanged(id.namespace);
      }),
      clusters.onClusterChange((cluster) => this.#clusterChanged(cluster)),
      this.#onSettingsChange(() => this.#settingsChanged()),
      this.#env.signatures.onChange(() => this.#keysChanged()),
      this.#shard.onChange((before, after) => this.#shardChanged(before.owns, after.owns)),
    ];
    // Without all projects and Secrets, the project or the credentials of an Application would seem not to exist.
    await this.#informers.waitForSync(signal).catch(() => {});
    this.#hydrator?.start(signal);
    const queues = [this.#refreshes, this.#operations, this.#comparisons, this.#projectRefreshes];
    await Promise.all(queues.map((one) => one.run(signal)));
    for (const stop of stops) stop();
    await this.#informers.stopped();
  }

  async #refresh(key: string, context: ReconcileContext): Promise<Outcome> {
    await this.#readIfGained(key, context.signal);
    const application = this.#env.applications.get(key);
    const state = this.#states.get(key);
    if (!application || !state || !this.#isManaged(application)) return done;
    if (application.operation || application.metadata.deletionTimestamp) this.#operations.enqueue(key);
    if (application.metadata.deletionTimestamp) return done;
    const { settings, clock } = this.#env;
    const now = clock.now();
    const timeoutMs = settings.refreshMs > 0 ? settings.refreshMs + state.jitterMs : 0;
    const { requested, comparedAt, renewedAt } = state;
    const refresh = needsRefresh({
      application,
      now,
      timeoutMs,
      hardTimeoutMs: settings.hardRefreshMs,
      ...(requested === undefined ? {} : { requested }),
      ...(comparedAt === undefined ? {} : { comparedAt }),
      ...(renewedAt === undefined ? {} : { renewedAt }),
    });
    // Objects that a running sync changes are compared when the sync pauses or ends, and not one by one.
    if (refresh && refresh.level < 2 && this.#operating.has(key)) return requeueAfter(duringSyncMs.refresh);
    if (refresh) await this.#compare(key, application, refresh, state, context);
    if (timeoutMs <= 0) return done;
    return requeueAfter(Math.max(1_000, (state.comparedAt ?? now) + timeoutMs - now));
  }

  async #compare(
    key: string,
    application: Application,
    refresh: Refresh,
    state: RefreshState,
    context: ReconcileContext,
  ): Promise<void> {
    const { metrics, clock } = this.#env;
    const began = clock.now();
    delete state.requested;
    const work = () => refreshApplication(this.#envOf(key, context), application, refresh, state, context.signal);
    try {
      const { requeueAfter: delay, server = '' } = await (metrics ? metrics.during(application, work) : work());
      if (refresh.level >= 2) state.comparedAt = began;
      if (refresh.hard || state.renewedAt === undefined) state.renewedAt = began;
      metrics?.reconciled(application, server, clock.now() - began);
      // Its writes, such as an operation, are known before the watch delivers them.
      this.#operations.enqueue(key);
      if (delay !== undefined) this.request(key, 2, Math.min(Math.max(1, delay), maxTimerMs));
    } catch (error) {
      requestRefresh(state, refresh.level);
      if (!(error instanceof SourceWaitCanceled)) throw error;
      this.#refreshes.enqueue(key);
    }
  }

  async #operate(key: string, context: ReconcileContext): Promise<Outcome> {
    this.#operating.add(key);
    try {
      return await this.#operateOn(key, context);
    } finally {
      this.#operating.delete(key);
    }
  }

  async #operateOn(key: string, context: ReconcileContext): Promise<Outcome> {
    const { signal } = context;
    const env = this.#envOf(key, context);
    await this.#readIfGained(key, signal);
    await this.#endAbandoned(key, signal);
    const application = this.#env.applications.get(key);
    if (!application || !this.#isManaged(application)) return done;
    const { metrics } = this.#env;
    const counted = <T>(work: () => Promise<T>): Promise<T> => (metrics ? metrics.during(application, work) : work());
    if (application.metadata.deletionTimestamp) {
      return outcomeOf(await counted(() => deleteApplication(env, application, signal)));
    }
    if (!application.operation) return done;
    const result = await counted(() => runOperation(env, application, signal));
    const { ended } = result;
    if (ended) {
      const cluster = this.#env.clusters.find(application.spec.destination ?? {});
      metrics?.synced(application, isClusterProblem(cluster) ? '' : cluster.server, ended.state);
      this.request(key, ended.automated ? 2 : 3);
    }
    return outcomeOf(result);
  }

  /** Excludes Applications of other controllers, of namespaces that are not watched, and those with the skip-reconcile annotation. */
  #isManaged(application: Application): boolean {
    const { annotations, namespace = '' } = application.metadata;
    return (
      isWatchedNamespace(this.#env.settings, namespace) &&
      !isTrue(annotations?.[knownAnnotations.skipReconcile.name]) &&
      !this.#isElsewhere(application)
    );
  }

  /** A request whose delay has passed. */
  async #due(key: string): Promise<Outcome> {
    const [, application = '', digit = ''] = /^(.+)\/([0-3])$/u.exec(key) ?? [];
    const level = refreshLevels.find((one) => String(one) === digit);
    if (level !== undefined) this.request(application, level);
    return done;
  }

  async #refreshProject(key: string, signal: AbortSignal): Promise<Outcome> {
    const { client, events, settings } = this.#env;
    const name = key.slice(key.indexOf('/') + 1);
    if (key !== `${settings.namespace}/${name}`) return done;
    const applications = this.#applications.byIndex('project', name);
    for (const project of this.#inheritingProjects(name)) {
      for (const application of this.#applications.byIndex('project', project)) this.request(keyOf(application), 2);
    }
    const project = this.#projects.get(key);
    if (!project || !this.#shard.owns(key)) return done;
    const isOf = (one: AppProject): number =>
      applications.filter(
        ({ metadata: { namespace = '' } }) =>
          isWatchedNamespace(settings, namespace) &&
          (namespace === settings.namespace || isSourceNamespacePermitted(one, namespace)),
      ).length;
    await refreshProject({ client, events, applications: isOf }, project, signal);
    return done;
  }

  /** The project itself, and those that inherit its rules. */
  #inheritingProjects(name: string): string[] {
    const { globalProjects = [], namespace } = this.#env.settings;
    if (!globalProjects.some(({ projectName }) => projectName === name)) return [name];
    const inheriting = this.#projects
      .list()
      .filter((one) => one.metadata.namespace === namespace && globalsOf(one, globalProjects).includes(name));
    return [name, ...inheriting.map(({ metadata }) => metadata.name)];
  }

  /** The dependencies of one reconcile: it waits for sources, and for slow clusters, without holding a worker. */
  #envOf(key: string, context: ReconcileContext): ReconcileEnv {
    return {
      ...this.#env,
      waitForSources: (promise) => context.waitFor(this.#sourceWaits.during(key, promise)),
      clusters: withoutHoldingWorkers(this.#env.clusters, context),
    };
  }

  #changed(old: Application, application: Application): void {
    const key = keyOf(application);
    if (endsSourceWait(old, application)) this.#sourceWaits.cancel(key);
    if (isAutomationNew(old.spec, application.spec)) this.request(key, 2);
    if (old.spec.project !== application.spec.project) this.#wakeProject(old);
  }

  #forget(application: Application): void {
    this.#sourceWaits.cancel(keyOf(application));
    this.#states.forget(application);
    this.#env.metrics?.forget(application);
    this.#wakeProject(application);
    if (application.status?.operationState?.phase !== 'Running' || !this.#isManaged(application)) return;
    if (!this.#shard.owns(keyOf(application))) return;
    this.#abandoned.set(keyOf(application), application);
    this.#operations.enqueue(keyOf(application));
  }

  /** Hooks that an Application left running when it was deleted: nothing else would remove their finalizers. */
  async #endAbandoned(key: string, signal: AbortSignal): Promise<void> {
    const gone = this.#abandoned.get(key);
    if (!gone) return;
    const state = gone.status?.operationState;
    if (state) await endHooks(this.#env, gone, state, signal);
    this.#abandoned.delete(key);
  }

  /** A project that is being deleted waits for its last Application. */
  #wakeProject(application: Application): void {
    const key = `${this.#env.settings.namespace}/${projectNameOf(application)}`;
    if (this.#projects.get(key)?.metadata.deletionTimestamp) this.#projectRefreshes.enqueue(key);
  }

  /** A change of a managed object: compare with the known revision. A change of a child: only the tree changes. */
  #objectChanged(app: string, level: RefreshLevel): void {
    const key = this.#states.keyOfTracked(app);
    const application = key === undefined ? undefined : this.#env.applications.get(key);
    if (key === undefined || !application) return;
    if (application.metadata.deletionTimestamp) return this.#operations.enqueue(key);
    if (!application.operation) return this.request(key, level);
    this.request(key, level, duringSyncMs.refresh);
    if (level === 1) this.#operations.enqueueAfter(key, duringSyncMs.operation);
  }

  /** An object without an Application may be an orphan in the namespace of an Application. */
  #untrackedChanged(namespace: string): void {
    if (this.#orphanWatchers.size === 0) return;
    for (const application of this.#applications.byIndex('namespace', namespace)) {
      if (this.#orphanWatchers.has(projectNameOf(application)))
        this.request(keyOf(application), 0, duringSyncMs.refresh);
    }
  }

  #updateOrphanWatchers({ metadata, spec }: AppProject, gone = false): void {
    if (metadata.namespace !== this.#env.settings.namespace) return;
    if (spec.orphanedResources && !gone) this.#orphanWatchers.add(metadata.name);
    else this.#orphanWatchers.delete(metadata.name);
  }

  /** A signature that was not trusted may be trusted now, and vice versa. */
  #keysChanged(): void {
    for (const project of this.#projects.list().filter(requiresSignatures)) {
      for (const application of this.#applications.byIndex('project', project.metadata.name))
        this.request(keyOf(application), 2);
    }
  }

  /** What was cached of an Application is outdated if another replica has worked on it since. */
  #shardChanged(before: (key: string) => boolean, after: (key: string) => boolean): void {
    for (const application of this.#applications.list()) {
      const key = keyOf(application);
      if (before(key) || !after(key)) continue;
      this.#states.remember(application);
      this.#gained.add(key);
      this.#refreshes.enqueue(key);
    }
    for (const project of this.#projects.list())
      if (!before(keyOf(project))) this.#projectRefreshes.enqueue(keyOf(project));
  }

  async #readIfGained(key: string, signal: AbortSignal): Promise<void> {
    if (!this.#gained.has(key)) return;
    const application = await find(this.#env.client.get<Application>(applicationKind.type, parseKey(key), { signal }));
    if (application) this.#env.applications.read(application);
    this.#gained.delete(key);
  }

  /** Other namespaces may be watched now. */
  #settingsChanged(): void {
    for (const application of this.#applications.list()) this.#refreshes.enqueue(keyOf(application));
  }

  #clusterChanged(cluster: DestinationCluster): void {
    for (const application of this.#applications.list()) {
      if (isDestination(application.spec.destination ?? {}, cluster)) this.request(keyOf(application), 2);
    }
  }

  #repositoryChanged(repository: string): void {
    for (const application of this.#applications.byIndex('repository', repository)) this.request(keyOf(application), 2);
  }

  /** A repository that could not be read may be readable now, and vice versa. */
  #accessChanged(entry: StoredCredentials): void {
    for (const application of this.#applications.list()) {
      const { spec } = application;
      const concerned = sourcesOf(spec).some(({ repoURL }) => opens(entry, repoURL, spec.project || 'default'));
      if (concerned) this.request(keyOf(application), 3);
    }
  }
}

const outcomeOf = ({ requeueAfter: ms }: { readonly requeueAfter?: number }): Outcome =>
  ms === undefined ? done : requeueAfter(ms);

/** The values that Go's `strconv.ParseBool` accepts as true. */
const isTrue = (text: string | undefined): boolean => /^(?:1|t|T|TRUE|true|True)$/u.test(text ?? '');

const repositoriesOf = ({ spec }: Application): string[] =>
  sourcesOf(spec).map(({ repoURL }) => normalizeGitUrl(repoURL));
