import { type PrePullImage, type PrePullPolicy, prePullImageKind, prePullPolicyKind } from '@fairlead/api';
import { isAlreadyExists, isNotFound, keyOf, parseKey, type ResourceType } from '@fairlead/apimachinery';
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
} from '@fairlead/kube';
import { dated } from '../image/image-status.ts';
import type { PrepullMetrics } from '../metrics.ts';
import { names } from '../names.ts';
import { isReady, type Node, nodeType, type Workload, workloadTypes } from '../objects.ts';
import { planWorkload } from './plan-workload.ts';
import { policyFor, policyVerdict, watches } from './policy.ts';

export interface WorkloadControllerOptions {
  readonly client: ApiClient;
  readonly informers: InformerFactory;
  readonly metrics: PrepullMetrics;
  readonly controllerMetrics?: (name: string) => ControllerMetrics;
  readonly events: { record(event: NewEvent): void };
  readonly clock: Clock;
  readonly log: Logger;
}

const fieldManager = 'fairlead-prepull';

/**
 * Turns image changes of watched workloads into PrePullImages, and keeps what policies say of themselves. Keys are `Kind/namespace/name`
 * of workloads and names of policies.
 */
export class WorkloadController {
  readonly name = 'prepull-workloads';
  readonly #options: WorkloadControllerOptions;
  readonly #policies: Informer<PrePullPolicy>;
  readonly #images: Informer<PrePullImage>;
  readonly #nodes: Informer<Node>;
  readonly #workloads: ReadonlyMap<string, { readonly type: ResourceType; readonly informer: Informer<Workload> }>;
  readonly #workloadQueue: Controller;
  readonly #policyQueue: Controller;

  constructor(options: WorkloadControllerOptions) {
    this.#options = options;
    const { informers, clock, log } = options;
    this.#policies = informers.informer<PrePullPolicy>(prePullPolicyKind.type);
    this.#images = informers.informer<PrePullImage>(prePullImageKind.type).addIndex('owner', ownerUids);
    this.#nodes = informers.informer<Node>(nodeType);
    this.#workloads = new Map(
      workloadTypes.map((type) => [type.kind, { type, informer: informers.informer<Workload>(type) }]),
    );
    const queue = (name: string, reconcile: (key: string, signal: AbortSignal) => Promise<Outcome>) => {
      const metrics = options.controllerMetrics?.(name);
      return new Controller({
        name,
        concurrency: 4,
        reconcile: (key, { signal }) => reconcile(key, signal),
        clock,
        log,
        ...(metrics ? { metrics } : {}),
      });
    };
    this.#workloadQueue = queue(this.name, (key, signal) => this.#workload(key, signal));
    this.#policyQueue = queue('prepull-policies', (key, signal) => this.#policy(key, signal));
    for (const { type, informer } of this.#workloads.values()) {
      this.#workloadQueue.watch(informer, (workload) => [`${type.kind}/${keyOf(workload)}`]);
      this.#policyQueue.watch(informer, () => []);
      informer.addHandler({
        onAdd: (workload) => this.#countAgain(workload),
        onUpdate: (old, workload) => {
          if (JSON.stringify(old.metadata.labels) === JSON.stringify(workload.metadata.labels)) return;
          this.#countAgain(old);
          this.#countAgain(workload);
        },
        onDelete: (workload) => this.#countAgain(workload),
      });
    }
    this.#policyQueue.watch(this.#policies);
    const all = () => this.#allWorkloads();
    this.#policies.addHandler({
      onAdd: all,
      onUpdate: (old, policy) => old.metadata.generation !== policy.metadata.generation && all(),
      onDelete: all,
    });
    this.#nodes.addHandler({
      onAdd: (_, initial) => !initial && all(),
      onUpdate: (old, node) => isReady(node) && !isReady(old) && all(),
    });
    this.#images.addHandler({ onDelete: (image) => this.#lookAtOwner(image) });
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#images, this.#nodes].map((informer) => informer.waitForSync(signal)));
    await Promise.all([this.#workloadQueue.run(signal), this.#policyQueue.run(signal)]);
  }

  #allWorkloads(): void {
    for (const [kind, { informer }] of this.#workloads)
      for (const workload of informer.list()) this.#workloadQueue.enqueue(`${kind}/${keyOf(workload)}`);
  }

  #lookAtOwner({ metadata }: PrePullImage): void {
    for (const { kind, name } of metadata.ownerReferences ?? [])
      if (this.#workloads.has(kind)) this.#workloadQueue.enqueue(`${kind}/${metadata.namespace}/${name}`);
  }

  #countAgain(workload: Workload): void {
    for (const policy of this.#policies.list())
      if (watches(policy, workload)) this.#policyQueue.enqueueAfter(policy.metadata.name, 200);
  }

  async #workload(key: string, signal: AbortSignal): Promise<Outcome> {
    const { client, clock, events } = this.#options;
    const slash = key.indexOf('/');
    const entry = this.#workloads.get(key.slice(0, slash));
    const cached = entry?.informer.get(key.slice(slash + 1));
    if (!entry || !cached) return done;
    // Objects of a list carry no kind of their own.
    const workload = { ...cached, kind: entry.type.kind, apiVersion: `${entry.type.group}/${entry.type.version}` };
    const policy = policyFor(workload, this.#policies.list());
    const owned = this.#images.byIndex('owner', workload.metadata.uid ?? '');
    const plan = planWorkload(workload, policy, owned, this.#nodes.list(), clock.now());
    for (const image of plan.create) {
      await client.create(prePullImageKind.type, image, { signal, fieldManager }).catch((error: unknown) => {
        if (!isAlreadyExists(error)) throw error;
      });
      const note = `Image pre-pull initiated for ${image.spec!.image}`;
      events.record({ regarding: workload, type: 'Normal', reason: 'PrePullTriggered', action: 'PrePull', note });
    }
    for (const { metadata, spec } of plan.update) {
      const target = { namespace: metadata.namespace ?? '', name: metadata.name };
      const patch = { metadata: { uid: metadata.uid, resourceVersion: metadata.resourceVersion }, spec: whole(spec!) };
      await client.patch(prePullImageKind.type, target, 'merge', patch, { signal, fieldManager });
    }
    for (const { metadata } of plan.remove) {
      const target = { namespace: metadata.namespace ?? '', name: metadata.name };
      await client.delete(prePullImageKind.type, target, { signal }).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
    }
    if (plan.record !== undefined) await this.#record(entry.type, workload, plan.record, signal);
    return done;
  }

  /** One annotation, applied under our own name: whoever owns the rest of the workload sees no change of theirs. */
  async #record(type: ResourceType, { apiVersion, kind, metadata }: Workload, record: string, signal: AbortSignal) {
    const { namespace = '', name, uid } = metadata;
    const patch = {
      apiVersion,
      kind,
      metadata: { name, namespace, ...(uid ? { uid } : {}), annotations: { [names.lastImages]: record } },
    };
    await this.#options.client
      .patch(type, { namespace, name }, 'apply', patch, { signal, fieldManager, force: true })
      .catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
  }

  async #policy(name: string, signal: AbortSignal): Promise<Outcome> {
    const { client, clock, metrics } = this.#options;
    const policy = this.#policies.get(name);
    if (!policy) {
      metrics.policyGone(name);
      return done;
    }
    const workloads = [...this.#workloads].flatMap(([kind, { informer }]) =>
      informer.list().map((workload) => ({ ...workload, kind })),
    );
    const watched = workloads.filter((workload) => watches(policy, workload)).length;
    metrics.watched(name, watched);
    const now = clock.now();
    const condition = dated(policy, { type: 'Ready', ...policyVerdict(policy, watched, workloads.length) }, now);
    const [before] = policy.status?.conditions ?? [];
    if (
      policy.status?.watchedDeployments === watched &&
      JSON.stringify(sortKeys(before)) === JSON.stringify(sortKeys(condition))
    )
      return done;
    const status = { watchedDeployments: watched, lastUpdated: new Date(now).toISOString(), conditions: [condition] };
    await client.patch(prePullPolicyKind.type, parseKey(name), 'merge', { status }, { subresource: 'status', signal });
    return done;
  }
}

/** A merge patch that takes away what is no longer asked for. */
const whole = (spec: NonNullable<PrePullImage['spec']>) => ({
  nodes: null,
  imagePullSecrets: null,
  resources: null,
  retry: null,
  timeout: null,
  completedTTL: null,
  priority: null,
  ...spec,
});

const sortKeys = (value: object | undefined): unknown =>
  Object.entries(value ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
const ownerUids = ({ metadata }: PrePullImage): string[] => (metadata.ownerReferences ?? []).map(({ uid }) => uid);
