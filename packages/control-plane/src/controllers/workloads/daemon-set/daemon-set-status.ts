import type { DaemonSet, DaemonSetStatus } from '../kinds.ts';
import { isReady } from '../pods.ts';
import { isUpdated } from './daemon-pods.ts';
import { nodeFit } from './node-fit.ts';
import type { DaemonView } from './plan-daemons.ts';

/** The status of a DaemonSet; of several pods on one node only the first counts. */
export function daemonSetStatus(
  view: Pick<DaemonView, 'set' | 'hash' | 'nodes' | 'pods' | 'isAvailable'>,
  collisions: number | undefined,
): DaemonSetStatus {
  const { set, hash, nodes, pods } = view;
  let [desired, current, misscheduled, ready, updated, available] = [0, 0, 0, 0, 0, 0];
  for (const node of nodes) {
    const first = pods.get(node.metadata.name)?.[0];
    if (!nodeFit(set, node).run) {
      if (first) misscheduled += 1;
      continue;
    }
    desired += 1;
    if (!first) continue;
    current += 1;
    if (isReady(first)) ready += 1;
    if (view.isAvailable(first)) available += 1;
    if (isUpdated(set, hash, first)) updated += 1;
  }
  const unavailable = desired - available;
  const { generation } = set.metadata;
  return {
    currentNumberScheduled: current,
    numberMisscheduled: misscheduled,
    desiredNumberScheduled: desired,
    numberReady: ready,
    ...(generation ? { observedGeneration: generation } : {}),
    ...(updated > 0 ? { updatedNumberScheduled: updated } : {}),
    ...(available > 0 ? { numberAvailable: available } : {}),
    ...(unavailable > 0 ? { numberUnavailable: unavailable } : {}),
    ...(collisions ? { collisionCount: collisions } : {}),
  };
}

/** Whether a change of a node affects the DaemonSet: a pod must be created or deleted, or was misscheduled. */
export function concerns(set: DaemonSet, fit: { run: boolean; stay: boolean }, hasPod: boolean): boolean {
  const misplaced = (set.status?.numberMisscheduled ?? 0) > 0;
  return hasPod ? !fit.stay || misplaced : fit.run;
}
