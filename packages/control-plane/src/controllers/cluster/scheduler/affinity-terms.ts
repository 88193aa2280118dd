import type { PodAffinity, PodAffinityTerm } from '../../../kinds/workloads/pod-spec/types.ts';
import type { Pod } from '../objects.ts';
import { compileSelector, type Selection, selection } from './selection.ts';

type Labels = Readonly<Record<string, string>> | undefined;
/** The labels of every namespace. */
export type NamespaceLabels = ReadonlyMap<string, Labels>;

export const requiredTerms = (affinity: PodAffinity | undefined): PodAffinityTerm[] =>
  affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];

/** The namespaces of a term of a pod: its own if it names none. */
function namespacesOf(term: PodAffinityTerm, pod: Pod, known: NamespaceLabels): string[] {
  const named = term.namespaces ?? [];
  if (!term.namespaceSelector) return named.length > 0 ? named : [pod.metadata.namespace ?? ''];
  const { matches } = compileSelector(term.namespaceSelector);
  return [...named, ...[...known].filter(([, labels]) => matches(labels)).map(([name]) => name)];
}

/** The pods that a term of a pod matches now. */
export const podsOfTerm = (term: PodAffinityTerm, pod: Pod, known: NamespaceLabels): Selection =>
  selection(term.labelSelector, namespacesOf(term, pod, known), false);

/** An anti-affinity term of a placed pod: it is matched against other pods. */
export interface HeldTerm {
  readonly id: string;
  readonly topologyKey: string;
  /** Undefined: namespaces are selected by labels. */
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
