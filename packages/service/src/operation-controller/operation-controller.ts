import {
  type Application,
  type AppProject,
  applicationKind,
  appProjectKind,
  type GitOpsOperation,
  gitopsOperationKind,
} from '@fairlead/api';
import { isNotFound, keyOf } from '@fairlead/apimachinery';
import {
  type ApiClient,
  type Clock,
  Controller,
  done,
  Informer,
  Lanes,
  type Logger,
  type Outcome,
  type Random,
  type RoleReport,
  requeueAfter,
  sleep,
  withoutManagedFields,
} from '@fairlead/kube';
import { retryMessage } from '../backend/retry-message.ts';
import type { Cipher } from '../cipher.ts';
import type { OpenDatabase } from '../database/index.ts';
import { FloodThrottle } from '../flood-throttle.ts';
import type { ServiceMetrics } from '../metrics.ts';
import { OwnWrites } from '../own-writes.ts';
import { RetryLimiter } from '../retry-limiter.ts';
import type { ServiceSettings } from '../settings.ts';
import {
  type ArgocdInstance,
  changing,
  claimOperation,
  dueOperations,
  endOperation,
  formatOperation,
  type OperationRow,
  operationChannel,
  parseOperation,
  postponeOperation,
  requestOperation,
} from '../store/index.ts';
import type { OperationContext } from './context.ts';
import { healInstance } from './heal-instance.ts';
import { KeyedMutex } from './keyed-mutex.ts';
import { idLabel, type ObservedApplication, tenantLabel } from './observed-application.ts';
import { runOperation } from './run-operation.ts';
import { StatusReporter } from './status-reporter.ts';

export interface OperationControllerOptions {
  readonly client: ApiClient;
  readonly database: OpenDatabase;
  readonly instance: ArgocdInstance;
  readonly cipher: Cipher;
  readonly settings: ServiceSettings;
  readonly metrics: ServiceMetrics;
  /** Identifies this process in claims: unique per process. */
  readonly owner: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}

/** How often an Operation that waits is retried if nothing else triggers it. */
const waitMs = 5_000;
/** When an Operation whose row is locked is claimed again: most statements have ended by then. */
const lockedMs = 50;
/** A failure is reported to the tenant after this many failures in a row. */
const shownAfter = 2;

/**
 * Argo CD's side: reconciles Applications, projects and Secrets with the rows that Operations name, and stores the status of
 * Applications. Operations are claimed one by one, fairly between tenants; several controllers may work on one instance.
 */
export class OperationController {
  readonly #context: OperationContext;
  readonly #options: OperationControllerOptions;
  readonly #informers: Pick<Informer, 'run' | 'waitForSync'>[];
  readonly #operations: Controller;
  readonly #statuses: Controller;
  readonly #applications: Informer<ObservedApplication>;
  readonly #reporter = new StatusReporter();
  readonly #operationResources: Informer<GitOpsOperation>;
  /** A notification and a poll may name one Operation with different keys; it is processed once at a time all the same. */
  readonly #inProgress = new Set<string>();
  /** Operations that wait for a change of an Application, by the Application's id. */
  readonly #waiting = new Map<string, Set<string>>();

  constructor(options: OperationControllerOptions) {
    const { client, database, instance, clock, random, log, settings } = options;
    this.#options = options;
    const shared = { clock, random, log };
    const applications = new Informer<ObservedApplication>(
      client,
      applicationKind.type,
      { namespace: instance.namespace, labelSelector: idLabel },
      { ...shared, transform: (object) => this.#reporter.take(object as unknown as Application) },
    );
    const projects = new Informer<AppProject>(
      client,
      appProjectKind.type,
      { namespace: instance.namespace, labelSelector: tenantLabel },
      { ...shared, transform: withoutManagedFields },
    );
    this.#operationResources = new Informer<GitOpsOperation>(
      client,
      gitopsOperationKind.type,
      { namespace: instance.namespace },
      shared,
    );
    this.#informers = [applications, projects, this.#operationResources];
    this.#context = {
      ...options,
      db: database.db,
      applications: new OwnWrites(applications),
      projects: new OwnWrites(projects),
      projectMutex: new KeyedMutex(),
    };
    const lanes = (): Lanes =>
      new Lanes({ laneOf: (key) => parseOperation(key).tenant, limits: () => ({ maxInFlight: settings.perTenant }) });
    const operationLanes = lanes();
    const throttle = new FloodThrottle(operationLanes, clock);
    this.#operations = new Controller({
      name: 'operations',
      concurrency: settings.concurrency,
      order: operationLanes,
      rateLimiter: new RetryLimiter(random),
      reconcile: async (key, { signal, retries }) => {
        const outcome = await this.#once(parseOperation(key).operation, retries, signal);
        await throttle.after(key, signal);
        return outcome;
      },
      clock,
      log,
    });
    this.#statuses = new Controller({
      name: 'status',
      concurrency: settings.concurrency,
      order: lanes(),
      rateLimiter: new RetryLimiter(random),
      reconcile: (key) => this.#report(key.slice(key.indexOf('|') + 1)),
      clock,
      log,
    });
    this.#applications = applications;
    this.#follow(applications);
    this.#operations.watch(this.#operationResources, ({ spec }) =>
      spec.operationID ? [formatOperation({ tenant: '', operation: spec.operationID })] : [],
    );
  }

  /** Compares all rows with all of Argo CD's objects. */
  heal(signal: AbortSignal): Promise<void> {
    return healInstance(this.#context, this.#applications, signal);
  }

  /** Adds the queues of Argo CD's side to the report of the role. */
  reportTo(report: RoleReport): void {
    report.queue('operations', () => this.#operations.queueStatus);
    report.queue('status', () => this.#statuses.queueStatus);
  }

  get backlog(): number {
    return this.#operations.backlog + this.#operations.inFlight + this.#statuses.backlog + this.#statuses.inFlight;
  }

  enqueue(tenant: string, operation: string): void {
    this.#operations.enqueue(formatOperation({ tenant, operation }));
  }

  /** Runs until the signal aborts; resolves when all work has ended. The tables must exist. */
  async run(signal: AbortSignal): Promise<void> {
    const informing = this.#informers.map((informer) => informer.run(signal));
    await Promise.all(this.#informers.map((informer) => informer.waitForSync(signal))).catch(() => {});
    await Promise.all([this.#operations.run(signal), this.#statuses.run(signal), this.#wake(signal)]);
    await Promise.all(informing);
  }

  /** Notifications name Operations that are due; the poll finds those whose notification was lost. */
  async #wake(signal: AbortSignal): Promise<void> {
    const { clock, settings, log, database } = this.#options;
    const poll = async (): Promise<void> => {
      try {
        await this.#enqueueDue(signal);
      } catch (error) {
        if (!signal.aborted) log.warn('the database could not be polled', { error });
      }
    };
    const stop = database.listen(
      operationChannel,
      (payload) => this.#operations.enqueue(payload),
      () => void poll(),
    );
    while (!signal.aborted) {
      await sleep(clock, settings.pollMs, signal).catch(() => {});
      if (!signal.aborted) await poll();
    }
    await stop();
  }

  async #enqueueDue(signal: AbortSignal): Promise<void> {
    const { db, instance } = this.#context;
    for (let after = ''; !signal.aborted; ) {
      const due = await dueOperations(db, instance, after, 500);
      for (const ref of due) this.#operations.enqueue(formatOperation(ref), { priority: -100 });
      const last = due.at(-1);
      if (!last) return;
      after = last.operation;
    }
  }

  async #once(operation: string, retries: number, signal: AbortSignal): Promise<Outcome> {
    if (this.#inProgress.has(operation)) return requeueAfter(100);
    this.#inProgress.add(operation);
    try {
      return await this.#process(operation, retries, signal);
    } finally {
      this.#inProgress.delete(operation);
    }
  }

  async #process(operation: string, retries: number, signal: AbortSignal): Promise<Outcome> {
    const { db, clock, settings } = this.#context;
    const { owner, database } = this.#options;
    const now = (): Date => new Date(clock.now());
    const claimedAt = clock.now();
    const claimed = await claimOperation(database, operation, { owner, now: now(), leaseMs: settings.leaseMs });
    if (claimed === 'locked') return requeueAfter(lockedMs);
    if (!claimed) {
      await this.#deleteOperationResource(operation, signal);
      return done;
    }
    // An Operation resource in our namespace may name an Operation of another instance.
    if (claimed.instance_id !== this.#context.instance.namespaceUid) {
      await postponeOperation(db, claimed, { owner, now: now(), message: 'this Operation is for another instance' });
      return done;
    }
    const waitsFor = claimed.resource_type === 'SyncOperation' ? undefined : claimed.resource_id;
    try {
      const step = await runOperation(this.#context, claimed, signal);
      if (step.kind === 'waits') {
        await this.#noteWaiting(claimed.resource_id, waitsFor, operation, claimed.operation_owner_user_id);
        await postponeOperation(db, claimed, { owner, now: now(), message: step.message });
        return requeueAfter(waitMs);
      }
      const state = step.kind === 'reached' ? 'Completed' : 'Failed';
      const message = step.kind === 'failed' ? { message: step.message } : {};
      const gone = step.kind === 'reached' && step.gone === true;
      const { again, isLost } = await endOperation(db, claimed, { owner, now: now(), state, gone, ...message });
      if (isLost) await this.#requestAgain(claimed);
      if (again) return requeueAfter(1);
      await this.#deleteOperationResource(operation, signal);
      return done;
    } catch (error) {
      if (clock.now() - claimedAt >= settings.leaseMs) await this.#requestAgain(claimed).catch(() => {});
      if (retries >= shownAfter && !signal.aborted) {
        await postponeOperation(db, claimed, { owner, now: now(), message: retryMessage(error) }).catch(() => {});
      }
      throw error;
    }
  }

  /**
   * A controller whose claim expired may have written something after another one completed a newer generation: for example an Application
   * that was deleted meanwhile. So the Operation is requested again.
   */
  async #requestAgain(claimed: OperationRow): Promise<void> {
    const { db, instance, clock } = this.#context;
    const {
      resource_type: type,
      resource_id: id,
      operation_owner_user_id: tenant,
      requested_on: requestedOn,
    } = claimed;
    const now = new Date(clock.now());
    await changing(db, (tx) => requestOperation(tx, { instance, type, id, tenant, requestedOn, now }));
  }

  /** A change of the Application enqueues the Operations that wait for it. */
  async #noteWaiting(
    resource: string,
    application: string | undefined,
    operation: string,
    tenant: string,
  ): Promise<void> {
    const id =
      application ??
      (
        await this.#context.db
          .selectFrom('syncoperation')
          .select('application_id')
          .where('syncoperation_id', '=', resource)
          .executeTakeFirst()
      )?.application_id;
    if (!id) return;
    const waiting = this.#waiting.get(id) ?? new Set();
    waiting.add(formatOperation({ tenant, operation }));
    this.#waiting.set(id, waiting);
  }

  async #deleteOperationResource(operation: string, signal: AbortSignal): Promise<void> {
    const key = { namespace: this.#context.instance.namespace, name: `operation-${operation}` };
    if (!this.#operationResources.get(`${key.namespace}/${key.name}`)) return;
    await this.#context.client.delete(gitopsOperationKind.type, key, { signal }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }

  #follow(applications: Informer<ObservedApplication>): void {
    const changed = (application: ObservedApplication, isChanged: boolean, initial: boolean): void => {
      const key = keyOf(application);
      if (isChanged) {
        this.#reporter.markChanged(key);
        this.#statuses.enqueue(`${application.tenant}|${key}`, initial ? { priority: -100 } : undefined);
      } else this.#reporter.markUnchanged(key);
      this.#wakeWaiting(application.id);
    };
    applications.addHandler({
      onAdd: (application, initial) => changed(application, true, initial),
      onUpdate: (old, application) => changed(application, old.statusHash !== application.statusHash, false),
      onDelete: (application) => {
        this.#reporter.forget(keyOf(application));
        this.#wakeWaiting(application.id);
      },
    });
  }

  #wakeWaiting(id: string): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#waiting.delete(id);
    for (const key of waiting) this.#operations.enqueue(key);
  }

  async #report(key: string): Promise<Outcome> {
    await this.#reporter.store(this.#context.db, key, this.#context.clock);
    return done;
  }
}
