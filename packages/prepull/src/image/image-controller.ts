import { isDeepStrictEqual } from 'node:util';
import { type NodePullStatus, type PrePullImage, type PrePullImageStatus, prePullImageKind } from '@fairlead/api';
import { type ApiError, isNotFound, keyOf } from '@fairlead/apimachinery';
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
import { isReady, type Job, jobType, type Node, nodeType, type Pod, podType } from '../objects.ts';
import { readSettings, SettingsProblem } from '../policy/pull-settings.ts';
import { planPulls } from '../pull/plan-pulls.ts';
import { pullJob, pullOf } from '../pull/pull-job.ts';
import type { PullLimits } from '../pull/pull-limits.ts';
import { type PullOutcome, pullOutcome } from '../pull/pull-outcome.ts';
import { PullStarter } from '../pull/pull-starter.ts';
import { dated, imageStatus } from './image-status.ts';

export interface ImageControllerOptions {
  readonly client: ApiClient;
  readonly informers: InformerFactory;
  readonly limits: PullLimits;
  /** Where pull Jobs stand; each in the namespace of its PrePullImage, with the pull secrets there, when absent. */
  readonly jobNamespace?: string;
  /** Whether this process still leads; always, where there is no election. */
  readonly isLeader?: () => boolean;
  readonly metrics: PrepullMetrics;
  readonly controllerMetrics?: ControllerMetrics;
  readonly events: { record(event: NewEvent): void };
  readonly clock: Clock;
  readonly log: Logger;
}

/** What is known of an image and not written down yet. One process leads, so what it computed last is newer than what its watch shows. */
interface Memory {
  readonly uid: string | undefined;
  readonly generation: number | undefined;
  status: PrePullImageStatus;
  writtenAt: number;
  unwritten: boolean;
  blocked?: { readonly reason: string; readonly message: string; readonly until: number };
}

const refusedMs = 30_000;
/** A status of many nodes is large; it is written as often as its size allows. */
const writeEveryMs = (nodes: number): number => Math.min(5_000, 250 + nodes * 5);
/** Many Jobs end at nearly the same time; they are looked at together. */
const gatherMs = (nodes: number): number => Math.min(250, 5 + nodes / 4);

/** Has the nodes of each PrePullImage pull it, says how far that is, and cleans up after itself. */
export class ImageController {
  readonly name = 'prepull-images';
  readonly images: Informer<PrePullImage>;
  readonly starter: PullStarter;
  readonly #options: ImageControllerOptions;
  readonly #nodes: Informer<Node>;
  readonly #jobs: Informer<Job>;
  readonly #pods: Informer<Pod>;
  readonly #controller: Controller;
  readonly #memory = new Map<string, Memory>();
  /** The uids of Jobs that the server has deleted and the watch still shows: deleting them again would be a write for nothing. */
  readonly #removed = new Set<string>();

  constructor(options: ImageControllerOptions) {
    this.#options = options;
    const { informers, clock, log, client, limits } = options;
    this.images = informers.informer<PrePullImage>(prePullImageKind.type);
    this.#nodes = informers.informer<Node>(nodeType);
    this.#jobs = informers.informer<Job>(jobType, { labelSelector: names.image }).addIndex('image', imageUidOf);
    this.#pods = informers.informer<Pod>(podType, { labelSelector: names.image }).addIndex('job', jobOf);
    this.starter = new PullStarter({
      client,
      limits,
      clock,
      log,
      mayAct: options.isLeader ?? (() => true),
      jobFor: (key, pull) => this.#jobFor(key, pull),
      refused: (key, error) => this.#refused(key, error),
      isShown: (name) => this.#jobs.get(name) !== undefined,
      look: (job) => this.#lookAt(job),
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
    for (const informer of [this.#nodes, this.#jobs, this.#pods] as unknown as Informer[])
      this.#controller.watch(informer, () => []);
    this.#jobs.addHandler({
      onAdd: (job) => this.#jobSeen(job),
      onUpdate: (_, job) => this.#jobSeen(job),
      onDelete: (job) => {
        this.#removed.delete(job.metadata.uid ?? '');
        this.starter.gone(job);
        this.#lookAtOwner(job);
      },
    });
    const podSeen = (pod: Pod) => this.#lookAtOwner(this.#jobs.get(`${pod.metadata.namespace}/${jobNameOfPod(pod)}`));
    this.#pods.addHandler({ onAdd: podSeen, onUpdate: (_, pod) => podSeen(pod) });
    this.#nodes.addHandler({
      onAdd: (_, initial) => !initial && this.#lookAtAll(),
      onUpdate: (old, node) => mattersToImages(old, node) && this.#lookAtAll(),
      onDelete: () => this.#lookAtAll(),
    });
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
      cancel = clock.after(10_000, () => {
        void this.starter.sweep().catch((error: unknown) => log.warn('Jobs could not be looked up', { error }));
        sweep();
      });
    };
    sweep();
    await this.#controller.run(signal);
    cancel();
  }

  #jobSeen(job: Job): void {
    this.starter.seen(job);
    this.#lookAtOwner(job);
  }

  #lookAtOwner(job: Job | undefined): void {
    if (!job) return;
    const key = pullOf(job).owner;
    this.#controller.enqueueAfter(key, gatherMs(this.#memory.get(key)?.status.summary?.total ?? 0));
  }

  /** A Job that the watch does not show is looked for among all images: it may be anyone's. */
  #lookAt(job: Pick<Job, 'metadata'>): void {
    const shown = this.#jobs.get(keyOf(job));
    if (shown) this.#lookAtOwner(shown);
    else this.#lookAtAll();
  }

  #lookAtAll(): void {
    for (const image of this.images.list()) this.#controller.enqueueAfter(keyOf(image), 50);
  }

  #jobFor(key: string, pull: { node: string; attempt: number }): Job | undefined {
    const image = this.images.get(key);
    if (!image || image.metadata.deletionTimestamp) return undefined;
    return pullJob(image, readSettings(image), pull, this.#options.jobNamespace);
  }

  #refused(key: string, error: ApiError): void {
    const memory = this.#memory.get(key);
    const image = this.images.get(key);
    this.starter.waiting.delete(key);
    if (!memory || !image) return;
    const reason = /quota/iu.test(error.message) ? 'QuotaExceeded' : error.code === 403 ? 'Forbidden' : 'JobRefused';
    const message = `a pull Job could not be made: ${error.message}; trying again in ${refusedMs / 1000}s`;
    memory.blocked = { reason, message, until: this.#options.clock.now() + refusedMs };
    this.#options.events.record({
      regarding: image,
      type: 'Warning',
      reason,
      action: 'Pull',
      note: message.slice(0, 1000),
    });
    this.#controller.enqueue(key);
  }

  async #reconcile(key: string, signal: AbortSignal): Promise<Outcome> {
    const { clock } = this.#options;
    const image = this.images.get(key);
    if (!image) {
      this.#memory.delete(key);
      this.starter.waiting.delete(key);
      return done;
    }
    if (image.metadata.deletionTimestamp) return this.#delete(key, image, signal);
    let settings: ReturnType<typeof readSettings>;
    try {
      settings = readSettings(image);
    } catch (error) {
      if (!(error instanceof SettingsProblem)) throw error;
      return this.#invalid(key, image, error, signal);
    }
    const now = clock.now();
    if (settings.ttlMs !== undefined && isFinished(image) && !this.#memory.get(key)?.unwritten) {
      const leftMs = Date.parse(image.status?.completionTime ?? '') + settings.ttlMs - now;
      if (leftMs <= 0) return this.#expire(image, signal);
    }
    if (!image.metadata.finalizers?.includes(names.finalizer)) await this.#addFinalizer(image, signal);
    const memory = this.#recall(key, image);
    const jobs = this.#jobs
      .byIndex('image', image.metadata.uid ?? '')
      .filter(({ metadata }) => !metadata.deletionTimestamp && !this.#removed.has(metadata.uid ?? ''));
    const plan = planPulls({ ...image, status: memory.status }, settings, {
      nodes: targetNodes(image.spec!, this.#nodes.list()),
      jobs: jobs.map((job) => ({ job, outcome: this.#outcomeOf(job, now) })),
      now,
    });
    const blocked = memory.blocked && memory.blocked.until > now ? memory.blocked : undefined;
    if (!blocked) delete memory.blocked;
    const status = imageStatus({ ...image, status: memory.status }, plan.nodeStatus, now, blocked);
    this.#count(image, memory.status.nodeStatus ?? [], plan.nodeStatus);
    const usualMs = writeEveryMs(plan.nodeStatus.length);
    const atOnce = status.phase !== memory.status.phase || blocked !== undefined;
    // A failure gives its slot back once it is written down, so it does not wait for long.
    const everyMs = atOnce ? 0 : plan.remove.failed.length > 0 ? Math.min(1_000, usualMs) : usualMs;
    const again: number[] = [];
    this.#learn(memory, status);
    // Deleted before it is written down: were it forgotten, the node lists the image, or a second pull finds it there.
    await Promise.all(plan.remove.pulled.map((job) => this.#remove(job, signal)));
    if (memory.unwritten) {
      const dueMs = memory.writtenAt + everyMs - now;
      if (dueMs <= 0) await this.#write(key, image, memory, signal);
      else again.push(dueMs);
    }
    if (!memory.unwritten) await Promise.all(plan.remove.failed.map((job) => this.#remove(job, signal)));
    const pulls = blocked ? [] : plan.start.filter(({ node }) => !this.starter.hasBegun(key, node));
    this.starter.set({
      key,
      tenant: image.metadata.namespace ?? '',
      registry: settings.name.registry,
      priority: settings.priority,
      pulls,
    });
    if (plan.nextAt !== undefined) again.push(plan.nextAt - now);
    if (blocked) again.push(blocked.until - now);
    if (settings.ttlMs !== undefined && status.completionTime)
      again.push(Date.parse(status.completionTime) + settings.ttlMs - now);
    return again.length > 0 ? requeueAfter(Math.max(10, Math.min(...again))) : done;
  }

  #recall(key: string, image: PrePullImage): Memory {
    const { uid, generation } = image.metadata;
    const known = this.#memory.get(key);
    if (known && known.uid === uid && known.generation === generation) return known;
    const memory: Memory = { uid, generation, status: image.status ?? {}, writtenAt: 0, unwritten: false };
    this.#memory.set(key, memory);
    return memory;
  }

  #learn(memory: Memory, status: PrePullImageStatus): void {
    if (isSameStatus(status, memory.status)) return;
    memory.status = status;
    memory.unwritten = true;
  }

  #outcomeOf(job: Job, now: number): PullOutcome {
    const pods = this.#pods.byIndex('job', `${job.metadata.namespace}/${job.metadata.name}`);
    const outcome = pullOutcome(job, pods);
    const ageMs = now - Date.parse(job.metadata.creationTimestamp ?? '');
    if (outcome.kind !== 'pulling' || outcome.hint !== undefined || pods.length > 0 || !(ageMs > 20_000))
      return outcome;
    return { kind: 'pulling', hint: `Job ${job.metadata.name} has no pod yet: see kubectl describe job` };
  }

  async #write(key: string, image: PrePullImage, memory: Memory, signal: AbortSignal): Promise<void> {
    const { client, clock } = this.#options;
    const { namespace = '', name } = image.metadata;
    const { status } = memory;
    const patch = { metadata: { uid: memory.uid }, status: { completionTime: null, startTime: null, ...status } };
    try {
      await client.patch(prePullImageKind.type, { namespace, name }, 'merge', patch, { subresource: 'status', signal });
    } catch (error) {
      if (isNotFound(error)) return;
      throw error;
    }
    if (this.#memory.get(key) !== memory) return;
    memory.writtenAt = clock.now();
    if (memory.status === status) memory.unwritten = false;
  }

  /** Events and figures of what has come to an end since the last look. */
  #count(image: PrePullImage, before: readonly NodePullStatus[], after: readonly NodePullStatus[]): void {
    const earlier = new Map(before.map((status) => [status.node, status]));
    for (const status of after) {
      const old = earlier.get(status.node);
      if (status.status === 'Completed' && old?.status !== 'Completed') this.#options.metrics.pulled(status);
      if (status.error && (status.retryCount ?? 0) > (old?.retryCount ?? 0)) {
        this.#options.metrics.failed(status);
        const note = `${status.node}: ${status.error}`.slice(0, 1000);
        this.#options.events.record({ regarding: image, type: 'Warning', reason: 'PullFailed', action: 'Pull', note });
      }
    }
  }

  async #invalid(key: string, image: PrePullImage, problem: SettingsProblem, signal: AbortSignal): Promise<Outcome> {
    const memory = this.#recall(key, image);
    this.starter.waiting.delete(key);
    const now = this.#options.clock.now();
    const condition = { type: 'Ready', status: 'False' as const, reason: 'InvalidSpec', message: problem.message };
    this.#learn(memory, { phase: 'Failed', conditions: [dated({ ...image, status: memory.status }, condition, now)] });
    if (!memory.unwritten) return done;
    await this.#write(key, image, memory, signal);
    this.#options.events.record({
      regarding: image,
      type: 'Warning',
      reason: 'InvalidSpec',
      action: 'Pull',
      note: problem.message,
    });
    return done;
  }

  async #addFinalizer({ metadata }: PrePullImage, signal: AbortSignal): Promise<void> {
    const { namespace = '', name, resourceVersion, finalizers = [] } = metadata;
    const patch = { metadata: { resourceVersion, finalizers: [...finalizers, names.finalizer] } };
    await this.#options.client.patch(prePullImageKind.type, { namespace, name }, 'merge', patch, { signal });
  }

  /** Its Jobs go first; the finalizer holds it until they have gone. */
  async #delete(key: string, image: PrePullImage, signal: AbortSignal): Promise<Outcome> {
    const { namespace = '', name, resourceVersion, finalizers = [], uid } = image.metadata;
    this.starter.waiting.delete(key);
    if (!finalizers.includes(names.finalizer)) return done;
    const { items } = await this.#options.client.list<Job>(jobType, {
      namespace: this.#options.jobNamespace ?? namespace,
      labelSelector: `${names.image}=${uid}`,
      signal,
    });
    await Promise.all(items.map((job) => this.#remove(job, signal)));
    if (items.length > 0) return requeueAfter(500);
    const left = finalizers.filter((finalizer) => finalizer !== names.finalizer);
    const patch = { metadata: { resourceVersion, finalizers: left } };
    await this.#options.client
      .patch(prePullImageKind.type, { namespace, name }, 'merge', patch, { signal })
      .catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
    return done;
  }

  async #expire({ metadata }: PrePullImage, signal: AbortSignal): Promise<Outcome> {
    const { namespace = '', name, uid } = metadata;
    const key = { namespace, name };
    await this.#options.client
      .delete(prePullImageKind.type, key, { signal, ...(uid ? { preconditions: { uid } } : {}) })
      .catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
    return done;
  }

  async #remove({ metadata }: Job, signal: AbortSignal): Promise<void> {
    const { namespace = '', name, uid } = metadata;
    const preconditions = uid ? { preconditions: { uid } } : {};
    await this.#options.client
      .delete(jobType, { namespace, name }, { propagationPolicy: 'Background', signal, ...preconditions })
      .catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
    if (uid && this.#jobs.get(keyOf({ metadata }))?.metadata.uid === uid) this.#removed.add(uid);
  }
}

/** Of what can change without a node: the parts that have been compared already are the same objects. */
const isSameStatus = (a: PrePullImageStatus, b: PrePullImageStatus): boolean =>
  a.phase === b.phase &&
  a.startTime === b.startTime &&
  a.completionTime === b.completionTime &&
  a.nodeStatus?.length === b.nodeStatus?.length &&
  (a.nodeStatus ?? []).every((node, index) => node === b.nodeStatus![index]) &&
  isDeepStrictEqual(a.conditions, b.conditions);

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

/** Heartbeats do not: only what changes which nodes are meant, or which can pull. */
const mattersToImages = (old: Node, node: Node): boolean =>
  isReady(old) !== isReady(node) ||
  old.metadata.deletionTimestamp !== node.metadata.deletionTimestamp ||
  JSON.stringify(old.metadata.labels) !== JSON.stringify(node.metadata.labels);
