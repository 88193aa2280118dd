import type { Taint } from '@fairlead/apimachinery';
import { formatTime, keyOf, nodeType, podType } from '@fairlead/apimachinery';
import { Controller, done, type Outcome, requeueAfter } from '@fairlead/kube';
import type { Toleration } from '../../../kinds/workloads/pod-spec/types.ts';
import type { MakeController } from '../../parts.ts';
import { removePod } from '../disruption-target.ts';
import type { Node, Pod } from '../objects.ts';
import { indexPodsByNode, podsOn } from '../pods-by-node.ts';
import { tolerates } from '../scheduler/taints.ts';

/** How long a pod may stay on a node with these taints, in ms; infinity for no limit. */
export function tolerationTime(taints: readonly Taint[], tolerations: readonly Toleration[] = []): number {
  const used: Toleration[] = [];
  for (const taint of taints) {
    const toleration = tolerations.find((each) => tolerates(each, taint));
    if (!toleration) return 0;
    used.push(toleration);
  }
  const seconds = used.map(({ tolerationSeconds }) => tolerationSeconds ?? Number.POSITIVE_INFINITY);
  return Math.max(0, Math.min(...seconds, Number.POSITIVE_INFINITY)) * 1000;
}

const drivesAway = (node: Node | undefined): Taint[] =>
  (node?.spec?.taints ?? []).filter(({ effect }) => effect === 'NoExecute');

/** Evicts pods from nodes with a taint that they do not tolerate, or no longer. */
export const taintEviction: MakeController = (parts) => {
  const { clock, informers } = parts;
  const client = parts.client('taint-eviction-controller');
  const record = parts.events('taint-eviction-controller');
  const nodes = informers.informer<Node>(nodeType);
  const pods = indexPodsByNode(informers.informer<Pod>(podType));
  /** When the toleration of a pod started. */
  const since = new Map<string, number>();
  const controller = new Controller({
    name: 'taint-eviction',
    concurrency: 8,
    clock,
    log: parts.log,
    async reconcile(key): Promise<Outcome> {
      const pod = pods.get(key);
      const taints = drivesAway(pod?.spec.nodeName ? nodes.get(pod.spec.nodeName) : undefined);
      if (!pod || pod.metadata.deletionTimestamp) {
        since.delete(key);
        return done;
      }
      const mayStay = taints.length === 0 ? Number.POSITIVE_INFINITY : tolerationTime(taints, pod.spec.tolerations);
      if (mayStay === Number.POSITIVE_INFINITY) {
        const running = since.delete(key);
        if (running) record(pod, 'Normal', 'TaintManagerEviction', `Cancelling deletion of Pod ${key}`);
        return done;
      }
      const began = since.get(key) ?? clock.now();
      const left = began + mayStay - clock.now();
      if (left > 0) {
        since.set(key, began);
        return requeueAfter(left);
      }
      since.delete(key);
      record(pod, 'Normal', 'TaintManagerEviction', `Marking for deletion Pod ${key}`);
      await removePod(client, pod, {
        reason: 'DeletionByTaintManager',
        message: 'Taint manager: deleting due to NoExecute taint',
        now: formatTime(clock.now()),
      });
      return done;
    },
  });
  const enqueuePodsOf = ({ metadata }: Node): void => {
    for (const pod of podsOn(pods, metadata.name)) controller.enqueue(keyOf(pod));
  };
  nodes.addHandler({
    onAdd: (node) => {
      if (drivesAway(node).length > 0) enqueuePodsOf(node);
    },
    onUpdate: (old, node) => {
      if (JSON.stringify(drivesAway(old)) !== JSON.stringify(drivesAway(node))) enqueuePodsOf(node);
    },
  });
  const enqueueIfTainted = (pod: Pod): void => {
    const tainted = pod.spec.nodeName && drivesAway(nodes.get(pod.spec.nodeName)).length > 0;
    if (tainted || since.has(keyOf(pod))) controller.enqueue(keyOf(pod));
  };
  pods.addHandler({
    onAdd: enqueueIfTainted,
    onUpdate: (old, pod) => {
      const moved = old.spec.nodeName !== pod.spec.nodeName;
      if (moved || old.metadata.generation !== pod.metadata.generation) enqueueIfTainted(pod);
    },
    onDelete: (pod) => void since.delete(keyOf(pod)),
  });
  return controller.watch(nodes, () => []).watch(pods, () => []);
};
