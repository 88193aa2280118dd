import {
  type Application,
  type ApplicationSet,
  type AppProject,
  applicationKind,
  applicationSetKind,
  appProjectKind,
} from '@fairlead/api';
import { getOrCreate, keyOf, type Secret, secretType } from '@fairlead/apimachinery';
import type { Jq } from '@fairlead/engine';
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
  type RoleReport,
  withoutManagedFields,
} from '@fairlead/kube';
import { isWatchedNamespace } from '../project/application-namespaces.ts';
import type { SourceReader } from '../reconcile-env.ts';
import { RepositoryAccess, repositorySecretSelector } from '../source/repository-access.ts';
import { noSignatures, type Signatures } from '../source/signatures.ts';
import { type Events, noEvents } from '../status/events.ts';
import { ownerName } from './applications/desired.ts';
import type { ForgeHttp } from './forges/forge-http.ts';
import { createGitReader } from './git/git-reader.ts';
import { createObjectReader } from './object-reader.ts';
import { OwnWrites } from './own-writes.ts';
import { reconcileSet } from './reconcile.ts';
import type { ApplicationSetEnv } from './reconcile-env.ts';
import { recordingClient } from './recording-client.ts';
import { allGenerators } from './requeue.ts';
import { asksForReconcile, concernsSet } from './requeue-events.ts';
import type { ApplicationSetSettings } from './settings.ts';
import { RenderedApplications } from './template/rendered-applications.ts';
import { concernsGenerators, type ForgeEvent, requestSetRefreshes } from './webhook-refresh.ts';

export interface ApplicationSetControllerOptions {
  readonly client: ApiClient;
  readonly sources: SourceReader;
  readonly forges: ForgeHttp;
  readonly jq: Pick<Jq, 'paths'>;
  readonly signatures?: Signatures;
  readonly events?: Events;
  readonly registry?: MetricsRegistry;
  /** Read at each use. */
  readonly settings: () => ApplicationSetSettings;
  readonly onSettingsChange?: (listener: () => void) => () => void;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}

const clusterSelector = 'argocd.argoproj.io/secret-type=cluster';
const ownerKey = (application: Application): string | undefined => {
  const name = ownerName(application);
  return name === undefined ? undefined : `${application.metadata.namespace}/${name}`;
};

/** Reconciles ApplicationSets: when one changes, one of its Applications, a cluster or a commit of a repository that it reads. */
export class ApplicationSetController {
  readonly #options: ApplicationSetControllerOptions;
  readonly #informers: InformerFactory;
  readonly #sets: Informer<ApplicationSet>;
  readonly #knownSets: OwnWrites<ApplicationSet>;
  readonly #env: ApplicationSetEnv;
  readonly #queue: Controller;
  readonly #rendered = new Map<string, RenderedApplications>();

  constructor(options: ApplicationSetControllerOptions) {
    this.#options = options;
    const { client, clock, random, log, registry } = options;
    const { namespace, concurrency } = options.settings();
    this.#informers = new InformerFactory(client, { clock, random, log, transform: withoutManagedFields });
    this.#sets = this.#informers
      .informer<ApplicationSet>(applicationSetKind.type)
      .addIndex('repository', (set) => this.#repositoriesOf(set));
    const applications = this.#informers
      .informer<Application>(applicationKind.type)
      .addIndex('owner', (application) => [ownerKey(application) ?? '']);
    const projects = this.#informers.informer<AppProject>(appProjectKind.type);
    const inNamespace = { namespace };
    const clusters = this.#informers.informer<Secret>(secretType, { ...inNamespace, labelSelector: clusterSelector });
    const secrets = this.#informers.informer<Secret>(secretType, {
      ...inNamespace,
      labelSelector: repositorySecretSelector,
    });
    const known = new OwnWrites(applications, 'owner', ownerKey);
    this.#knownSets = new OwnWrites(this.#sets, 'repository', () => undefined);
    const project = (name: string): AppProject | undefined => projects.get(`${namespace}/${name}`);
    this.#env = {
      client: recordingClient(client, {
        application: (application) => known.wrote(withoutManagedFields(application)),
        set: (set) => this.#knownSets.wrote(withoutManagedFields(set)),
      }),
      namespace,
      get settings() {
        return options.settings();
      },
      objects: createObjectReader(client, () => clusters.list()),
      git: createGitReader({
        sources: options.sources,
        access: new RepositoryAccess(secrets),
        signatures: options.signatures ?? noSignatures,
        project,
        newGlobbing: () => options.settings().newGitFileGlobbing,
      }),
      forges: options.forges,
      applications: {
        get: (namespace, name) => known.get(`${namespace}/${name}`),
        ownedBy: (namespace, set) => known.byIndex(`${namespace}/${set}`),
      },
      project,
      jq: options.jq,
      rendered: (set) => getOrCreate(this.#rendered, keyOf(set), () => new RenderedApplications()),
      events: options.events ?? noEvents,
      clock,
      log,
    };
    const metrics = registry && controllerMetrics(registry, 'applicationset_reconciliation_queue');
    this.#queue = new Controller({
      name: 'applicationset_reconciliation_queue',
      concurrency,
      reconcile: (key) => this.#reconcile(key),
      // Namespaces take turns.
      order: new Lanes({ laneOf: (key) => key.slice(0, key.indexOf('/')), onIdle: (lane) => metrics?.laneIdle(lane) }),
      clock,
      log,
      ...(metrics ? { metrics } : {}),
    });
    this.#follow(applications, clusters);
  }

  /** Adds the queue of the controller to the report of its role. */
  reportTo(report: RoleReport): void {
    report.queue('applicationset', () => this.#queue.queueStatus);
  }

  /** Keys that are worked on, or wait to be. */
  get pending(): number {
    return this.#queue.backlog + this.#queue.inFlight;
  }

  /** What generators and plans read: for a preview. */
  get env(): ApplicationSetEnv {
    return this.#env;
  }

  /** Has the generators run again that an event of a Git host concerns. */
  async deliver(event: ForgeEvent): Promise<void> {
    const { client, log } = this.#options;
    const concerned = this.#sets.list().filter((set) => this.#isWatched(set) && concernsGenerators(set, event));
    await requestSetRefreshes(client, concerned, log);
  }

  /** Works until the signal aborts; resolves when all work has ended. */
  async run(signal: AbortSignal): Promise<void> {
    this.#informers.start(signal);
    const { sources, onSettingsChange } = this.#options;
    const stops = [
      sources.onChange((repository) => this.#enqueueAll(this.#sets.byIndex('repository', repository))),
      onSettingsChange?.(() => this.#enqueueAll(this.#sets.list())) ?? (() => {}),
    ];
    // Without all Applications and projects, a set would look as if it had none.
    await this.#informers.waitForSync(signal).catch(() => {});
    await this.#queue.run(signal);
    for (const stop of stops) stop();
    await this.#informers.stopped();
  }

  #follow(applications: Informer<Application>, clusters: Informer<Secret>): void {
    const progressiveSyncs = (): boolean => this.#options.settings().progressiveSyncs;
    const enqueue = (set: ApplicationSet): void => this.#queue.enqueue(keyOf(set));
    this.#sets.addHandler({
      onAdd: enqueue,
      onUpdate: (old, set) => asksForReconcile(old, set, progressiveSyncs()) && enqueue(set),
      onDelete: (set) => {
        this.#rendered.delete(keyOf(set));
        enqueue(set);
      },
    });
    const owner = (application: Application): void => {
      const key = ownerKey(application);
      if (key !== undefined) this.#queue.enqueue(key);
    };
    applications.addHandler({
      onUpdate: (old, application) => {
        if (!concernsSet(old, application, progressiveSyncs())) return;
        owner(old);
        owner(application);
      },
      onDelete: owner,
    });
    const clustersChanged = (_: Secret, initial = false): void => {
      const usesClusters = (set: ApplicationSet): boolean => allGenerators(set).some(({ clusters: used }) => used);
      if (!initial) this.#enqueueAll(this.#sets.list().filter(usesClusters));
    };
    clusters.addHandler({
      onAdd: clustersChanged,
      onUpdate: (_, secret) => clustersChanged(secret),
      onDelete: (secret) => clustersChanged(secret),
    });
  }

  #enqueueAll(sets: readonly ApplicationSet[]): void {
    for (const set of sets) this.#queue.enqueue(keyOf(set));
  }

  /** The repositories that generators read, as sources call them. One that is a template is not known before it is rendered. */
  #repositoriesOf(set: ApplicationSet): string[] {
    return allGenerators(set).flatMap(({ git }) => {
      if (!git || git.repoURL.includes('{{')) return [];
      try {
        return [this.#options.sources.keyOf({ repoURL: git.repoURL })];
      } catch {
        // An address that cannot be read is reported when the generator runs.
        return [];
      }
    });
  }

  async #reconcile(key: string): Promise<Outcome> {
    const set = this.#knownSets.get(key);
    return set && this.#isWatched(set) ? reconcileSet(this.#env, set) : done;
  }

  #isWatched({ metadata }: ApplicationSet): boolean {
    const { namespace, applicationSetNamespaces } = this.#options.settings();
    return isWatchedNamespace({ namespace, applicationNamespaces: applicationSetNamespaces }, metadata.namespace ?? '');
  }
}
