import type { Toleration } from '@fairlead/apimachinery';
import { isSelected } from '../../cluster/scheduler/node-affinity.ts';
import { isTolerated } from '../../cluster/scheduler/taints.ts';
import type { DaemonSet, Node, PodSpec } from '../kinds.ts';

const always = (key: string, effect: string): Toleration => ({
  key: `node.kubernetes.io/${key}`,
  operator: 'Exists',
  effect,
});

/** A daemon pod stays where others are evicted. */
const added: readonly Toleration[] = [
  always('not-ready', 'NoExecute'),
  always('unreachable', 'NoExecute'),
  always('disk-pressure', 'NoSchedule'),
  always('memory-pressure', 'NoSchedule'),
  always('pid-pressure', 'NoSchedule'),
  always('unschedulable', 'NoSchedule'),
];
const addedOnHostNetwork = always('network-unavailable', 'NoSchedule');

export function daemonTolerations({ tolerations = [], hostNetwork }: PodSpec): Toleration[] {
  const result = [...tolerations];
  for (const toleration of hostNetwork ? [...added, addedOnHostNetwork] : added) {
    const at = result.findIndex((each) => sameTarget(each, toleration));
    if (at >= 0) result[at] = toleration;
    else result.push(toleration);
  }
  return result;
}

const sameTarget = (a: Toleration, b: Toleration): boolean =>
  a.key === b.key &&
  (a.operator ?? 'Equal') === (b.operator ?? 'Equal') &&
  (a.value ?? '') === (b.value ?? '') &&
  (a.effect ?? '') === (b.effect ?? '');

export interface NodeFit {
  /** A pod should be created on the node. */
  readonly run: boolean;
  /** An existing pod may stay: later NoSchedule taints only affect new pods. */
  readonly stay: boolean;
}

const neither: NodeFit = { run: false, stay: false };

export function nodeFit(set: DaemonSet, node: Node): NodeFit {
  const { spec } = set.spec.template;
  if (spec.nodeName && spec.nodeName !== node.metadata.name) return neither;
  if (!isSelected(spec, node)) return neither;
  const taints = node.spec?.taints ?? [];
  if (taints.length === 0) return { run: true, stay: true };
  const tolerations = daemonTolerations(spec);
  const offending = taints
    .filter(({ effect }) => effect === 'NoSchedule' || effect === 'NoExecute')
    .filter((taint) => !isTolerated(tolerations, taint));
  return { run: offending.length === 0, stay: !offending.some(({ effect }) => effect === 'NoExecute') };
}
