import type { Pod } from '../objects.ts';
import type { NamespaceLabels } from './affinity-terms.ts';
import type { ClusterState } from './cluster-state.ts';
import type { NodeState } from './node-state.ts';
import type { VolumeView } from './volume-view.ts';

/** All inputs of a scheduling decision except the pod. */
export interface ClusterView {
  readonly state: ClusterState;
  readonly namespaces: NamespaceLabels;
  readonly volumes: VolumeView;
}

/** Why a pod cannot run on a node, with the text for its conditions and events. */
export interface Rejection {
  readonly by: string;
  readonly reasons: readonly string[];
  /** Preemption on the node could not change it. */
  readonly final: boolean;
}

/** The result of a filter for one pod: for all nodes at once, or for each. */
export interface Prepared {
  readonly refused?: Rejection;
  /** Only these nodes need to be checked. */
  readonly only?: ReadonlySet<string>;
  check?(node: NodeState): Rejection | undefined;
}

/** `prepare` reads the pod once; the result checks each node. Undefined: the filter does not apply to the pod. */
export interface Filter {
  readonly name: string;
  prepare(pod: Pod, cluster: ClusterView): Prepared | undefined;
}

export const rejection = (by: string, final: boolean, ...reasons: string[]): Rejection => ({ by, final, reasons });
