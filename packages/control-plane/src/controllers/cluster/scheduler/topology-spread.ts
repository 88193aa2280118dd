import type { TopologySpreadConstraint } from '../../../kinds/workloads/pod-spec/types.ts';
import type { Node, Pod } from '../objects.ts';
import { type ClusterView, type Filter, rejection } from './filter.ts';
import { isSelected } from './node-affinity.ts';
import { compileSelector, selection } from './selection.ts';
import { untolerated } from './taints.ts';

const uneven = rejection('PodTopologySpread', false, "node(s) didn't match pod topology spread constraints");
const unlabelled = rejection(
  'PodTopologySpread',
  true,
  "node(s) didn't match pod topology spread constraints (missing required label)",
);

export interface Spread {
  readonly key: string;
  readonly maxSkew: number;
  readonly minDomains: number;
  readonly self: 0 | 1;
  /** Matching pods by the value of the key, for every value of an eligible node. */
  readonly counts: ReadonlyMap<string, number>;
}

/** The selector of a constraint, with the values of the pod for matchLabelKeys. */
function selectorOf({ labelSelector, matchLabelKeys = [] }: TopologySpreadConstraint, pod: Pod) {
  if (!labelSelector) return undefined;
  const own = pod.metadata.labels ?? {};
  const alike = matchLabelKeys.flatMap((key) => (own[key] === undefined ? [] : [[key, own[key]] as const]));
  return { ...labelSelector, matchLabels: { ...labelSelector.matchLabels, ...Object.fromEntries(alike) } };
}

/** The current distribution of the pods of a constraint. */
export function spreadOf(constraints: readonly TopologySpreadConstraint[], pod: Pod, { state }: ClusterView): Spread[] {
  const keys = constraints.map(({ topologyKey = '' }) => topologyKey);
  return constraints.map((constraint) => {
    const selector = selectorOf(constraint, pod);
    const compiled = compileSelector(selector);
    // A selector that matches everything counts nothing, as in the real scheduler.
    const tally = compiled.isEmpty
      ? new Map<string, number>()
      : state.tally.of(selection(selector, [pod.metadata.namespace ?? ''], true));
    const key = constraint.topologyKey ?? '';
    const counts = new Map<string, number>();
    for (const { name, node } of state.nodes) {
      const labels = node.metadata.labels ?? {};
      if (keys.some((each) => labels[each] === undefined) || !takesPart(constraint, pod, node)) continue;
      counts.set(labels[key]!, (counts.get(labels[key]!) ?? 0) + (tally.get(name) ?? 0));
    }
    return {
      key,
      counts,
      maxSkew: constraint.maxSkew ?? 1,
      minDomains: constraint.minDomains ?? 1,
      self: compiled.matches(pod.metadata.labels) ? 1 : 0,
    };
  });
}

function takesPart(constraint: TopologySpreadConstraint, pod: Pod, node: Node): boolean {
  if ((constraint.nodeAffinityPolicy ?? 'Honor') === 'Honor' && !isSelected(pod.spec, node)) return false;
  return constraint.nodeTaintsPolicy !== 'Honor' || !untolerated(pod.spec.tolerations, node.spec?.taints);
}

export const topologySpread: Filter = {
  name: 'PodTopologySpread',
  prepare(pod, cluster) {
    const constraints = (pod.spec.topologySpreadConstraints ?? []).filter(
      ({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule',
    );
    if (constraints.length === 0) return undefined;
    const spreads = spreadOf(constraints, pod, cluster).map((spread) => ({ ...spread, least: leastOf(spread) }));
    return {
      check({ node }) {
        const labels = node.metadata.labels ?? {};
        for (const { key, counts, least, maxSkew, self } of spreads) {
          const value = labels[key];
          if (value === undefined) return unlabelled;
          if ((counts.get(value) ?? 0) + self - least > maxSkew) return uneven;
        }
        return undefined;
      },
    };
  },
};

/** With too few domains the minimum is 0. */
function leastOf({ counts, minDomains }: Spread): number {
  if (counts.size < minDomains) return 0;
  let least = Number.MAX_SAFE_INTEGER;
  for (const count of counts.values()) if (count < least) least = count;
  return least;
}
