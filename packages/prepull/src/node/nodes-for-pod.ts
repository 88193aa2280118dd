import type { Node, PodSpec } from '../objects.ts';
import { matches } from '../policy/label-selector.ts';

type Requirement = { readonly key: string; readonly operator: string; readonly values?: readonly string[] | undefined };

/** The nodes that a pod of this shape could be scheduled to: its node selector, its required affinity, and the taints that it tolerates. */
export function nodesForPod(pod: PodSpec, nodes: readonly Node[]): Node[] {
  const terms = pod.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return nodes.filter(
    (node) =>
      !node.metadata.deletionTimestamp &&
      matches({ matchLabels: pod.nodeSelector }, node.metadata.labels) &&
      (terms === undefined || terms.some((term) => fits(term, node))) &&
      (node.spec?.taints ?? []).every((taint) => taint.effect === 'PreferNoSchedule' || isTolerated(taint, pod)) &&
      !(
        node.spec?.unschedulable && !isTolerated({ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }, pod)
      ),
  );
}

function fits(
  term: { readonly matchExpressions?: readonly Requirement[]; readonly matchFields?: readonly Requirement[] },
  { metadata }: Node,
): boolean {
  const { matchExpressions = [], matchFields = [] } = term;
  if (matchExpressions.length === 0 && matchFields.length === 0) return false;
  const numbers = matchExpressions.filter(({ operator }) => operator === 'Gt' || operator === 'Lt');
  const others = matchExpressions.filter((requirement) => !numbers.includes(requirement));
  return (
    matches({ matchExpressions: others }, metadata.labels) &&
    numbers.every(({ key, operator, values = [] }) => {
      const [value, bound] = [Number(metadata.labels?.[key]), Number(values[0])];
      return operator === 'Gt' ? value > bound : value < bound;
    }) &&
    matches({ matchExpressions: matchFields }, { 'metadata.name': metadata.name })
  );
}

interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

const isTolerated = (taint: Taint, { tolerations = [] }: PodSpec): boolean =>
  tolerations.some(
    ({ key, operator = 'Equal', value = '', effect }) =>
      (!effect || effect === taint.effect) &&
      (key ? key === taint.key : operator === 'Exists') &&
      (operator === 'Exists' || value === (taint.value ?? '')),
  );
