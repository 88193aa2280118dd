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
  requeueAfter,
  sleep,
  withoutManagedFields,
} from '@fairlead/kube';
import { retryMessage } from '../backend/retry-message.ts';
import { Breath } from '../breath.ts';
import type { Cipher } from '../cipher.ts';
import type { OpenDatabase } from '../database/index.ts';
import type { ServiceMetrics } from '../metrics.ts';
import { OwnWrites } from '../own-writes.ts';
import { RetryLimiter } from '../retry-limiter.ts';
import type { ServiceSettings } from '../settings.ts';
import {
  changing,
  claimOperation,
  dueOperations,
  type Engine,
  endOperation,
  formatOperation,
  type OperationRow,
  operationChannel,
  parseOperation,
  postponeOperation,
  requestOperation,
} from '../store/index.ts';
import { carryOut } from './carry-out.ts';
import type { AgentContext } from './context.ts';
import { healEngine } from './heal-engine.ts';
import { idLabel, type SeenApplication, tenantLabel } from './seen-application.ts';
import { StatusUp } from './status-up.ts';
import { Turns } from './turns.ts';

export interface ClusterAgentOptions {
  readonly client: ApiClient;
  readonly database: OpenDatabase;
  readonly engine: Engine;
  readonly cipher: Cipher;
  readonly settings: ServiceSettings;
  readonly metrics: ServiceMetrics;
  /** Names this process in claims: never the same for two. */
  readonly owner: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}

/** How often an Operation that waits for something is looked at when nothing wakes it. */
const waitMs = 5_000;
/** When an Operation whose row somebody holds is asked for again: most statements are over by then. */
const lockedMs = 50;
/** A failure is shown to the tenant when it has come this often in a row. */
const shownAfter = 2;

/**
 * The engine's side: makes Applications, projects and secrets agree with the rows that Operations name, and reports what Applications
 * say. Operations are claimed one by one, tenants in turn; several agents may work on one engine.
 */
export class ClusterAgent {
  readonly #context: AgentContext;
  readonly #options: ClusterAgentOptions;
  readonly #informers: Informer[];
  readonly #operations: Controller;
  readonly #statuses: Controller;
  readonly #applications: Informer<SeenApplication>;
  readonly #up = new StatusUp();
  readonly #nudges: Informer<GitOpsOperation>;
  /** A notice and a poll may name one Operation in different words: it is in one pair of hands all the same. */
  readonly #inHands = new Set<string>();
  /** Operations that wait for what an Application does, by the Application's id. */
  readonly #waiting = new Map<string, Set<string>>();

  constructor(options: ClusterAgentOptions) {
    const { client, database, engine, clock, random, log, settings } = options;
    this.#options = options;
    const shared = { clock, random, log };
    const applications = new Informer<SeenApplication>(
      client,
      applicationKind.type,
      { namespace: engine.namespace, labelSelector: idLabel },
      { ...shared, transform: (object) => this.#up.take(object as unknown as Application) },
    );
    const projects = new Informer<AppProject>(
      client,
      appProjectKind.type,
      { namespace: engine.namespace, labelSelector: tenantLabel },
      { ...shared, transform: withoutManagedFields },
    );
    this.#nudges = new Informer<GitOpsOperation>(
      client,
      gitopsOperationKind.type,
      { namespace: engine.namespace },
      shared,
    );
    this.#informers = [applications, projects, this.#nudges] as unknown as Informer[];
    this.#context = {
      ...options,
      db: database.db,
      applications: new OwnWrites(applications),
      projects: new OwnWrites(projects),
      projectTurns: new Turns(),
    };
    const lanes = (): Lanes =>
      new Lanes({ laneOf: (key) => parseOperation(key).tenant, limits: () => ({ maxInFlight: settings.perTenant }) });
    const operationLanes = lanes();
    const breath = new Breath(operationLanes, clock);
    this.#operations = new Controller({
      name: 'operations',
      concurrency: settings.concurrency,
      order: operationLanes,
      rateLimiter: new RetryLimiter(random),
      reconcile: async (key, { signal, retries }) => {
        const outcome = await this.#once(parseOperation(key).operation, retries, signal);
        await breath.after(key, signal);
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
    this.#operations.watch(this.#nudges, ({ spec }) =>
      spec.operationID ? [formatOperation({ tenant: '', operation: spec.operationID })] : [],
    );
  }

  /** Compares all rows with all of the engine's objects. */
  heal(signal: AbortSignal): Promise<void> {
    return healEngine(this.#context, this.#applications, signal);
  }

  get backlog(): number {
    return this.#operations.backlog + this.#operations.inFlight + this.#statuses.backlog + this.#statuses.inFlight;
  }

  enqueue(tenant: string, operation: string): void {
    this.#operations.enqueue(formatOperation({ tenant, operation }));
  }

  /** Works until the signal aborts; resolves when all work has ended. The tables are there. */
  async run(signal: AbortSignal): Promise<void> {
    const informing = this.#informers.map((informer) => informer.run(signal));
    await Promise.all(this.#informers.map((informer) => informer.waitForSync(signal))).catch(() => {});
    await Promise.all([this.#operations.run(signal), this.#statuses.run(signal), this.#wake(signal)]);
    await Promise.all(informing);
  }

  /** Notices tell at once which Operations are due; the poll finds those that a lost notice would have told of. */
  async #wake(signal: AbortSignal): Promise<void> {
    const { clock, settings, log, database } = this.#options;
    const look = async (): Promise<void> => {
      try {
        await this.#enqueueDue(signal);
      } catch (error) {
        if (!signal.aborted) log.warn('the database could not be polled', { error });
      }
    };
    const stop = database.listen(
      operationChannel,
      (payload) => this.#operations.enqueue(payload),
      () => void look(),
    );
    while (!signal.aborted) {
      await sleep(clock, settings.pollMs, signal).catch(() => {});
      if (!signal.aborted) await look();
    }
    await stop();
  }

  async #enqueueDue(signal: AbortSignal): Promise<void> {
    const { db, engine } = this.#context;
    for (let after = ''; !signal.aborted; ) {
      const due = await dueOperations(db, engine, after, 500);
      for (const ref of due) this.#operations.enqueue(formatOperation(ref), { priority: -100 });
      const last = due.at(-1);
      if (!last) return;
      after = last.operation;
    }
  }

  async #once(operation: string, retries: number, signal: AbortSignal): Promise<Outcome> {
    if (this.#inHands.has(operation)) return requeueAfter(100);
    this.#inHands.add(operation);
    try {
      return await this.#operate(operation, retries, signal);
    } finally {
      this.#inHands.delete(operation);
    }
  }

  async #operate(operation: string, retries: number, signal: AbortSignal): Promise<Outcome> {
    const { db, clock, settings } = this.#context;
    const { owner } = this.#options;
    const now = (): Date => new Date(clock.now());
    const claimed = await claimOperation(db, operation, { owner, now: now(), leaseMs: settings.leaseMs });
    if (claimed === 'locked') return requeueAfter(lockedMs);
    if (!claimed) {
      await this.#dropNudge(operation, signal);
      return done;
    }
    // A notice in our namespace may name an Operation that is for another engine.
    if (claimed.instance_id !== this.#context.engine.namespaceUid) {
      await postponeOperation(db, claimed, { owner, now: now(), message: 'this Operation is for another engine' });
      return done;
    }
    const waitsFor = claimed.resource_type === 'SyncOperation' ? undefined : claimed.resource_id;
    try {
      const step = await carryOut(this.#context, claimed, signal);
      if (step.kind === 'waits') {
        await this.#noteWaiting(claimed.resource_id, waitsFor, operation, claimed.operation_owner_user_id);
        await postponeOperation(db, claimed, { owner, now: now(), message: step.message });
        return requeueAfter(waitMs);
      }
      const state = step.kind === 'reached' ? 'Completed' : 'Failed';
      const message = step.kind === 'failed' ? { message: step.message } : {};
      const gone = step.kind === 'reached' && step.gone === true;
      const { again, isLost } = await endOperation(db, claimed, { owner, now: now(), state, gone, ...message });
      if (isLost) await this.#askAgain(claimed);
      if (again) return requeueAfter(1);
      await this.#dropNudge(operation, signal);
      return done;
    } catch (error) {
      if (now() > (claimed.lease_until ?? now())) await this.#askAgain(claimed).catch(() => {});
      if (retries >= shownAfter && !signal.aborted) {
        await postponeOperation(db, claimed, { owner, now: now(), message: retryMessage(error) }).catch(() => {});
      }
      throw error;
    }
  }

  /**
   * Who was so slow that the claim ran out may have done something after another had finished with the newest wish: an Application made
   * after it was deleted, say. So all is looked at once more.
   */
  async #askAgain(claimed: OperationRow): Promise<void> {
    const { db, engine, clock } = this.#context;
    const {
      resource_type: type,
      resource_id: id,
      operation_owner_user_id: tenant,
      requested_on: requestedOn,
    } = claimed;
    const now = new Date(clock.now());
    await changing(db, (tx) => requestOperation(tx, { engine, type, id, tenant, requestedOn, now }));
  }

  /** The Application wakes what waits for it. */
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

  async #dropNudge(operation: string, signal: AbortSignal): Promise<void> {
    const key = { namespace: this.#context.engine.namespace, name: `operation-${operation}` };
    if (!this.#nudges.get(`${key.namespace}/${key.name}`)) return;
    await this.#context.client.delete(gitopsOperationKind.type, key, { signal }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }

  #follow(applications: Informer<SeenApplication>): void {
    const changed = (application: SeenApplication, isNews: boolean, initial: boolean): void => {
      const key = keyOf(application);
      if (isNews) {
        this.#up.isNews(key);
        this.#statuses.enqueue(`${application.tenant}|${key}`, initial ? { priority: -100 } : undefined);
      } else this.#up.isOld(key);
      this.#wakeWaiting(application.id);
    };
    applications.addHandler({
      onAdd: (application, initial) => changed(application, true, initial),
      onUpdate: (old, application) => changed(application, old.statusHash !== application.statusHash, false),
      onDelete: (application) => {
        this.#up.forget(keyOf(application));
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
    await this.#up.store(this.#context.db, key, this.#context.clock);
    return done;
  }
}
