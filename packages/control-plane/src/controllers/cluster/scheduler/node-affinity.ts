import type { NodeSelectorRequirement, NodeSelectorTerm, PodSpec } from '../../../kinds/workloads/pod-spec/types.ts';

type Labels = Readonly<Record<string, string>>;
type Named = { readonly metadata: { readonly name: string; readonly labels?: Labels } };

const integer = /^[+-]?\d+$/;

function labelMeets({ key = '', operator, values = [] }: NodeSelectorRequirement, labels: Labels): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key]! : undefined;
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
    case 'Lt': {
      const bound = values[0] ?? '';
      if (value === undefined || !integer.test(value) || !integer.test(bound)) return false;
      return operator === 'Gt' ? BigInt(value) > BigInt(bound) : BigInt(value) < BigInt(bound);
    }
    default:
      return false;
  }
}

/** Only the name is supported, and only one at a time. */
function nameMeets({ key, operator, values = [] }: NodeSelectorRequirement, name: string): boolean {
  if (key !== 'metadata.name' || values.length !== 1) return false;
  return operator === 'In' ? values[0] === name : operator === 'NotIn' && values[0] !== name;
}

/** A term without requirements selects nothing. */
export function meetsTerm({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, node: Named): boolean {
  if (matchExpressions.length + matchFields.length === 0) return false;
  const labels = node.metadata.labels ?? {};
  return (
    matchExpressions.every((requirement) => labelMeets(requirement, labels)) &&
    matchFields.every((requirement) => nameMeets(requirement, node.metadata.name))
  );
}

export const meetsAnyTerm = (terms: readonly NodeSelectorTerm[], node: Named): boolean =>
  terms.some((term) => meetsTerm(term, node));

const requiredTerms = (spec: PodSpec): NodeSelectorTerm[] | undefined => {
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required && (required.nodeSelectorTerms ?? []);
};

export const selectsNodes = (spec: PodSpec): boolean =>
  spec.nodeSelector !== undefined || requiredTerms(spec) !== undefined;

/** Whether a node matches the node selector and required node affinity of the pod. */
export function isSelected(spec: PodSpec, node: Named): boolean {
  const labels = node.metadata.labels ?? {};
  for (const [key, value] of Object.entries(spec.nodeSelector ?? {})) if (labels[key] !== value) return false;
  const terms = requiredTerms(spec);
  return !terms || meetsAnyTerm(terms, node);
}

/**
 * The names of nodes that a pod requires, as the pods of a DaemonSet do: no other node needs to be checked. Undefined: any node. Empty: the
 * terms contradict each other.
 */
export function namedNodes(spec: PodSpec): Set<string> | undefined {
  const terms = requiredTerms(spec);
  if (!terms || terms.length === 0) return undefined;
  const names = new Set<string>();
  for (const { matchFields = [] } of terms) {
    const asked = matchFields.filter(({ key, operator }) => key === 'metadata.name' && operator === 'In');
    if (asked.length === 0) return undefined;
    const [first, ...others] = asked.map(({ values = [] }) => new Set(values));
    for (const name of first!) if (others.every((values) => values.has(name))) names.add(name);
  }
  return names;
}

/** The sum of the weights of the preferences that a node matches. */
export function preference(spec: PodSpec, node: Named): number {
  let sum = 0;
  for (const preferred of spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []) {
    if (preferred.preference && meetsTerm(preferred.preference, node)) sum += preferred.weight ?? 0;
  }
  return sum;
}
