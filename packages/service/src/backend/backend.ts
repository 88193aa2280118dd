import {
  type GitOpsDeployment,
  type GitOpsDeploymentManagedEnvironment,
  type GitOpsDeploymentRepositoryCredential,
  type GitOpsDeploymentSyncRun,
  gitopsDeploymentKind,
  gitopsDeploymentManagedEnvironmentKind,
  gitopsDeploymentRepositoryCredentialKind,
  gitopsDeploymentSyncRunKind,
} from '@fairlead/api';
import { isConflict, type KubeObject, namespaceType } from '@fairlead/apimachinery';
import {
  type ApiClient,
  type Clock,
  Controller,
  done,
  Informer,
  type Logger,
  type Outcome,
  type Random,
  type ReconcileContext,
  type RoleReport,
  withoutManagedFields,
} from '@fairlead/kube';
import type { Cipher } from '../cipher.ts';
import type { OpenDatabase } from '../database/index.ts';
import { FloodThrottle } from '../flood-throttle.ts';
import type { ServiceMetrics } from '../metrics.ts';
import { OwnWrites } from '../own-writes.ts';
import { pages } from '../paging.ts';
import { RetryLimiter } from '../retry-limiter.ts';
import type { ServiceSettings } from '../settings.ts';
import { type ArgocdInstance, forgetTenant, tenantsAfter } from '../store/index.ts';
import { parseWorkKey, tenantLanes, workKey } from '../tenant-lanes.ts';
import { ChangeListener } from './change-listener.ts';
import { Connections } from './connections.ts';
import type { Context } from './context.ts';
import { CreationOrder } from './creation-order.ts';
import { runDeployment } from './deployment-runner.ts';
import { type ObservedDeployment, observedDeployment } from './observed-deployment.ts';
import { removeServiceAccount } from './probe-cluster.ts';
import type { ClusterProbe, RepositoryProbe, ServiceAccountRemoval } from './probes.ts';
import { removeOrphans } from './remove-orphans.ts';
import { requeueOnConflict } from './requeue-on-conflict.ts';
import { showRetry } from './show-retry.ts';
import { runSyncRuns } from './sync-runner.ts';
import { UidIndex } from './uid-index.ts';

export interface BackendOptions {
  readonly client: ApiClient;
  readonly database: OpenDatabase;
  readonly instance: ArgocdInstance;
  readonly cipher: Cipher;
  readonly probeCluster: ClusterProbe;
  readonly probeRepository: RepositoryProbe;
  /** Over the network by default. */
  readonly removeServiceAccount?: ServiceAccountRemoval;
  readonly settings: ServiceSettings;
  readonly metrics: ServiceMetrics;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}

/** A failure is reported to the tenant after this many failures in a row. */
const shownAfter = 3;

/**
 * The tenants' side: resources become rows, and what Argo CD reports becomes status.
 *
 * Two queues of keys, each fair between tenants: short work, and work that waits for other servers. A key names a resource. It comes from
 * the watch, from a notification of the database, from the periodic poll for lost notifications, and, at the start, from every resource
 * and every row: so unobserved deletions are found too.
 */
export class Backend {
  readonly #context: Context;
  readonly #informers: Pick<Informer, 'run' | 'waitForSync'>[];
  readonly #work: Controller;
  readonly #connections: Connections;
  readonly #changes: ChangeListener;
  /** By deployment, when the change that is reconciled next was observed. */
  readonly #observedAt = new Map<string, number>();

  constructor(options: BackendOptions) {
    const { client, clock, random, log, settings, database } = options;
    const shared = { clock, random, log };
    const deployments = new Informer<ObservedDeployment>(
      client,
      gitopsDeploymentKind.type,
      {},
      {
        ...shared,
        transform: (object) => observedDeployment(object as unknown as GitOpsDeployment),
      },
    );
    deployments.addIndex('environment', environmentOfDeployment).addIndex('over-quota', overQuota);
    const plain = { ...shared, transform: withoutManagedFields };
    const syncRuns = new Informer<GitOpsDeploymentSyncRun>(client, gitopsDeploymentSyncRunKind.type, {}, plain);
    syncRuns.addIndex('uid', uidOf).addIndex('deployment', deploymentOfRun);
    const environments = new Informer<GitOpsDeploymentManagedEnvironment>(
      client,
      gitopsDeploymentManagedEnvironmentKind.type,
      {},
      plain,
    );
    environments
      .addIndex('uid', uidOf)
      .addIndex('secret', ({ metadata, spec }) => [`${metadata.namespace}/${spec.credentialsSecret}`]);
    const credentials = new Informer<GitOpsDeploymentRepositoryCredential>(
      client,
      gitopsDeploymentRepositoryCredentialKind.type,
      {},
      plain,
    );
    credentials
      .addIndex('uid', uidOf)
      .addIndex('secret', ({ metadata, spec }) => [`${metadata.namespace}/${spec.secret}`]);
    const namespaces = new Informer<KubeObject>(
      client,
      namespaceType,
      {},
      { ...shared, transform: withoutManagedFields },
    );
    this.#context = {
      removeServiceAccount,
      ...options,
      db: database.db,
      deployments: new OwnWrites(deployments),
      deploymentInformer: deployments,
      deploymentKeys: new UidIndex(deployments),
      syncRuns,
      runOrder: new CreationOrder(syncRuns),
      environments,
      credentials,
      namespaces,
      enqueue: (key) => this.enqueue(key),
    };
    const lanes = tenantLanes(settings.perTenant);
    const throttle = new FloodThrottle(lanes, clock);
    this.#work = new Controller({
      name: 'service',
      concurrency: settings.concurrency,
      order: lanes,
      rateLimiter: new RetryLimiter(random),
      reconcile: async (key, reconcile) => {
        const outcome = await requeueOnConflict(() => this.#run(key, reconcile));
        await throttle.after(key, reconcile.signal);
        return outcome;
      },
      clock,
      log,
    });
    this.#connections = new Connections(this.#context);
    this.#changes = new ChangeListener(this.#context, database.listen);
    this.#informers = [deployments, syncRuns, environments, credentials, namespaces];
    this.#informers.push(this.#connections.secrets);
    this.#work
      .watch(deployments, ({ metadata: { namespace = '', name } }) => [
        workKey('deployment', namespace, name),
        ...(syncRuns.byIndex('deployment', `${namespace}/${name}`).length > 0
          ? [workKey('sync', namespace, name)]
          : []),
      ])
      .watch(syncRuns, ({ metadata: { namespace = '' }, spec }) => [
        workKey('sync', namespace, spec.gitopsDeploymentName),
      ]);
    this.#noteTimes(deployments);
  }

  /** Enqueues a key: see `workKey`. */
  enqueue(key: string): void {
    const { runner } = parseWorkKey(key);
    if (runner === 'deployment' || runner === 'sync') this.#work.enqueue(key);
    else this.#connections.enqueue(key);
  }

  /** Reconciles every resource and every row again, retries credentials that worked, and removes tenants whose namespace was deleted. */
  async heal(signal: AbortSignal): Promise<void> {
    const { syncRuns, environments, credentials, namespaces, db, instance, clock } = this.#context;
    await this.#changes.enqueueAll(signal);
    await removeOrphans(this.#context, signal);
    for (const { metadata, spec } of syncRuns.list())
      this.enqueue(workKey('sync', metadata.namespace ?? '', spec.gitopsDeploymentName));
    for (const { metadata } of environments.list())
      this.enqueue(workKey('environment', metadata.namespace ?? '', metadata.name));
    for (const { metadata } of credentials.list())
      this.enqueue(workKey('credential', metadata.namespace ?? '', metadata.name));
    const tenants = pages(
      async (after) => (await tenantsAfter(db, after, 500)).map((row) => ({ ...row, uid: row.clusteruser_id })),
      signal,
    );
    for await (const { uid, display_name } of tenants) {
      if (namespaces.get(display_name)?.metadata.uid !== uid)
        await forgetTenant(db, uid, instance, new Date(clock.now()));
    }
  }

  /** Adds the queues of the tenants' side to the report of the role. */
  reportTo(report: RoleReport): void {
    report.queue('deployments', () => this.#work.queueStatus);
  }

  get backlog(): number {
    return this.#work.backlog + this.#work.inFlight;
  }

  /** Runs until the signal aborts; resolves when all work has ended. The tables must exist. */
  async run(signal: AbortSignal): Promise<void> {
    const informing = this.#informers.map((informer) => informer.run(signal));
    await Promise.all(this.#informers.map((informer) => informer.waitForSync(signal))).catch(() => {});
    await Promise.all([this.#work.run(signal), this.#connections.run(signal), this.#changes.run(signal)]);
    await Promise.all(informing);
  }

  async #run(key: string, { signal, retries }: ReconcileContext): Promise<Outcome> {
    const { runner, ...name } = parseWorkKey(key);
    if (runner === 'sync') {
      await runSyncRuns(this.#context, name, signal);
      return done;
    }
    const seenAt = this.#observedAt.get(key) ?? this.#context.clock.now();
    try {
      await runDeployment(this.#context, name, new Date(seenAt), signal);
      if (this.#observedAt.get(key) === seenAt) this.#observedAt.delete(key);
      return done;
    } catch (error) {
      if (retries >= shownAfter && !signal.aborted && !isConflict(error)) await this.#showRetry(name, error, signal);
      throw error;
    }
  }

  /** Best effort: writing may be what fails. */
  async #showRetry(name: { namespace: string; name: string }, error: unknown, signal: AbortSignal): Promise<void> {
    const deployment = this.#context.deployments.get(`${name.namespace}/${name.name}`);
    if (deployment) await showRetry(this.#context, deployment, error, signal).catch(() => {});
  }

  #noteTimes(deployments: Informer<ObservedDeployment>): void {
    const note = ({ metadata: { namespace = '', name } }: ObservedDeployment): void => {
      const key = workKey('deployment', namespace, name);
      if (!this.#observedAt.has(key)) this.#observedAt.set(key, this.#context.clock.now());
    };
    deployments.addHandler({
      onAdd: (deployment, initial) => {
        if (!initial) note(deployment);
      },
      onUpdate: (old, deployment) => {
        if (old.metadata.generation !== deployment.metadata.generation) note(deployment);
        // A deployment that was refused fits now: others may fit too.
        if (overQuota(old).length > 0 && overQuota(deployment).length === 0)
          for (const { metadata } of deployments.byIndex('over-quota', deployment.metadata.namespace ?? '').slice(0, 4))
            this.enqueue(workKey('deployment', metadata.namespace ?? '', metadata.name));
      },
    });
  }
}

const uidOf = ({ metadata }: KubeObject): string[] => (metadata.uid ? [metadata.uid] : []);
const environmentOfDeployment = ({ metadata, spec }: ObservedDeployment): string[] =>
  spec?.destination?.environment ? [`${metadata.namespace}/${spec.destination.environment}`] : [];
const overQuota = ({ metadata, conditions }: ObservedDeployment): string[] =>
  conditions.some(({ reason, status }) => reason === 'QuotaExceeded' && status === 'True')
    ? [metadata.namespace ?? '']
    : [];
const deploymentOfRun = ({ metadata, spec }: GitOpsDeploymentSyncRun): string[] => [
  `${metadata.namespace}/${spec?.gitopsDeploymentName}`,
];
