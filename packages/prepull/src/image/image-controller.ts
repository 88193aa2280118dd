import { type NodePullStatus, type PrePullImage, prePullImageKind } from '@fairlead/api';
import {
  type ApiError,
  jobType,
  keyOf,
  type Node,
  nodeType,
  type Pod,
  parseTime,
  podType,
} from '@fairlead/apimachinery';
import {
  type ApiClient,
  type Clock,
  Controller,
  type ControllerMetrics,
  done,
  type Informer,
  type InformerFactory,
  type Logger,
  type NewEvent,
  type Outcome,
  requeueAfter,
} from '@fairlead/kube';
import type { PrepullMetrics } from '../metrics.ts';
import { names } from '../names.ts';
import { targetNodes } from '../node/target-nodes.ts';
import { InvalidFieldError, type PullSettings, readSettings } from '../policy/pull-settings.ts';
import { planPulls } from '../pull/plan-pulls.ts';
import { type Job, type Pull, pullJob, pullOf } from '../pull/pull-job.ts';
import type { PullLimits } from '../pull/pull-limits.ts';
import { type PullOutcome, pullOutcome } from '../pull/pull-outcome.ts';
import { PullStarter } from '../pull/pull-starter.ts';
import { isReady } from '../workload-types.ts';
import { addFinalizer, deleteImage, deleteJob, removeFinalizer } from './image-cleanup.ts';
import { conditionFor, imageStatus } from './image-status.ts';
import { StatusWriter } from './status-writer.ts';

export interface ImageControllerOptions {
  readonly client: ApiClient;
  readonly informers: InformerFactory;
  readonly limits: PullLimits;
  /** The namespace of all pull Jobs. Without it, each is in the namespace of its PrePullImage and can use the pull secrets there. */
  readonly jobNamespace?: string;
  /** Whether this process is still the leader; always true if there is no leader election. */
  readonly isLeader?: () => boolean;
  readonly metrics: PrepullMetrics;
  readonly controllerMetrics?: ControllerMetrics;
  readonly events: { record(event: NewEvent): void };
  readonly clock: Clock;
  readonly log: Logger;
}

const blockedMs = 30_000;
const sweepMs = 10_000;
/** A Job without a pod for this long is reported. */
const noPodMs = 20_000;
/** Many Jobs end at nearly the same time; their events are coalesced into one reconcile. */
const coalesceMs = (nodes: number): number => Math.min(250, 5 + nodes / 4);

/** Pulls each PrePullImage on its nodes, reports progress in its status, and removes finished Jobs and expired images. */
export class ImageController {
  readonly name = 'prepull-images';
  readonly images: Informer<PrePullImage>;
  readonly starter: PullStarter;
  readonly #options: ImageControllerOptions;
  readonly #nodes: Informer<Node>;
  readonly #jobs: Informer<Job>;
  readonly #pods: Informer<Pod>;
  readonly #controller: Controller;
  readonly #statuses: StatusWriter;
  /** The uids of Jobs that are deleted while the informer still shows them, so that they are not deleted twice. */
  readonly #removed = new Set<string>();

  constructor(options: ImageControllerOptions) {
    this.#options = options;
    const { informers, clock, log, client, limits } = options;
    this.images = informers.informer<PrePullImage>(prePullImageKind.type);
    this.#nodes = informers.informer<Node>(nodeType);
    this.#jobs = informers.informer<Job>(jobType, { labelSelector: names.image }).addIndex('image', imageUidOf);
    this.#pods = informers.informer<Pod>(podType, { labelSelector: names.image }).addIndex('job', jobOf);
    this.#statuses = new StatusWriter(client, clock);
    this.starter = new PullStarter({
      client,
      limits,
      clock,
      log,
      isLeader: options.isLeader ?? (() => true),
      jobFor: (key, pull) => this.#jobFor(key, pull),
      onRefused: (key, error) => this.#block(key, error),
      isCached: (name) => this.#jobs.get(name) !== undefined,
      onMissedEvent: (job) => this.#enqueueMissed(job),
    });
    this.#controller = new Controller({
      name: this.name,
      concurrency: 8,
      reconcile: (key, { signal }) => this.#reconcile(key, signal),
      clock,
      log,
      ...(options.controllerMetrics ? { metrics: options.controllerMetrics } : {}),
    });
    this.#controller.watch(this.images);
    this.#controller.watch(this.#nodes, () => []);
    this.#controller.watch(this.#jobs, () => []);
    this.#controller.watch(this.#pods, () => []);
    this.#addHandlers();
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, log, metrics } = this.#options;
    await Promise.all(
      [this.images, this.#nodes, this.#jobs, this.#pods].map((informer) => informer.waitForSync(signal)),
    );
    await this.starter.start(names.image, signal);
    metrics.onRead(() => ({
      active: this.starter.active.size,
      waiting: this.starter.waiting.size,
      images: this.images.list(),
    }));
    let cancel = () => {};
    const sweep = (): void => {
      cancel = clock.after(sweepMs, () => {
        void this.starter.sweep().catch((error: unknown) => log.warn('cannot read pull Jobs', { error }));
        sweep();
      });
    };
    sweep();
    await this.#controller.run(signal);
    cancel();
  }

  #addHandlers(): void {
    const onJob = (job: Job): void => {
      this.starter.observe(job);
      this.#enqueueOwner(job);
    };
    this.#jobs.addHandler({
      onAdd: onJob,
      onUpdate: (_, job) => onJob(job),
      onDelete: (job) => {
        this.#removed.delete(job.metadata.uid ?? '');
        this.starter.forget(job);
        this.#enqueueOwner(job);
      },
    });
    const onPod = (pod: Pod) => this.#enqueueOwner(this.#jobs.get(`${pod.metadata.namespace}/${jobNameOfPod(pod)}`));
    this.#pods.addHandler({ onAdd: onPod, onUpdate: (_, pod) => onPod(pod) });
    this.#nodes.addHandler({
      onAdd: (_, initial) => !initial && this.#enqueueAll(),
      onUpdate: (old, node) => affectsPulls(old, node) && this.#enqueueAll(),
      onDelete: () => this.#enqueueAll(),
    });
  }

  #enqueueOwner(job: Job | undefined): void {
    if (!job) return;
    const key = pullOf(job).owner;
    this.#controller.enqueueAfter(key, coalesceMs(this.#statuses.get(key)?.status.summary?.total ?? 0));
  }

  /** A Job that the informer does not show may belong to any image. */
  #enqueueMissed(job: Pick<Job, 'metadata'>): void {
    const cached = this.#jobs.get(keyOf(job));
    if (cached) this.#enqueueOwner(cached);
    else this.#enqueueAll();
  }

  #enqueueAll(): void {
    for (const image of this.images.list()) this.#controller.enqueueAfter(keyOf(image), 50);
  }

  #jobFor(key: string, pull: Pull): Job | undefined {
    const image = this.images.get(key);
    if (!image || image.metadata.deletionTimestamp) return undefined;
    return pullJob(image, readSettings(image), pull, this.#options.jobNamespace);
  }

  #block(key: string, error: ApiError): void {
    const computed = this.#statuses.get(key);
    const image = this.images.get(key);
    this.starter.waiting.delete(key);
    if (!computed || !image) return;
    const reason = /quota/iu.test(error.message) ? 'QuotaExceeded' : error.code === 403 ? 'Forbidden' : 'JobRefused';
    const message = `a pull Job could not be created: ${error.message}; retrying in ${blockedMs / 1000}s`;
    computed.blocked = { reason, message, until: this.#options.clock.now() + blockedMs };
    this.#warn(image, reason, message);
    this.#controller.enqueue(key);
  }

  async #reconcile(key: string, signal: AbortSignal): Promise<Outcome> {
    const image = this.images.get(key);
    if (!image) {
      this.#statuses.delete(key);
      this.starter.waiting.delete(key);
      return done;
    }
    if (image.metadata.deletionTimestamp) return this.#finalize(key, image, signal);
    try {
      return await this.#pull(key, image, readSettings(image), signal);
    } catch (error) {
      if (!(error instanceof InvalidFieldError)) throw error;
      return this.#reportInvalid(key, image, error, signal);
    }
  }

  async #pull(key: string, image: PrePullImage, settings: PullSettings, signal: AbortSignal): Promise<Outcome> {
    const { clock, client } = this.#options;
    const now = clock.now();
    const expiresAt = (completionTime: string | undefined): number | undefined => {
      const completed = parseTime(completionTime);
      return settings.ttlMs === undefined || completed === undefined ? undefined : completed + settings.ttlMs;
    };
    if (isFinished(image) && !this.#statuses.get(key)?.unwritten) {
      if ((expiresAt(image.status?.completionTime) ?? Infinity) <= now) {
        await deleteImage(client, image, signal);
        return done;
      }
    }
    if (!image.metadata.finalizers?.includes(names.finalizer)) await addFinalizer(client, image, signal);
    const computed = this.#statuses.of(key, image);
    const before = computed.status;
    const jobs = this.#jobs
      .byIndex('image', image.metadata.uid ?? '')
      .filter(({ metadata }) => !metadata.deletionTimestamp && !this.#removed.has(metadata.uid ?? ''));
    const plan = planPulls({ ...image, status: before }, settings, {
      nodes: targetNodes(image.spec ?? {}, this.#nodes.list()),
      jobs: jobs.map((job) => ({ job, outcome: this.#outcomeOf(job, now) })),
      now,
    });
    const blocked = computed.blocked && computed.blocked.until > now ? computed.blocked : undefined;
    if (!blocked) delete computed.blocked;
    const status = imageStatus({ ...image, status: before }, plan.nodeStatus, now, blocked);
    this.#report(image, before.nodeStatus ?? [], plan.nodeStatus);
    this.#statuses.set(computed, status);
    // Successful Jobs are deleted before the status is written: if the write is lost, the node lists the image or a second pull finds it.
    await Promise.all(plan.remove.pulled.map((job) => this.#removeJob(job, signal)));
    const requeue: number[] = [];
    if (computed.unwritten) {
      const delayMs = this.#statuses.delayMs(computed, {
        urgent: status.phase !== before.phase || blocked !== undefined,
        frees: plan.remove.failed.length > 0,
      });
      if (delayMs <= 0) await this.#statuses.write(key, image, computed, signal);
      else requeue.push(delayMs);
    }
    if (!computed.unwritten) await Promise.all(plan.remove.failed.map((job) => this.#removeJob(job, signal)));
    this.starter.set({
      key,
      tenant: image.metadata.namespace ?? '',
      registry: settings.image.registry,
      priority: settings.priority,
      pulls: blocked ? [] : plan.start.filter(({ node }) => !this.starter.isStarting(key, node)),
    });
    for (const at of [plan.nextAt, blocked?.until, expiresAt(status.completionTime)])
      if (at !== undefined) requeue.push(at - now);
    return requeue.length > 0 ? requeueAfter(Math.max(10, Math.min(...requeue))) : done;
  }

  #outcomeOf(job: Job, now: number): PullOutcome {
    const pods = this.#pods.byIndex('job', `${job.metadata.namespace}/${job.metadata.name}`);
    const outcome = pullOutcome(job, pods);
    const ageMs = now - (parseTime(job.metadata.creationTimestamp) ?? now);
    if (outcome.kind !== 'pulling' || outcome.hint !== undefined || pods.length > 0 || ageMs <= noPodMs) return outcome;
    return { kind: 'pulling', hint: `Job ${job.metadata.name} has no pod yet: see kubectl describe job` };
  }

  /** Counts the pulls that ended since the last reconcile, and records an event for each failure. */
  #report(image: PrePullImage, before: readonly NodePullStatus[], after: readonly NodePullStatus[]): void {
    const earlier = new Map(before.map((status) => [status.node, status]));
    for (const status of after) {
      const old = earlier.get(status.node);
      if (status.status === 'Completed' && old?.status !== 'Completed') this.#options.metrics.pulled(status);
      if (status.error && (status.retryCount ?? 0) > (old?.retryCount ?? 0)) {
        this.#options.metrics.failed(status);
        this.#warn(image, 'PullFailed', `${status.node}: ${status.error}`);
      }
    }
  }

  async #reportInvalid(
    key: string,
    image: PrePullImage,
    { message }: InvalidFieldError,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const computed = this.#statuses.of(key, image);
    this.starter.waiting.delete(key);
    const condition = { type: 'Ready', status: 'False', reason: 'InvalidSpec', message } as const;
    const ready = conditionFor({ ...image, status: computed.status }, condition, this.#options.clock.now());
    this.#statuses.set(computed, { phase: 'Failed', conditions: [ready] });
    if (!computed.unwritten) return done;
    await this.#statuses.write(key, image, computed, signal);
    this.#warn(image, 'InvalidSpec', message);
    return done;
  }

  /** Deletes the Jobs of the image; the finalizer keeps it until they are gone. */
  async #finalize(key: string, image: PrePullImage, signal: AbortSignal): Promise<Outcome> {
    const { namespace = '', finalizers = [], uid } = image.metadata;
    const { client, jobNamespace } = this.#options;
    this.starter.waiting.delete(key);
    if (!finalizers.includes(names.finalizer)) return done;
    const { items } = await client.list<Job>(jobType, {
      namespace: jobNamespace ?? namespace,
      labelSelector: `${names.image}=${uid}`,
      signal,
    });
    await Promise.all(items.map((job) => this.#removeJob(job, signal)));
    if (items.length > 0) return requeueAfter(500);
    await removeFinalizer(client, image, signal);
    return done;
  }

  async #removeJob(job: Job, signal: AbortSignal): Promise<void> {
    const { uid } = job.metadata;
    await deleteJob(this.#options.client, job, signal);
    if (uid && this.#jobs.get(keyOf(job))?.metadata.uid === uid) this.#removed.add(uid);
  }

  #warn(regarding: PrePullImage, reason: string, message: string): void {
    this.#options.events.record({ regarding, type: 'Warning', reason, action: 'Pull', note: message.slice(0, 1000) });
  }
}

const imageUidOf = ({ metadata }: Job): string[] => [metadata.labels?.[names.image] ?? ''];
const jobNameOfPod = ({ metadata }: Pod): string =>
  metadata.ownerReferences?.find(({ kind }) => kind === 'Job')?.name ?? metadata.labels?.['job-name'] ?? '';
const jobOf = (pod: Pod): string[] => [`${pod.metadata.namespace}/${jobNameOfPod(pod)}`];
const isFinished = ({ status, metadata }: PrePullImage): boolean =>
  (status?.phase === 'Completed' || status?.phase === 'Failed') &&
  status.completionTime !== undefined &&
  (status.conditions ?? []).every(
    ({ observedGeneration }) => observedGeneration === undefined || observedGeneration === metadata.generation,
  );

/** Heartbeats do not affect pulls; only readiness, deletion and labels do. */
const affectsPulls = (old: Node, node: Node): boolean =>
  isReady(old) !== isReady(node) ||
  old.metadata.deletionTimestamp !== node.metadata.deletionTimestamp ||
  JSON.stringify(old.metadata.labels) !== JSON.stringify(node.metadata.labels);
