import type { Pod, ReplicaSet } from '../kinds.ts';
import { isActive } from '../pods.ts';
import { byDeletionOrder } from './deletion-order.ts';

/** The limit of one reconcile, so that other replica sets are not delayed. */
const mostAtOnce = 500;

export type ReplicaPlan =
  | { readonly kind: 'none' }
  | { readonly kind: 'create'; readonly count: number }
  | { readonly kind: 'delete'; readonly pods: readonly Pod[] };

/**
 * From the existing pods of a ReplicaSet to the desired number. `related` are the pods of its siblings and its own: a pod with related pods
 * on its node is deleted first.
 */
export function planReplicas(
  replicaSet: ReplicaSet,
  active: readonly Pod[],
  related: () => readonly Pod[],
  now: number,
): ReplicaPlan {
  const surplus = active.length - replicaSet.spec.replicas;
  if (replicaSet.metadata.deletionTimestamp !== undefined || surplus === 0) return { kind: 'none' };
  if (surplus < 0) return { kind: 'create', count: Math.min(-surplus, mostAtOnce) };
  const count = Math.min(surplus, mostAtOnce);
  if (count === active.length) return { kind: 'delete', pods: active };
  const onNode = new Map<string, number>();
  for (const pod of related()) {
    const { nodeName = '' } = pod.spec;
    if (isActive(pod)) onNode.set(nodeName, (onNode.get(nodeName) ?? 0) + 1);
  }
  const ordered = byDeletionOrder(active, (pod) => onNode.get(pod.spec.nodeName ?? '') ?? 0, now);
  return { kind: 'delete', pods: ordered.slice(0, count) };
}
