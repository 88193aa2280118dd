import {
  type Node,
  type NodeSelectorRequirement,
  type NodeSelectorTerm,
  own,
  type PodSpec,
  selectorFromObject,
  type Taint,
} from '@fairlead/apimachinery';

const unschedulable: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

/** The nodes that the scheduler could choose for a pod: by node selector, required node affinity, taints and tolerations. */
export function nodesForPod(pod: PodSpec, nodes: readonly Node[]): Node[] {
  const { nodeSelector } = pod;
  const selector = selectorFromObject(nodeSelector ? { matchLabels: nodeSelector } : undefined);
  const terms = pod.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return nodes.filter(
    (node) =>
      !node.metadata.deletionTimestamp &&
      selector.matches(node.metadata.labels) &&
      (terms === undefined || terms.some((term) => matchesTerm(term, node))) &&
      (node.spec?.taints ?? []).every((taint) => taint.effect === 'PreferNoSchedule' || isTolerated(taint, pod)) &&
      !(node.spec?.unschedulable && !isTolerated(unschedulable, pod)),
  );
}

/** An empty term matches no node, as in the scheduler. */
function matchesTerm({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, { metadata }: Node): boolean {
  if (matchExpressions.length === 0 && matchFields.length === 0) return false;
  const sets = matchExpressions.filter((requirement) => !isComparison(requirement));
  return (
    selectorFromObject({ matchExpressions: sets }).matches(metadata.labels) &&
    matchExpressions.filter(isComparison).every((requirement) => compares(requirement, metadata.labels ?? {})) &&
    selectorFromObject({ matchExpressions: matchFields }).matches({ 'metadata.name': metadata.name })
  );
}

const isComparison = ({ operator }: NodeSelectorRequirement): boolean => operator === 'Gt' || operator === 'Lt';

function compares({ key, operator, values = [] }: NodeSelectorRequirement, labels: Record<string, string>): boolean {
  const [value, bound] = [Number(own(labels, key)), Number(values[0])];
  return operator === 'Gt' ? value > bound : value < bound;
}

const isTolerated = (taint: Taint, { tolerations = [] }: PodSpec): boolean =>
  tolerations.some(
    ({ key, operator = 'Equal', value = '', effect }) =>
      (!effect || effect === taint.effect) &&
      (key ? key === taint.key : operator === 'Exists') &&
      (operator === 'Exists' || value === (taint.value ?? '')),
  );
