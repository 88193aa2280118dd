import type { PodAffinity, PodAffinityTerm } from '../../../kinds/workloads/pod-spec/types.ts';
import type { Pod } from '../objects.ts';
import { compileSelector, type Selection, selection } from './selection.ts';

type Labels = Readonly<Record<string, string>> | undefined;
/** The labels of every namespace there is. */
export type NamespaceLabels = ReadonlyMap<string, Labels>;

export const requiredTerms = (affinity: PodAffinity | undefined): PodAffinityTerm[] =>
  affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];

/** The namespaces that a term of a pod is about: the pod's own where it names none. */
function namespacesOf(term: PodAffinityTerm, pod: Pod, known: NamespaceLabels): string[] {
  const named = term.namespaces ?? [];
  if (!term.namespaceSelector) return named.length > 0 ? named : [pod.metadata.namespace ?? ''];
  const { matches } = compileSelector(term.namespaceSelector);
  return [...named, ...[...known].filter(([, labels]) => matches(labels)).map(([name]) => name)];
}

/** The pods that a term of a pod is about, now. */
export const podsOfTerm = (term: PodAffinityTerm, pod: Pod, known: NamespaceLabels): Selection =>
  selection(term.labelSelector, namespacesOf(term, pod, known), false);

/** A term that a pod on a node holds against others: which pods it is about is asked with the other pod in hand. */
export interface HeldTerm {
  readonly id: string;
  readonly topologyKey: string;
  /** Undefined: namespaces are picked by their labels. */
  readonly namespaces: readonly string[] | undefined;
  concerns(pod: Pod, namespaceLabels: Labels): boolean;
}

export function heldTerm(term: PodAffinityTerm, holder: Pod): HeldTerm {
  const named = term.namespaces ?? [];
  const byLabels = term.namespaceSelector ? compileSelector(term.namespaceSelector) : undefined;
  const namespaces = named.length > 0 || byLabels ? named : [holder.metadata.namespace ?? ''];
  const { text, matches } = compileSelector(term.labelSelector);
  const topologyKey = term.topologyKey ?? '';
  return {
    id: [topologyKey, [...namespaces].sort().join(','), byLabels?.text ?? '-', text].join('|'),
    topologyKey,
    namespaces: byLabels ? undefined : namespaces,
    concerns: (pod, namespaceLabels) =>
      (namespaces.includes(pod.metadata.namespace ?? '') || (byLabels?.matches(namespaceLabels) ?? false)) &&
      matches(pod.metadata.labels),
  };
}
