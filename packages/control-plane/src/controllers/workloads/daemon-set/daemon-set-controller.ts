import { daemonSetType, keyOf, nodeType, podType, uidOf } from '@fairlead/apimachinery';
import { Controller, done, type Informer, type Outcome, requeueAfter } from '@fairlead/kube';
import { same } from '../../../kinds/workloads/equality.ts';
import type { ControllerParts, MakeController, RecordEvent, Runnable } from '../../parts.ts';
import { revisionType } from '../../resource-types.ts';
import { claimAll } from '../claim.ts';
import { claimable, concernedBy } from '../dependents.ts';
import type { ControllerRevision, DaemonSet, Node, Pod } from '../kinds.ts';
import { readingOwnWrites, type WaitingWriter } from '../own-writes.ts';
import { byController, byNamespace, controllerOf, isControlledBy } from '../owners.ts';
import { PodMaker } from '../pod-maker.ts';
import { isAvailable, nextAvailableMs } from '../pods.ts';
import { yielding } from '../reconciling.ts';
import { matcherOf } from '../selectors.ts';
import { slowStart } from '../slow-start.ts';
import { DaemonHistory } from './daemon-history.ts';
import { daemonPod, podsByNode, targetNode } from './daemon-pods.ts';
import { concerns, daemonSetStatus } from './daemon-set-status.ts';
import { FailureBackoff } from './failure-backoff.ts';
import { nodeFit } from './node-fit.ts';
import { type DaemonPlan, type DaemonView, planPlaces } from './plan-daemons.ts';
import { planUpdate } from './plan-update.ts';

export const daemonSetController: MakeController = (parts) => new DaemonSets(parts).runnable;

const mostAtOnce = 250;
/** Index of daemon pods by their node. */
const byDaemonNode = {
  name: 'daemon node',
  valuesOf(pod: Pod): string[] {
    const node = controllerOf(pod)?.kind === daemonSetType.kind ? targetNode(pod) : undefined;
    return node === undefined ? [] : [node];
  },
};

/** Maintains one pod of each DaemonSet on each suitable node. */
class DaemonSets {
  readonly runnable: Runnable;
  readonly #controller: Controller;
  readonly #parts: ControllerParts;
  readonly #client: WaitingWriter;
  readonly #maker: PodMaker;
  readonly #record: RecordEvent;
  readonly #history: DaemonHistory;
  readonly #backoff = new FailureBackoff();
  readonly #sets: Informer<DaemonSet>;
  readonly #pods: Informer<Pod>;
  readonly #nodes: Informer<Node>;

  constructor(parts: ControllerParts) {
    const { informers, clock, log } = parts;
    this.#parts = parts;
    this.#record = parts.events('daemonset-controller');
    this.#sets = informers.informer<DaemonSet>(daemonSetType).addIndex(byNamespace.name, byNamespace.valuesOf);
    this.#pods = informers
      .informer<Pod>(podType)
      .addIndex(byController.name, byController.valuesOf)
      .addIndex(byDaemonNode.name, byDaemonNode.valuesOf);
    this.#nodes = informers.informer<Node>(nodeType);
    const revisions = informers
      .informer<ControllerRevision>(revisionType)
      .addIndex(byController.name, byController.valuesOf);
    const types = [daemonSetType, podType, revisionType];
    this.#client = readingOwnWrites(parts.client('kube-controller-manager'), informers, clock, types);
    this.#maker = new PodMaker(this.#client, this.#record);
    this.#history = new DaemonHistory(this.#client, revisions);
    this.#controller = new Controller({
      name: 'DaemonSet',
      concurrency: 2,
      clock,
      log,
      reconcile: yielding((key) => this.#reconcile(key)),
    })
      .watch(this.#sets)
      .watch(this.#pods, (pod) => concernedBy(pod, daemonSetType, this.#sets))
      .watch(this.#nodes, () => [])
      .watch(revisions, () => []);
    this.runnable = this.#client.serve(this.#controller);
    this.#nodes.addHandler({
      onAdd: (node) => this.#noteNode(node),
      onUpdate: (old, node) => {
        const changed = !same(old.metadata.labels, node.metadata.labels) || !same(old.spec?.taints, node.spec?.taints);
        if (changed) this.#noteNode(node);
      },
    });
  }

  #noteNode(node: Node): void {
    const owners = new Set(
      this.#pods.byIndex(byDaemonNode.name, node.metadata.name).map((pod) => controllerOf(pod)?.uid),
    );
    for (const set of this.#sets.list()) {
      if (concerns(set, nodeFit(set, node), owners.has(set.metadata.uid))) this.#controller.enqueue(keyOf(set));
    }
  }

  async #reconcile(key: string): Promise<Outcome> {
    const set = this.#sets.get(key);
    if (!set || set.metadata.deletionTimestamp !== undefined) return done;
    if (matcherOf(set.spec.selector).requirements.length === 0) {
      const message = 'This daemon set is selecting all pods. A non-empty selector is required.';
      this.#record(set, 'Warning', 'SelectingAll', message);
      return done;
    }
    const pods = await this.#claimPods(set);
    const { current, old, collisions } = await this.#history.settle(set, pods);
    const hash = current.metadata.labels?.['controller-revision-hash'] ?? '';
    const view = this.#view(set, hash, pods);
    const places = planPlaces(view);
    const settled = places.create.length === 0 && places.delete.length === 0;
    try {
      await this.#carryOut(set, hash, places);
      if (settled && set.spec.updateStrategy.type === 'RollingUpdate') {
        await this.#carryOut(set, hash, planUpdate(view));
      }
      await this.#history.prune(set, pods, old);
    } finally {
      await this.#writeStatus(set, hash, collisions);
    }
    const { minReadySeconds = 0 } = set.spec;
    const available = minReadySeconds > 0 ? nextAvailableMs(pods, minReadySeconds, this.#parts.clock.now()) : undefined;
    const next = Math.min(available ?? Number.POSITIVE_INFINITY, places.requeueAfterMs ?? Number.POSITIVE_INFINITY);
    return Number.isFinite(next) ? requeueAfter(Math.max(next, 1)) : done;
  }

  #claimPods(set: DaemonSet): Promise<Pod[]> {
    const matcher = matcherOf(set.spec.selector);
    const candidates = claimable(this.#pods, set);
    const claimant = { client: this.#client, ownerType: daemonSetType, owner: set, type: podType };
    return claimAll(claimant, candidates, (pod) => matcher.matches(pod.metadata.labels));
  }

  #view(set: DaemonSet, hash: string, pods: readonly Pod[]): DaemonView {
    const now = this.#parts.clock.now();
    const { minReadySeconds = 0 } = set.spec;
    const { uid } = set.metadata;
    return {
      set,
      hash,
      nodes: this.#nodes.list(),
      pods: podsByNode(pods),
      isAvailable: (pod) => isAvailable(pod, minReadySeconds, now),
      backoffOf: (node) => this.#backoff.take(`${uid}/${set.status?.observedGeneration ?? 0}/${node}`, now),
    };
  }

  async #carryOut(set: DaemonSet, hash: string, plan: DaemonPlan): Promise<void> {
    for (const { type, reason, message } of plan.events) this.#record(set, type, reason, message);
    const creating = slowStart(plan.create.slice(0, mostAtOnce), async (node) => {
      await this.#maker.create(set, daemonPod(set, hash, node));
    });
    const deleting = plan.delete.slice(0, mostAtOnce).map((pod) => this.#maker.delete(set, pod));
    const results = await Promise.allSettled([creating, ...deleting]);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  async #writeStatus(planned: DaemonSet, hash: string, collisions: number | undefined): Promise<void> {
    const set = this.#sets.get(keyOf(planned));
    if (!set || set.metadata.uid !== planned.metadata.uid) return;
    const own = this.#pods.byIndex(byController.name, uidOf(planned)).filter((pod) => isControlledBy(pod, planned));
    const status = daemonSetStatus(this.#view(planned, hash, own), collisions);
    if (same(status, set.status)) return;
    await this.#client.replace(daemonSetType, { ...set, status }, { subresource: 'status' });
  }
}
