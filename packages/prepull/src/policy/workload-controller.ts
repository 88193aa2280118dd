import { isDeepStrictEqual } from 'node:util';
import { type PrePullImage, type PrePullPolicy, prePullImageKind, prePullPolicyKind } from '@fairlead/api';
import {
  find,
  formatTime,
  isAlreadyExists,
  keyOf,
  type Node,
  nodeType,
  parseKey,
  type ResourceType,
  type Workload,
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
} from '@fairlead/kube';
import { conditionFor } from '../image/image-status.ts';
import type { PrepullMetrics } from '../metrics.ts';
import { names } from '../names.ts';
import { isReady, workloadTypes } from '../workload-types.ts';
import { planWorkload } from './plan-workload.ts';
import { policyCondition, policyFor, selectsWorkload } from './policy.ts';

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
 * Creates PrePullImages for new images of watched workloads, and writes the status of policies. Keys are `Kind/namespace/name` for
 * workloads and names for policies.
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
        onAdd: (workload) => this.#recount(workload),
        onUpdate: (old, workload) => {
          if (JSON.stringify(old.metadata.labels) === JSON.stringify(workload.metadata.labels)) return;
          this.#recount(old);
          this.#recount(workload);
        },
        onDelete: (workload) => this.#recount(workload),
      });
    }
    this.#policyQueue.watch(this.#policies);
    const all = () => this.#enqueueWorkloads();
    this.#policies.addHandler({
      onAdd: all,
      onUpdate: (old, policy) => old.metadata.generation !== policy.metadata.generation && all(),
      onDelete: all,
    });
    this.#nodes.addHandler({
      onAdd: (_, initial) => !initial && all(),
      onUpdate: (old, node) => isReady(node) && !isReady(old) && all(),
    });
    this.#images.addHandler({ onDelete: (image) => this.#enqueueOwner(image) });
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#images, this.#nodes].map((informer) => informer.waitForSync(signal)));
    await Promise.all([this.#workloadQueue.run(signal), this.#policyQueue.run(signal)]);
  }

  #enqueueWorkloads(): void {
    for (const [kind, { informer }] of this.#workloads)
      for (const workload of informer.list()) this.#workloadQueue.enqueue(`${kind}/${keyOf(workload)}`);
  }

  #enqueueOwner({ metadata }: PrePullImage): void {
    for (const { kind, name } of metadata.ownerReferences ?? [])
      if (this.#workloads.has(kind)) this.#workloadQueue.enqueue(`${kind}/${metadata.namespace}/${name}`);
  }

  #recount(workload: Workload): void {
    for (const policy of this.#policies.list())
      if (selectsWorkload(policy, workload)) this.#policyQueue.enqueueAfter(policy.metadata.name, 200);
  }

  async #workload(key: string, signal: AbortSignal): Promise<Outcome> {
    const { client, clock, events } = this.#options;
    const slash = key.indexOf('/');
    const entry = this.#workloads.get(key.slice(0, slash));
    const cached = entry?.informer.get(key.slice(slash + 1));
    if (!entry || !cached) return done;
    // Objects in a list have neither kind nor apiVersion.
    const workload = { ...cached, kind: entry.type.kind, apiVersion: `${entry.type.group}/${entry.type.version}` };
    const policy = policyFor(workload, this.#policies.list());
    const owned = this.#images.byIndex('owner', workload.metadata.uid ?? '');
    const plan = planWorkload(workload, policy, owned, this.#nodes.list(), clock.now());
    for (const image of plan.create) {
      await client.create(prePullImageKind.type, image, { signal, fieldManager }).catch((error: unknown) => {
        if (!isAlreadyExists(error)) throw error;
      });
      const note = `Image pre-pull initiated for ${image.spec?.image}`;
      events.record({ regarding: workload, type: 'Normal', reason: 'PrePullTriggered', action: 'PrePull', note });
    }
    for (const { metadata, spec } of plan.update) {
      const target = { namespace: metadata.namespace ?? '', name: metadata.name };
      const patch = {
        metadata: { uid: metadata.uid, resourceVersion: metadata.resourceVersion },
        spec: withoutOldFields(spec),
      };
      await client.patch(prePullImageKind.type, target, 'merge', patch, { signal, fieldManager });
    }
    for (const { metadata } of plan.remove) {
      const target = { namespace: metadata.namespace ?? '', name: metadata.name };
      await find(client.delete(prePullImageKind.type, target, { signal }));
    }
    if (plan.record !== undefined) await this.#record(entry.type, workload, plan.record, signal);
    return done;
  }

  /** Applies one annotation with our field manager, which leaves the fields of other managers alone. */
  async #record(type: ResourceType, { apiVersion, kind, metadata }: Workload, record: string, signal: AbortSignal) {
    const { namespace = '', name, uid } = metadata;
    const patch = {
      apiVersion,
      kind,
      metadata: { name, namespace, ...(uid ? { uid } : {}), annotations: { [names.lastImages]: record } },
    };
    await find(
      this.#options.client.patch(type, { namespace, name }, 'apply', patch, { signal, fieldManager, force: true }),
    );
  }

  async #policy(name: string, signal: AbortSignal): Promise<Outcome> {
    const { client, clock, metrics } = this.#options;
    const policy = this.#policies.get(name);
    if (!policy) {
      metrics.policyDeleted(name);
      return done;
    }
    const workloads = [...this.#workloads].flatMap(([kind, { informer }]) =>
      informer.list().map((workload) => ({ ...workload, kind })),
    );
    const watched = workloads.filter((workload) => selectsWorkload(policy, workload)).length;
    metrics.watched(name, watched);
    const now = clock.now();
    const condition = conditionFor(policy, policyCondition(policy, watched, workloads.length), now);
    const [before] = policy.status?.conditions ?? [];
    if (policy.status?.watchedDeployments === watched && isDeepStrictEqual(before, condition)) return done;
    const status = { watchedDeployments: watched, lastUpdated: formatTime(now), conditions: [condition] };
    await client.patch(prePullPolicyKind.type, parseKey(name), 'merge', { status }, { subresource: 'status', signal });
    return done;
  }
}

/** A merge patch that removes the fields that the new spec does not set. */
const withoutOldFields = (spec: PrePullImage['spec']) => ({
  nodes: null,
  imagePullSecrets: null,
  resources: null,
  retry: null,
  timeout: null,
  completedTTL: null,
  priority: null,
  ...spec,
});

const ownerUids = ({ metadata }: PrePullImage): string[] => (metadata.ownerReferences ?? []).map(({ uid }) => uid);
