import { type KubeObject, keyOf, namespaceType, nodeType, podType } from '@fairlead/apimachinery';
import type { Informer } from '@fairlead/kube';
import type { ControllerParts } from '../../parts.ts';
import { claimType, storageClassType, volumeType } from '../../resource-types.ts';
import { type Claim, isFinished, type Node, type Pod, type StorageClass, type Volume } from '../objects.ts';
import { indexVolumes, volumesOfClass } from '../volumes/indexes.ts';
import { ClusterState } from './cluster-state.ts';
import type { ClusterView } from './filter.ts';
import type { SchedulingQueue } from './scheduling-queue.ts';

export const schedulerName = 'default-scheduler';

export interface FollowedCluster extends ClusterView {
  readonly pods: Informer<Pod>;
  readonly claims: Informer<Claim>;
  /** Volumes that are reserved for pods whose binding is not written yet. */
  readonly promised: Set<string>;
  waitForSync(signal: AbortSignal): Promise<void>;
}

const isWaiting = ({ spec, metadata }: Pod): boolean =>
  spec.schedulerName === schedulerName && !spec.schedulingGates?.length && !metadata.deletionTimestamp;

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Whether a pod has the same usage and requirements as before: its status, which changes most, does not matter. */
const isUnchanged = (old: Pod, pod: Pod): boolean =>
  old.spec.nodeName === pod.spec.nodeName &&
  old.metadata.generation === pod.metadata.generation &&
  old.metadata.deletionTimestamp === pod.metadata.deletionTimestamp &&
  isFinished(old) === isFinished(pod) &&
  same(old.metadata.labels, pod.metadata.labels) &&
  same(old.spec.schedulingGates, pod.spec.schedulingGates);

const isSameNode = (old: Node, node: Node): boolean =>
  same(old.metadata.labels, node.metadata.labels) &&
  same(old.spec, node.spec) &&
  same(old.status?.allocatable, node.status?.allocatable) &&
  same(old.status?.images, node.status?.images);

/** Keeps the scheduler's snapshot of the cluster, and its queue, up to date with the informers. */
export function followCluster({ informers }: ControllerParts, queue: SchedulingQueue): FollowedCluster {
  const state = new ClusterState();
  const namespaceLabels = new Map<string, Record<string, string> | undefined>();
  const pods = informers.informer<Pod>(podType);
  const nodes = informers.informer<Node>(nodeType);
  const claims = informers.informer<Claim>(claimType);
  const volumes = indexVolumes(informers.informer<Volume>(volumeType));
  const classes = informers.informer<StorageClass>(storageClassType);
  const namespaces = informers.informer<KubeObject>(namespaceType);
  const promised = new Set<string>();

  const seen = (pod: Pod): void => {
    const key = keyOf(pod);
    if (pod.spec.nodeName) {
      queue.remove(key);
      if (isFinished(pod)) return gone(pod);
      state.setPod(pod);
      queue.happened('pod-added');
    } else if (isFinished(pod) || !isWaiting(pod)) gone(pod);
    else if (!state.placed(key)) queue.add(key, pod.spec.priority ?? 0);
  };
  const gone = (pod: Pod): void => {
    queue.remove(keyOf(pod));
    if (state.removePod(keyOf(pod))) queue.happened('pod-removed');
  };
  pods.addHandler({
    onAdd: seen,
    onUpdate: (old, pod) => (isUnchanged(old, pod) ? state.refreshPod(pod) : seen(pod)),
    onDelete: gone,
  });
  nodes.addHandler({
    onAdd: (node) => {
      state.setNode(node);
      queue.happened('node');
    },
    onUpdate: (old, node) => {
      if (isSameNode(old, node)) return;
      state.setNode(node);
      queue.happened('node');
    },
    onDelete: (node) => state.removeNode(node.metadata.name),
  });
  namespaces.addHandler({
    onAdd: (namespace) => void namespaceLabels.set(namespace.metadata.name, namespace.metadata.labels),
    onUpdate: (_old, namespace) => {
      namespaceLabels.set(namespace.metadata.name, namespace.metadata.labels);
      queue.happened('namespace');
    },
    onDelete: (namespace) => void namespaceLabels.delete(namespace.metadata.name),
  });
  for (const informer of [claims, volumes, classes]) {
    const changed = () => {
      state.version += 1;
      queue.happened('volume');
    };
    (informer as Informer).addHandler({ onAdd: changed, onUpdate: changed, onDelete: changed });
  }
  return {
    state,
    pods,
    claims,
    promised,
    namespaces: namespaceLabels,
    volumes: {
      claim: (namespace, name) => claims.get(`${namespace}/${name}`),
      volume: (name) => volumes.get(name),
      storageClass: (name) => classes.get(name),
      volumesOfClass: (name) => volumesOfClass(volumes, name),
      promised,
    },
    waitForSync: async (signal) => {
      const all = [pods, nodes, claims, volumes, classes, namespaces];
      await Promise.all(all.map((informer) => informer.waitForSync(signal)));
    },
  };
}
