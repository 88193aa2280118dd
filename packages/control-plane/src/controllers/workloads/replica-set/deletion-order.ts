import { uidOf } from '@fairlead/apimachinery';
import type { Pod } from '../kinds.ts';
import { isReady, readySince } from '../pods.ts';

const phaseOrder: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };
export const deletionCostAnnotation = 'controller.kubernetes.io/pod-deletion-cost';

/**
 * The order of deletion: without a node, in an earlier phase, not ready, of lower deletion cost, with more related pods on their node,
 * ready for less time, restarted more often, younger. Times are compared by powers of two, so that among pods of similar age the uid
 * decides, and not always the youngest is deleted.
 */
export function byDeletionOrder(pods: readonly Pod[], relatedOf: (pod: Pod) => number, now: number): Pod[] {
  const ranks = pods.map((pod) => ({ pod, ...rankOf(pod), related: relatedOf(pod) }));
  return ranks.sort((a, b) => compare(a, b, now)).map(({ pod }) => pod);
}

/** The same without cost, related pods and powers of two; used for the pods of Jobs. */
export function byPlainDeletionOrder(pods: readonly Pod[]): Pod[] {
  const ranks = pods.map((pod) => ({ pod, ...rankOf(pod) }));
  const later = (a: number | undefined, b: number | undefined) =>
    (b ?? Number.POSITIVE_INFINITY) - (a ?? Number.POSITIVE_INFINITY) || 0;
  return ranks
    .sort(
      (a, b) =>
        Number(a.hasNode) - Number(b.hasNode) ||
        a.phase - b.phase ||
        Number(a.ready) - Number(b.ready) ||
        (a.ready && b.ready ? later(a.readyAt, b.readyAt) : 0) ||
        b.restarts - a.restarts ||
        b.sidecarRestarts - a.sidecarRestarts ||
        later(a.createdAt, b.createdAt),
    )
    .map(({ pod }) => pod);
}

interface Rank {
  readonly pod: Pod;
  readonly related: number;
  readonly hasNode: boolean;
  readonly phase: number;
  readonly ready: boolean;
  readonly cost: number;
  readonly readyAt: number | undefined;
  readonly restarts: number;
  readonly sidecarRestarts: number;
  readonly createdAt: number;
}

function rankOf(pod: Pod): Omit<Rank, 'pod' | 'related'> {
  const sidecars = new Set(
    pod.spec.initContainers?.filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name),
  );
  const most = (statuses: readonly { restartCount?: number }[]) =>
    statuses.reduce((max, { restartCount = 0 }) => Math.max(max, restartCount), 0);
  return {
    hasNode: Boolean(pod.spec.nodeName),
    phase: phaseOrder[pod.status?.phase ?? ''] ?? 0,
    ready: isReady(pod),
    cost: deletionCost(pod),
    readyAt: readySince(pod),
    restarts: most(pod.status?.containerStatuses ?? []),
    sidecarRestarts: most((pod.status?.initContainerStatuses ?? []).filter(({ name }) => sidecars.has(name))),
    createdAt: Date.parse(pod.metadata.creationTimestamp ?? ''),
  };
}

/** An invalid cost counts as 0. */
function deletionCost(pod: Pod): number {
  const text = pod.metadata.annotations?.[deletionCostAnnotation] ?? '';
  return /^-?(0|[1-9]\d*)$/.test(text) && Math.abs(Number(text)) <= 0x7fffffff ? Number(text) : 0;
}

function compare(a: Rank, b: Rank, now: number): number {
  return (
    Number(a.hasNode) - Number(b.hasNode) ||
    a.phase - b.phase ||
    Number(a.ready) - Number(b.ready) ||
    a.cost - b.cost ||
    b.related - a.related ||
    (a.ready && b.ready ? compareTimes(a, b, a.readyAt, b.readyAt, now) : 0) ||
    b.restarts - a.restarts ||
    b.sidecarRestarts - a.sidecarRestarts ||
    compareTimes(a, b, a.createdAt, b.createdAt, now)
  );
}

function compareTimes(a: Rank, b: Rank, left: number | undefined, right: number | undefined, now: number): number {
  if (left === right) return 0;
  if (left === undefined || right === undefined) return left === undefined ? -1 : 1;
  return magnitude(now - left) - magnitude(now - right) || (uidOf(a.pod) < uidOf(b.pod) ? -1 : 1);
}

/** Of a time in milliseconds, by the power of two of its nanoseconds. */
const magnitude = (ms: number): number => (ms > 0 ? Math.trunc(Math.log2(ms * 1e6)) : -1);
