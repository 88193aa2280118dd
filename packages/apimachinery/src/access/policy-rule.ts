/** The permissions of a role. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** The subject of a binding. */
export interface Subject {
  readonly kind: string;
  readonly apiGroup?: string;
  readonly name: string;
  readonly namespace?: string;
}

export interface RoleRef {
  readonly apiGroup?: string;
  readonly kind: string;
  readonly name: string;
}

const has = (list: readonly string[] | undefined, value: string): boolean => list?.includes(value) ?? false;
const isEmpty = (list: readonly string[] | undefined): boolean => (list ?? []).length === 0;

export const coversUrl = (pattern: string, url: string): boolean =>
  pattern === url || (pattern.endsWith('*') && url.startsWith(pattern.replace(/\*+$/, '')));

/** The parts of `required` that no rule of `held` covers, each with one verb and one resource or URL, as Kubernetes lists them. */
export const uncoveredRules = (held: readonly PolicyRule[], required: readonly PolicyRule[]): PolicyRule[] =>
  required.flatMap(split).filter((part) => !held.some((rule) => covers(rule, part)));

/** A rule as rules of one verb, one resource and one name each: such a rule is covered by a single rule, or not at all. */
function split(rule: PolicyRule): PolicyRule[] {
  const parts: PolicyRule[] = [];
  const names = isEmpty(rule.resourceNames) ? [undefined] : (rule.resourceNames ?? []);
  for (const group of rule.apiGroups ?? [])
    for (const resource of rule.resources ?? [])
      for (const verb of rule.verbs)
        for (const name of names)
          parts.push({
            apiGroups: [group],
            resources: [resource],
            verbs: [verb],
            ...(name === undefined ? {} : { resourceNames: [name] }),
          });
  for (const url of rule.nonResourceURLs ?? [])
    for (const verb of rule.verbs) parts.push({ nonResourceURLs: [url], verbs: [verb] });
  return parts;
}

function covers(owner: PolicyRule, part: PolicyRule): boolean {
  const all = (list: readonly string[] | undefined, required: readonly string[] | undefined) =>
    has(list, '*') || (required ?? []).every((value) => has(list, value));
  const resourceCovered = (resource: string) =>
    has(owner.resources, '*') ||
    has(owner.resources, resource) ||
    (resource.includes('/') && has(owner.resources, `*/${resource.slice(resource.indexOf('/') + 1)}`));
  return (
    all(owner.verbs, part.verbs) &&
    all(owner.apiGroups, part.apiGroups) &&
    (part.resources ?? []).every(resourceCovered) &&
    (isEmpty(owner.resourceNames) ||
      (!isEmpty(part.resourceNames) && (part.resourceNames ?? []).every((name) => has(owner.resourceNames, name)))) &&
    (part.nonResourceURLs ?? []).every((url) => (owner.nonResourceURLs ?? []).some((own) => coversUrl(own, url)))
  );
}
