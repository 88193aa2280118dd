import type { Random } from '@fairlead/kube';
import type { Pod } from '../objects.ts';
import { type ClusterView, type Rejection, rejection } from './filter.ts';
import { type PodFilter, prepareFilters } from './filters.ts';
import { fitMessage, Reasons } from './fit-message.ts';
import type { NodeState } from './node-state.ts';
import { preempt } from './preemption.ts';
import { scoreNodes } from './score.ts';

export type Decision =
  | { readonly kind: 'place'; readonly node: string }
  | {
      readonly kind: 'refuse';
      readonly message: string;
      /** The filters that rejected it: they determine which changes allow another attempt. */
      readonly by: ReadonlySet<string>;
      /** The pods to preempt, and their node. */
      readonly preemption?: { readonly node: string; readonly victims: readonly Pod[] };
    };

/** With fewer nodes than this, all are checked. */
const few = 100;

/** How many suitable nodes are enough to choose from: all in a small cluster, a decreasing share of a large one. */
export function nodesToFind(all: number): number {
  if (all < few) return all;
  const percent = Math.max(5, Math.trunc(50 - all / 125));
  return Math.max(few, Math.trunc((all * percent) / 100));
}

/** Chooses nodes for pods, one after the other. A search starts where the last one ended, so that all nodes of a large cluster are used. */
export class NodeChooser {
  readonly #random: Random;
  #start = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  choose(pod: Pod, cluster: ClusterView): Decision {
    const { nodes } = cluster.state;
    if (nodes.length === 0) {
      return { kind: 'refuse', message: 'no nodes available to schedule pods', by: new Set() };
    }
    const filter = prepareFilters(pod, cluster);
    if (filter.refused) {
      const { by, reasons } = filter.refused;
      // The real scheduler reports cycle state that was not created in the same way as any missing state.
      return { kind: 'refuse', message: fitMessage(nodes.length, reasons.join(', '), 'not found'), by: new Set([by]) };
    }
    const { fitting, rejected } = this.#search(filter, cluster);
    if (fitting.length > 0) return { kind: 'place', node: this.#best(pod, fitting, cluster).name };
    return refusal(pod, cluster, filter, rejected);
  }

  #search(filter: PodFilter, { state }: ClusterView): { fitting: NodeState[]; rejected: Map<NodeState, Rejection> } {
    const fitting: NodeState[] = [];
    const rejected = new Map<NodeState, Rejection>();
    const candidates = filter.only ? [...filter.only].flatMap((name) => state.node(name) ?? []) : state.nodes;
    const desired = nodesToFind(candidates.length);
    const start = filter.only ? 0 : this.#start;
    let seen = 0;
    for (; seen < candidates.length && fitting.length < desired; seen += 1) {
      const node = candidates[(start + seen) % candidates.length]!;
      const objection = filter.check(node);
      if (objection) rejected.set(node, objection);
      else fitting.push(node);
    }
    this.#start = (this.#start + seen) % state.nodes.length;
    return { fitting, rejected };
  }

  /** The highest score; at random among equals. */
  #best(pod: Pod, nodes: readonly NodeState[], cluster: ClusterView): NodeState {
    if (nodes.length === 1) return nodes[0]!;
    const scores = scoreNodes(pod, nodes, cluster);
    let best = 0;
    let equals = 1;
    for (let at = 1; at < nodes.length; at += 1) {
      if (scores[at]! > scores[best]!) {
        best = at;
        equals = 1;
      } else if (scores[at] === scores[best]) {
        equals += 1;
        if (this.#random() * equals < 1) best = at;
      }
    }
    return nodes[best]!;
  }
}

function refusal(
  pod: Pod,
  cluster: ClusterView,
  filter: PodFilter,
  rejected: ReadonlyMap<NodeState, Rejection>,
): Decision {
  const all = cluster.state.nodes.length;
  const by = new Set<string>(filter.narrowedBy);
  const reasons = new Reasons();
  for (const objection of rejected.values()) {
    reasons.add(objection);
    by.add(objection.by);
  }
  const narrowed = rejection('', true, `node(s) didn't satisfy plugin(s) [${[...filter.narrowedBy].sort().join(' ')}]`);
  if (filter.only) reasons.add(narrowed, all - rejected.size);
  const preemption = preempt(pod, cluster, rejected);
  if (preemption.kind === 'victims') {
    return { kind: 'refuse', message: fitMessage(all, reasons.toString(), ''), by, preemption };
  }
  const afterwards = `no new claims to deallocate, ${preemption.message}`;
  return { kind: 'refuse', message: fitMessage(all, reasons.toString(), afterwards), by };
}
