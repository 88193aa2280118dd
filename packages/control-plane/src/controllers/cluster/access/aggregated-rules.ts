import type { KubeObject } from '@fairlead/kube';
import type { LabelSelector } from '../../../metadata/names.ts';
import { compileSelector } from '../scheduler/selection.ts';

export interface PolicyRule {
  verbs?: string[];
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
  nonResourceURLs?: string[];
}

export interface ClusterRole extends KubeObject {
  rules?: PolicyRule[] | null;
  aggregationRule?: { clusterRoleSelectors?: LabelSelector[] };
}

const written = ({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): string =>
  JSON.stringify([verbs ?? [], apiGroups ?? [], resources ?? [], resourceNames ?? [], nonResourceURLs ?? []]);

/** The rules that a role gathers from others, each once, selector by selector and role by role. Undefined: it has them. */
export function aggregatedRules(role: ClusterRole, all: readonly ClusterRole[]): PolicyRule[] | undefined {
  if (!role.aggregationRule) return undefined;
  const rules = new Map<string, PolicyRule>();
  for (const selector of role.aggregationRule.clusterRoleSelectors ?? []) {
    const { matches } = compileSelector(selector);
    const selected = all
      .filter(({ metadata }) => metadata.name !== role.metadata.name && matches(metadata.labels))
      .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
    for (const { rules: own } of selected) for (const rule of own ?? []) rules.set(written(rule), rule);
  }
  const present = (role.rules ?? []).map(written);
  const wanted = [...rules.keys()];
  const isSame = present.length === wanted.length && present.every((rule, at) => rule === wanted[at]);
  return isSame ? undefined : [...rules.values()];
}
