import { find, formatTime, keyOf, nodeType, podType } from '@fairlead/apimachinery';
import { Controller, done, type Outcome } from '@fairlead/kube';
import { splitKey } from '../../keys.ts';
import type { MakeController } from '../../parts.ts';
import { removePod } from '../disruption-target.ts';
import { isFinished, type Node, type Pod } from '../objects.ts';
import { indexPodsByNode, podsOn } from '../pods-by-node.ts';
import { readiness } from './node-taints.ts';

/** A missing node may return. */
const quarantineMs = 40_000;
/** The interval of a real collector. */
const roundMs = 20_000;
/** Finished pods beyond this number are deleted. */
const mostFinished = 12_500;

const outOfService = 'node.kubernetes.io/out-of-service';

/** Deletes pods that no other controller deletes: of deleted nodes, without a node, or too many finished ones. */
export const podCollector: MakeController = (parts) => {
  const { clock, informers } = parts;
  const client = parts.client('pod-garbage-collector');
  const nodes = informers.informer<Node>(nodeType);
  const pods = indexPodsByNode(informers.informer<Pod>(podType));
  const finished = new Set<string>();
  const controller = new Controller({
    name: 'pod-garbage-collector',
    concurrency: 4,
    clock,
    log: parts.log,
    async reconcile(key): Promise<Outcome> {
      const [task, name] = splitKey(key);
      if (task === 'node') await collectNode(name);
      else if (task === 'finished') await collectFinished();
      else {
        const pod = pods.get(name);
        if (pod?.metadata.deletionTimestamp && isAbandoned(pod)) await removePod(client, pod, { force: true });
      }
      return done;
    },
  });

  const isAbandoned = ({ spec }: Pod): boolean => {
    if (!spec.nodeName) return true;
    const node = nodes.get(spec.nodeName);
    return (
      node !== undefined &&
      readiness(node) !== 'True' &&
      (node.spec?.taints ?? []).some((taint) => taint.key === outOfService)
    );
  };

  const collectNode = async (name: string): Promise<void> => {
    if (nodes.get(name) || (await exists(name))) return;
    for (const pod of podsOn(pods, name)) {
      await removePod(client, pod, {
        reason: 'DeletionByPodGC',
        message: 'PodGC: node no longer exists',
        now: formatTime(clock.now()),
        force: true,
      });
    }
  };
  const exists = async (name: string): Promise<boolean> => (await find(client.get(nodeType, { name }))) !== undefined;

  const collectFinished = async (): Promise<void> => {
    const surplus = finished.size - mostFinished;
    if (surplus <= 0) return;
    const oldest = [...finished].flatMap((key) => pods.get(key) ?? []).sort(byAge);
    for (const pod of oldest.slice(0, surplus)) await removePod(client, pod, { force: true });
  };

  const seen = (pod: Pod): void => {
    const key = keyOf(pod);
    if (isFinished(pod)) finished.add(key);
    else finished.delete(key);
    if (finished.size > mostFinished) controller.enqueueAfter('finished ', roundMs);
    if (pod.metadata.deletionTimestamp && isAbandoned(pod)) controller.enqueueAfter(`pod ${key}`, roundMs);
    const { nodeName } = pod.spec;
    if (nodeName && nodes.hasSynced && !nodes.get(nodeName)) controller.enqueueAfter(`node ${nodeName}`, quarantineMs);
  };
  pods.addHandler({
    onAdd: seen,
    onUpdate: (_old, pod) => seen(pod),
    onDelete: (pod) => void finished.delete(keyOf(pod)),
  });
  nodes.addHandler({
    onDelete: ({ metadata }) => controller.enqueueAfter(`node ${metadata.name}`, quarantineMs),
    onUpdate: (old, node) => {
      if (old.spec?.taints?.length === node.spec?.taints?.length && readiness(old) === readiness(node)) return;
      for (const pod of podsOn(pods, node.metadata.name)) seen(pod);
    },
  });
  controller.watch(nodes, () => []).watch(pods, () => []);
  return {
    async run(signal) {
      // Pods that were received before the nodes were synced are checked after the sync.
      const first = Promise.all([nodes.waitForSync(signal), pods.waitForSync(signal)]).then(
        () => {
          for (const pod of pods.list()) seen(pod);
        },
        () => {},
      );
      await Promise.all([first, controller.run(signal)]);
    },
  };
};

const isEvicted = ({ status }: Pod): boolean => status?.phase === 'Failed' && status.reason === 'Evicted';

/** Evicted pods first, then the oldest. */
function byAge(a: Pod, b: Pod): number {
  if (isEvicted(a) !== isEvicted(b)) return isEvicted(a) ? -1 : 1;
  const [left, right] = [a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? ''];
  if (left !== right) return left < right ? -1 : 1;
  return a.metadata.name < b.metadata.name ? -1 : 1;
}
