import type { KubeObject, ResourceType } from '@fairlead/apimachinery';
import { type LabelSelector, messageOf, podType, replicaSetType, uidOf } from '@fairlead/apimachinery';
import { Controller, done, type Informer, type Outcome, requeueAfter } from '@fairlead/kube';
import { same } from '../../../kinds/workloads/equality.ts';
import type { ControllerParts, MakeController, Runnable } from '../../parts.ts';
import { replicationControllerType } from '../../resource-types.ts';
import { claimAll } from '../claim.ts';
import { claimable, concernedBy } from '../dependents.ts';
import type { Pod, ReplicaSet } from '../kinds.ts';
import { readingOwnWrites, type WaitingWriter } from '../own-writes.ts';
import { byController, byNamespace, controllerOf, isControlledBy } from '../owners.ts';
import { PodMaker, podFromTemplate } from '../pod-maker.ts';
import { isActive, isTerminating, nextAvailableMs } from '../pods.ts';
import { yielding } from '../reconciling.ts';
import { matcherOf } from '../selectors.ts';
import { slowStart } from '../slow-start.ts';
import { planReplicas, type ReplicaPlan } from './plan-replicas.ts';
import { replicaSetStatus } from './replica-set-status.ts';

/** The differences between a ReplicaSet and a ReplicationController. */
interface Flavour {
  readonly type: ResourceType;
  readonly component: string;
  readonly countsTerminating: boolean;
  /** The object with its selector in the form of a ReplicaSet's. */
  view(object: KubeObject): ReplicaSet;
}

const replicaSets: Flavour = {
  type: replicaSetType,
  component: 'replicaset-controller',
  countsTerminating: true,
  view: (object) => object as ReplicaSet,
};

const views = new WeakMap<KubeObject, ReplicaSet>();

const replicationControllers: Flavour = {
  type: replicationControllerType,
  component: 'replication-controller',
  countsTerminating: false,
  view(object) {
    const known = views.get(object);
    if (known) return known;
    const { spec, ...rest } = object as KubeObject & { spec: { selector?: Record<string, string> } };
    const selector: LabelSelector = { matchLabels: spec.selector ?? {} };
    const view = { ...rest, spec: { ...spec, selector } } as ReplicaSet;
    views.set(object, view);
    return view;
  },
};

export const replicaSetController: MakeController = (parts) => new ReplicaSets(parts, replicaSets).runnable;
export const replicationControllerController: MakeController = (parts) =>
  new ReplicaSets(parts, replicationControllers).runnable;

/** Maintains the number of pods of each ReplicaSet. */
class ReplicaSets {
  readonly runnable: Runnable;
  readonly #controller: Controller;
  readonly #flavour: Flavour;
  readonly #parts: ControllerParts;
  readonly #client: WaitingWriter;
  readonly #maker: PodMaker;
  readonly #sets: Informer;
  readonly #pods: Informer<Pod>;

  constructor(parts: ControllerParts, flavour: Flavour) {
    const { informers, clock, log } = parts;
    this.#parts = parts;
    this.#flavour = flavour;
    this.#sets = informers
      .informer(flavour.type)
      .addIndex(byNamespace.name, byNamespace.valuesOf)
      .addIndex(byController.name, byController.valuesOf);
    this.#pods = informers.informer<Pod>(podType).addIndex(byController.name, byController.valuesOf);
    const types = [flavour.type, podType];
    this.#client = readingOwnWrites(parts.client('kube-controller-manager'), informers, clock, types);
    this.#maker = new PodMaker(this.#client, parts.events(flavour.component));
    this.#controller = new Controller({
      name: flavour.type.kind,
      concurrency: 10,
      clock,
      log,
      reconcile: yielding((key) => this.#reconcile(key)),
    })
      .watch(this.#sets)
      .watch(this.#pods, (pod) => concernedBy(pod, flavour.type, this.#sets, (set) => flavour.view(set).spec.selector));
    this.runnable = this.#client.serve(this.#controller);
  }

  async #reconcile(key: string): Promise<Outcome> {
    const stored = this.#sets.get(key);
    if (!stored) return done;
    const set = this.#flavour.view(stored);
    const active = await this.#claimActive(set);
    const plan = planReplicas(set, active, () => this.#relatedTo(set), this.#parts.clock.now());
    const failure = await this.#carryOut(set, plan);
    const next = await this.#writeStatus(key, set, failure);
    if (failure) throw failure.error;
    return next === undefined ? done : requeueAfter(Math.max(next, 1));
  }

  #claimActive(set: ReplicaSet): Promise<Pod[]> {
    const matcher = matcherOf(set.spec.selector);
    const candidates = claimable(this.#pods, set).filter(isActive);
    const claimant = { client: this.#client, ownerType: this.#flavour.type, owner: set, type: podType };
    return claimAll(claimant, candidates, (pod) => matcher.matches(pod.metadata.labels));
  }

  #relatedTo(set: ReplicaSet): Pod[] {
    const owner = controllerOf(set);
    if (!owner) return [];
    const siblings = this.#sets.byIndex(byController.name, owner.uid);
    return siblings.flatMap((sibling) => this.#pods.byIndex(byController.name, uidOf(sibling)));
  }

  async #carryOut(set: ReplicaSet, plan: ReplicaPlan): Promise<Failure | undefined> {
    try {
      if (plan.kind === 'create') {
        const pod = podFromTemplate(set.spec.template, this.#flavour.type, set);
        const pods = new Array<Pod>(plan.count).fill(pod);
        await slowStart(pods, async (each) => void (await this.#maker.create(set, each)));
      } else if (plan.kind === 'delete') {
        const results = await Promise.allSettled(plan.pods.map((pod) => this.#maker.delete(set, pod)));
        for (const result of results) if (result.status === 'rejected') throw result.reason;
      }
      return undefined;
    } catch (error) {
      return { error, reason: plan.kind === 'create' ? 'FailedCreate' : 'FailedDelete', message: messageOf(error) };
    }
  }

  /** Returns when to reconcile again for pods that become available after `minReadySeconds`. */
  async #writeStatus(key: string, planned: ReplicaSet, failure: Failure | undefined): Promise<number | undefined> {
    const stored = this.#sets.get(key);
    if (!stored || stored.metadata.uid !== planned.metadata.uid) return undefined;
    const set = this.#flavour.view(stored);
    const matcher = matcherOf(set.spec.selector);
    const own = this.#pods
      .byIndex(byController.name, uidOf(set))
      .filter((pod) => matcher.matches(pod.metadata.labels) && isControlledBy(pod, set));
    const active = own.filter(isActive);
    const now = this.#parts.clock.now();
    const status = replicaSetStatus(
      // The observed generation is that of the plan.
      { ...set, metadata: { ...set.metadata, generation: planned.metadata.generation ?? 0 } },
      {
        active,
        terminating: this.#flavour.countsTerminating ? own.filter(isTerminating) : undefined,
        ...(failure ? { failure: { reason: failure.reason, message: failure.message } } : {}),
      },
      now,
    );
    if (!same(status, set.status)) {
      await this.#client.replace(this.#flavour.type, Object.assign({ ...stored }, { status }), {
        subresource: 'status',
      });
    }
    const { minReadySeconds = 0 } = set.spec;
    if (minReadySeconds === 0 || status.readyReplicas === status.availableReplicas) return undefined;
    return nextAvailableMs(active, minReadySeconds, now);
  }
}

interface Failure {
  readonly error: unknown;
  readonly reason: 'FailedCreate' | 'FailedDelete';
  readonly message: string;
}
