import type { Pod } from '../objects.ts';
import type { ClusterView, Filter, Prepared, Rejection } from './filter.ts';
import { nodeFilters } from './node-filters.ts';
import type { NodeState } from './node-state.ts';
import { podAffinity } from './pod-affinity.ts';
import { topologySpread } from './topology-spread.ts';
import { volumeFilters } from './volume-filters.ts';

/** In order: the first filter that rejects a node gives the reason. */
const filters: readonly Filter[] = [...nodeFilters, ...volumeFilters, topologySpread, podAffinity];

/** The results of all filters for a pod. */
export interface PodFilter {
  /** If set, no node fits, for this reason. */
  readonly refused?: Rejection;
  /** If set, only these nodes need to be checked; `narrowedBy` names the filters that restricted them. */
  readonly only?: ReadonlySet<string>;
  readonly narrowedBy: readonly string[];
  check(node: NodeState): Rejection | undefined;
}

export function prepareFilters(pod: Pod, cluster: ClusterView): PodFilter {
  const checks: NonNullable<Prepared['check']>[] = [];
  const narrowedBy: string[] = [];
  let only: ReadonlySet<string> | undefined;
  for (const filter of filters) {
    const prepared = filter.prepare(pod, cluster);
    if (!prepared) continue;
    if (prepared.refused) return { refused: prepared.refused, narrowedBy, check: () => prepared.refused };
    if (prepared.only) {
      only = prepared.only;
      narrowedBy.push(filter.name);
    }
    if (prepared.check) checks.push(prepared.check);
  }
  return {
    ...(only ? { only } : {}),
    narrowedBy,
    check(node) {
      for (const check of checks) {
        const objection = check(node);
        if (objection) return objection;
      }
      return undefined;
    },
  };
}
