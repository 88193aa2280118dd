import {
  type Application,
  type ApplicationSet,
  type AppProject,
  applicationKind,
  applicationSetKind,
  appProjectKind,
} from '@fairlead/api';
import { isConflict, isNotFound, keyOf, messageOf } from '@fairlead/apimachinery';
import {
  type ApiClient,
  Controller,
  controllerMetrics,
  done,
  Informer,
  InformerFactory,
  type MetricsRegistry,
  type Outcome,
  type Random,
  type ReconcileContext,
  type RoleReport,
  requeueAfter,
  withoutManagedFields,
} from '@fairlead/kube';
import { ownerName } from '../applicationset/applications/desired.ts';
import { isWatchedNamespace } from '../project/application-namespaces.ts';
import { ApplicationView } from '../refresh/application-view.ts';
import { type Events, noEvents } from '../status/events.ts';
import { type Attempt, Attempts } from './delivery/attempts.ts';
import { ConfigStore } from './delivery/config-store.ts';
import { deliverPlanned, type Senders } from './delivery/deliver.ts';
import { DeliveryLanes } from './delivery/delivery-lanes.ts';
import { type Marks, notifiedAnnotation, readMarks, writeMarks } from './delivery/marks.ts';
import type { NotificationMetrics } from './delivery/metrics.ts';
import { type Plan, type PlanInput, type Planned, planNotifications } from './delivery/plan.ts';
import { isSyncStatusCurrent } from './delivery/sync-status.ts';
import { type LoadData, LoadedData } from './environment/missing-data.ts';

export interface NotificationsSettings {
  /** The namespace of the control plane. */
  readonly namespace: string;
  /** Other namespaces of Applications, as globs or `/regular expressions/`. */
  readonly applicationNamespaces?: readonly string[];
  /** Whether namespaces of Applications may have their own configurations. */
  readonly selfService?: boolean;
}

export interface NotificationsControllerOptions extends Senders {
  readonly client: ApiClient;
  readonly random: Random;
  readonly settings: NotificationsSettings;
  /** Reads what expressions and templates ask for of an Application's source. */
  readonly loadData: (application: Application, project: AppProject | undefined) => LoadData;
  readonly events?: Events;
  readonly metrics?: NotificationMetrics;
  readonly registry?: MetricsRegistry;
}

/** All Applications are reconciled this often, as the original does: expressions may depend on the time. */
const resyncMs = 60_000;
/** A ConfigMap and its Secret often change together. */
const configDelayMs = 2_000;

/**
 * Sends the notifications that Applications ask for.
 *
 * - A delivery is marked on the Application as soon as it has been made, so that neither a restart nor another replica makes it again.
 * - Deliveries do not wait for one another: a reconcile starts them, and each enqueues its Application when it has ended.
 * - One that failed is tried again after its backoff, as long as its condition is true.
 */
export class NotificationsController {
  readonly #options: NotificationsControllerOptions;
  readonly #informers: InformerFactory;
  readonly #applications: ApplicationView;
  readonly #watched: Informer<Application>;
  readonly #projects: Informer<AppProject>;
  readonly #sets: Informer<ApplicationSet>;
  readonly #configs: ConfigStore;
  readonly #queue: Controller;
  readonly #lanes = new DeliveryLanes();
  readonly #attempts = new Map<string, Attempts>();
  readonly #sending = new Set<Promise<void>>();
  readonly #reported = new Map<string, string>();

  constructor(options: NotificationsControllerOptions) {
    this.#options = options;
    const { client, clock, random, log, settings, registry } = options;
    const { namespace, applicationNamespaces = [], selfService = false } = settings;
    this.#informers = new InformerFactory(client, { clock, random, log, transform: withoutManagedFields });
    const everywhere = applicationNamespaces.length > 0;
    const applications = this.#informers.informer<Application>(applicationKind.type, everywhere ? {} : { namespace });
    this.#watched = applications.addIndex('set', (application) => setKeyOf(application) ?? []);
    const shared = { clock, random, log, transform: withoutManagedFields };
    this.#sets = new Informer<ApplicationSet>(client, applicationSetKind.type, everywhere ? {} : { namespace }, shared);
    this.#applications = new ApplicationView(applications);
    this.#projects = this.#informers.informer<AppProject>(appProjectKind.type, { namespace });
    this.#configs = new ConfigStore(this.#informers, {
      namespace: selfService ? undefined : namespace,
      clock,
      changed: (at) => this.#configChanged(at),
    });
    this.#queue = new Controller({
      name: 'notifications_queue',
      concurrency: 8,
      reconcile: (key, context) => this.#reconcile(key, context),
      clock,
      log,
      ...(registry ? { metrics: controllerMetrics(registry, 'notifications_queue') } : {}),
    });
    applications.addHandler({ onDelete: (application) => this.#attempts.delete(keyOf(application)) });
    this.#queue.watch(applications);
    this.#followSets();
  }

  /** Annotations of an ApplicationSet are subscriptions of its Applications. A cluster may have no such kind, so nothing waits for them. */
  #followSets(): void {
    const enqueue = (set: ApplicationSet): void => {
      for (const application of this.#watched.byIndex('set', keyOf(set))) this.#queue.enqueue(keyOf(application));
    };
    const annotationsOf = ({ metadata }: ApplicationSet): string => JSON.stringify(metadata.annotations ?? {});
    this.#sets.addHandler({
      onAdd: (set) => set.metadata.annotations && enqueue(set),
      onUpdate: (old, set) => annotationsOf(old) !== annotationsOf(set) && enqueue(set),
      onDelete: enqueue,
    });
  }

  /** Adds the queue of the controller to the report of its role. */
  reportTo(report: RoleReport): void {
    report.queue('notification', () => this.#queue.queueStatus);
  }

  /** Work that is going on. */
  get pending(): number {
    return this.#queue.backlog + this.#queue.inFlight + this.#sending.size;
  }

  /** Deliveries that are under way or have failed, by Application. */
  attempts(): { readonly application: string; readonly key: string; readonly attempt: Attempt }[] {
    return [...this.#attempts].flatMap(([application, attempts]) =>
      attempts.list().map(([key, attempt]) => ({ application, key, attempt })),
    );
  }

  /** Works until the signal aborts; resolves when the deliveries under way have ended and are marked. */
  async run(signal: AbortSignal): Promise<void> {
    const informing = new AbortController();
    this.#informers.start(informing.signal);
    const following = this.#sets.run(informing.signal);
    await this.#informers.waitForSync(signal).catch(() => {});
    await this.#queue.run(signal);
    await Promise.allSettled(this.#sending);
    for (const key of this.#attempts.keys()) await this.#markDelivered(key).catch(() => {});
    informing.abort();
    await Promise.all([following, this.#informers.stopped()]);
  }

  async #reconcile(key: string, { signal, waitFor }: ReconcileContext): Promise<Outcome> {
    const application = this.#applications.get(key);
    const { settings } = this.#options;
    const { namespace = '' } = application?.metadata ?? {};
    if (!application || !isWatchedNamespace(settings, namespace) || !isSyncStatusCurrent(application)) return done;
    const attempts = this.#attemptsOf(key);
    const inputs = this.#configNamespaces(namespace).map((at) => this.#inputFor(application, at));
    const plans: Plan[] = [];
    for (const input of inputs) {
      const plan = await waitFor(planNotifications(input));
      plans.push(plan);
      this.#report(key, plan);
    }
    await this.#writeMarks(application, marksAfter(readMarksOf(application), plans, attempts), signal);
    attempts.retain(new Set(plans.flatMap(({ planned }) => planned.map((one) => one.key))));
    const marks = readMarksOf(this.#applications.get(key) ?? application);
    for (const [i, { planned }] of plans.entries()) {
      const input = inputs[i];
      for (const one of planned) {
        if (Object.hasOwn(marks, one.key)) attempts.forget(one.key);
        else if (input && attempts.isDue(one.key)) this.#send(key, one, input, attempts);
      }
    }
    if (attempts.isEmpty) this.#attempts.delete(key);
    return requeueAfter(Math.max(1, Math.min(resyncMs, (attempts.nextAt ?? Infinity) - this.#options.clock.now())));
  }

  #attemptsOf(key: string): Attempts {
    const { clock, random } = this.#options;
    const attempts = this.#attempts.get(key) ?? new Attempts(clock, random);
    this.#attempts.set(key, attempts);
    return attempts;
  }

  /** The namespaces whose configurations apply to Applications of a namespace. */
  #configNamespaces(namespace: string): string[] {
    const { settings } = this.#options;
    const own = settings.selfService && namespace !== settings.namespace && this.#configs.has(namespace);
    return [...(own ? [namespace] : []), settings.namespace];
  }

  #inputFor(application: Application, configNamespace: string): PlanInput {
    const { settings, clock, loadData } = this.#options;
    const { namespace, selfService = false } = settings;
    const project = this.#projects.get(`${namespace}/${application.spec.project || 'default'}`);
    const [setKey = ''] = setKeyOf(application) ?? [];
    const config = this.#configs.get(configNamespace);
    const data = new LoadedData(loadData(application, project));
    const now = (): number => clock.now();
    const secrets = selfService ? undefined : config.secrets;
    return {
      application,
      project,
      set: this.#sets.get(setKey),
      config,
      data,
      now,
      sources: { application, project, context: config.context, secrets, data, now },
      ...(configNamespace === namespace ? {} : { configNamespace }),
    };
  }

  /** Starts a delivery. Its Application is reconciled when it has ended. */
  #send(key: string, planned: Planned, input: PlanInput, attempts: Attempts): void {
    const { metrics } = this.#options;
    const { service } = planned.destination;
    if (attempts.get(planned.key)) metrics?.retries.increase({ service });
    const attempt = attempts.begin(planned.key);
    const stop = new AbortController();
    const sending = deliverPlanned(planned, input, { lanes: this.#lanes, senders: this.#options, signal: stop.signal })
      .then(
        () => {
          attempt.delivered();
          metrics?.deliveries.increase({ trigger: planned.trigger, service, succeeded: 'true' });
        },
        (error: unknown) => {
          attempt.failed(messageOf(error));
          metrics?.deliveries.increase({ trigger: planned.trigger, service, succeeded: 'false' });
          this.#reportFailure(input.application, planned, messageOf(error));
        },
      )
      .finally(() => {
        this.#sending.delete(sending);
        this.#queue.enqueue(key);
      });
    this.#sending.add(sending);
  }

  #reportFailure(application: Application, { trigger, destination }: Planned, error: string): void {
    const { events = noEvents, log } = this.#options;
    const { service, recipient } = destination;
    log.warn('a notification was not delivered', {
      application: keyOf(application),
      trigger,
      service,
      recipient,
      error,
    });
    const to = recipient === '' ? service : `${service}:${recipient}`;
    const note = `Notification ${trigger} to ${to} failed and will be retried: ${error}`.slice(0, 1_000);
    events.record({ regarding: application, type: 'Warning', reason: 'NotificationFailed', action: 'Notify', note });
  }

  /** Logs the problems of a plan once, and counts its evaluations. */
  #report(key: string, { evaluated, problems }: Plan): void {
    const { metrics, log } = this.#options;
    for (const { trigger, triggered } of evaluated)
      metrics?.evaluations.increase({ name: trigger, triggered: String(triggered) });
    const text = problems.join('\n');
    if (text !== '' && this.#reported.get(key) !== text)
      log.warn('notifications cannot be evaluated completely', { application: key, problems });
    if (text === '') this.#reported.delete(key);
    else this.#reported.set(key, text);
  }

  /** Writes the marks if they have changed. Refused if the Application has changed since it was read. */
  async #writeMarks(application: Application, marks: Marks, signal?: AbortSignal): Promise<void> {
    const before = application.metadata.annotations?.[notifiedAnnotation];
    const text = writeMarks(marks);
    if (text === before || text === writeMarks(readMarks(before))) return;
    const { namespace = '', name, resourceVersion = '' } = application.metadata;
    const patch = { metadata: { resourceVersion, annotations: { [notifiedAnnotation]: text ?? null } } };
    const options = { fieldManager: 'argocd-notifications-controller', ...(signal ? { signal } : {}) };
    try {
      const { client } = this.#options;
      this.#applications.wrote(
        await client.patch<Application>(applicationKind.type, { namespace, name }, 'merge', patch, options),
      );
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  /** Marks what was delivered while the controller stopped. */
  async #markDelivered(key: string): Promise<void> {
    const delivered = (this.#attempts.get(key)?.list() ?? []).filter(([, { phase }]) => phase === 'delivered');
    const [namespace = '', name = ''] = key.split('/');
    for (let tries = 0; delivered.length > 0 && tries < 3; tries++) {
      const application = await this.#options.client.get<Application>(applicationKind.type, { namespace, name });
      const now = Math.floor(this.#options.clock.now() / 1000);
      const marks = { ...readMarksOf(application), ...Object.fromEntries(delivered.map(([mark]) => [mark, now])) };
      try {
        return await this.#writeMarks(application, marks);
      } catch (error) {
        if (!isConflict(error)) throw error;
      }
    }
  }

  #configChanged(namespace: string): void {
    const { problems } = this.#configs.get(namespace);
    this.#options.metrics?.problems.set({ namespace }, problems.length);
    if (problems.length > 0)
      this.#options.log.warn('the notifications configuration has errors', { namespace, problems });
    for (const attempts of this.#attempts.values()) attempts.retryNow();
    for (const application of this.#watched.list()) this.#queue.enqueueAfter(keyOf(application), configDelayMs);
  }
}

const readMarksOf = (application: Application): Marks =>
  readMarks(application.metadata.annotations?.[notifiedAnnotation]);

/** The key of the ApplicationSet that an Application belongs to. */
function setKeyOf(application: Application): [string] | undefined {
  const name = ownerName(application);
  return name === undefined ? undefined : [`${application.metadata.namespace ?? ''}/${name}`];
}

/** The marks with those of deliveries that were made, and without those of conditions that have turned false. */
function marksAfter(before: Marks, plans: readonly Plan[], attempts: Attempts): Marks {
  const marks = { ...before };
  for (const { planned, cleared } of plans) {
    for (const key of cleared) delete marks[key];
    for (const { key } of planned) {
      const attempt = attempts.get(key);
      if (attempt?.phase === 'delivered' && !Object.hasOwn(marks, key)) marks[key] = Math.floor(attempt.at / 1000);
    }
  }
  return marks;
}
