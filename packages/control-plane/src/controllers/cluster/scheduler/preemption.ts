import type { Pod } from '../objects.ts';
import type { ScheduledPod } from './cluster-state.ts';
import type { ClusterView, Rejection } from './filter.ts';
import { prepareFilters } from './filters.ts';
import { fitMessage, Reasons } from './fit-message.ts';
import type { NodeState } from './node-state.ts';

export type Preemption =
  | { readonly kind: 'victims'; readonly node: string; readonly victims: readonly Pod[] }
  | { readonly kind: 'none'; readonly message: string };

const noVictims = 'No preemption victims found for incoming pod';
const noHelp = 'Preemption is not helpful for scheduling';
/** This many possible nodes are enough to choose from. */
const enough = 100;

const priorityOf = (pod: Pod): number => pod.spec.priority ?? 0;
const startOf = (pod: Pod): string => pod.status?.startTime ?? pod.metadata.creationTimestamp ?? '';

/** The most important first: by priority, then by start time. */
const byImportance = (a: ScheduledPod, b: ScheduledPod): number =>
  priorityOf(b.pod) - priorityOf(a.pod) || (startOf(a.pod) < startOf(b.pod) ? -1 : 1);

/** The pods of lower priority to preempt for a pod that fits nowhere, or why that does not help. */
export function preempt(pod: Pod, cluster: ClusterView, rejected: ReadonlyMap<NodeState, Rejection>): Preemption {
  if (pod.spec.preemptionPolicy === 'Never') return none('not eligible due to preemptionPolicy=Never.');
  if (hasVictimsGoing(pod, cluster)) return none('not eligible due to a terminating pod on the nominated node.');
  const hopeful = [...rejected].filter(([, { final }]) => !final).map(([node]) => node);
  const reasons = new Reasons();
  const candidates: { node: string; victims: ScheduledPod[] }[] = [];
  for (const node of hopeful) {
    const outcome = victimsOn(node, pod, cluster);
    if ('reasons' in outcome) reasons.add(outcome);
    else candidates.push({ node: node.name, victims: outcome.victims });
    if (candidates.length >= enough) break;
  }
  if (candidates.length === 0) {
    const nodes = cluster.state.nodes.length;
    reasons.add({ reasons: [noHelp] }, nodes - hopeful.length);
    return none(fitMessage(nodes, reasons.toString(), ''));
  }
  const best = candidates.reduce((left, right) => (isCheaper(right.victims, left.victims) ? right : left));
  return { kind: 'victims', node: best.node, victims: best.victims.map((victim) => victim.pod) };
}

const none = (message: string): Preemption => ({ kind: 'none', message: `preemption: ${message}` });

/** Victims of an earlier attempt are still terminating. */
function hasVictimsGoing(pod: Pod, cluster: ClusterView): boolean {
  const nominated = pod.status?.nominatedNodeName;
  const node = nominated ? cluster.state.node(nominated) : undefined;
  return [...(node?.pods.values() ?? [])].some(
    ({ pod: other }) =>
      other.metadata.deletionTimestamp !== undefined &&
      priorityOf(other) < priorityOf(pod) &&
      other.status?.conditions?.some(({ reason }) => reason === 'PreemptionByScheduler'),
  );
}

/** The minimal set of victims. The state is changed for the check, and restored. */
function victimsOn(
  node: NodeState,
  pod: Pod,
  cluster: ClusterView,
): { victims: ScheduledPod[] } | { reasons: readonly string[] } {
  const { state } = cluster;
  const lesser = [...node.pods.values()]
    .filter((placed) => priorityOf(placed.pod) < priorityOf(pod))
    .sort(byImportance);
  if (lesser.length === 0) return { reasons: [noVictims] };
  const objection = () => prepareFilters(pod, cluster).check(node);
  for (const placed of lesser) state.removePod(placed.key);
  const victims: ScheduledPod[] = [];
  try {
    const without = objection();
    if (without) {
      victims.push(...lesser);
      return { reasons: without.reasons };
    }
    for (const placed of lesser) {
      state.setPod(placed.pod, placed.node);
      if (!objection()) continue;
      state.removePod(placed.key);
      victims.push(placed);
    }
    return { victims };
  } finally {
    for (const placed of victims) state.setPod(placed.pod, placed.node);
  }
}

/** Prefers the least important victims: by their highest priority, then the sum, then the number, then the latest start. */
function isCheaper(left: readonly ScheduledPod[], right: readonly ScheduledPod[]): boolean {
  const cost = (victims: readonly ScheduledPod[]) => {
    const priorities = victims.map((victim) => priorityOf(victim.pod));
    return [Math.max(...priorities), priorities.reduce((sum, priority) => sum + priority, 0), victims.length];
  };
  const [a, b] = [cost(left), cost(right)];
  for (const [at, value] of a.entries()) if (value !== b[at]) return value < b[at]!;
  return startOf(left[0]!.pod) > startOf(right[0]!.pod);
}
