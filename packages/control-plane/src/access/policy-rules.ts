import type { KubeObject } from '@fairlead/apimachinery';
import { type Attributes, isPath } from './attributes.ts';

export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

export interface RoleObject extends KubeObject {
  rules?: PolicyRule[] | null;
}

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

export interface BindingObject extends KubeObject {
  subjects?: Subject[] | null;
  roleRef: RoleRef;
}

const has = (list: readonly string[] | undefined, value: string): boolean => list?.includes(value) ?? false;
const isEmpty = (list: readonly string[] | undefined): boolean =>
  list === undefined || list === null || list.length === 0;

const coversUrl = (pattern: string, url: string): boolean =>
  pattern === url || (pattern.endsWith('*') && url.startsWith(pattern.replace(/\*+$/, '')));

export function ruleAllows(rule: PolicyRule, request: Attributes): boolean {
  if (!has(rule.verbs, '*') && !has(rule.verbs, request.verb)) return false;
  if (isPath(request)) return (rule.nonResourceURLs ?? []).some((url) => coversUrl(url, request.path));
  if (!has(rule.apiGroups, '*') && !has(rule.apiGroups, request.group)) return false;
  if (!isEmpty(rule.resourceNames) && !has(rule.resourceNames, request.name ?? '')) return false;
  const resources = rule.resources;
  if (has(resources, '*')) return true;
  if (!request.subresource) return has(resources, request.resource);
  return has(resources, `${request.resource}/${request.subresource}`) || has(resources, `*/${request.subresource}`);
}

/** The parts of `required` that `held` does not cover, in a form short enough to read. Empty when all of it is covered. */
export function missingRules(held: readonly PolicyRule[], required: readonly PolicyRule[]): PolicyRule[] {
  return joinVerbs(required.flatMap(split).filter((part) => !held.some((rule) => covers(rule, part))));
}

/** A rule as rules of one verb, one resource and one name each: such a one is covered whole by a single rule, or not at all. */
function split(rule: PolicyRule): PolicyRule[] {
  const parts: PolicyRule[] = [];
  const names = isEmpty(rule.resourceNames) ? [undefined] : rule.resourceNames!;
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
      (!isEmpty(part.resourceNames) && part.resourceNames!.every((name) => has(owner.resourceNames, name)))) &&
    (part.nonResourceURLs ?? []).every((url) => (owner.nonResourceURLs ?? []).some((own) => coversUrl(own, url)))
  );
}

function joinVerbs(parts: readonly PolicyRule[]): PolicyRule[] {
  const byTarget = new Map<string, PolicyRule>();
  const others: PolicyRule[] = [];
  for (const part of parts) {
    if (!isEmpty(part.nonResourceURLs)) {
      others.push(part);
      continue;
    }
    const key = JSON.stringify([part.apiGroups, part.resources, part.resourceNames]);
    const joined = byTarget.get(key);
    byTarget.set(key, joined ? { ...joined, verbs: [...joined.verbs, ...part.verbs] } : part);
  }
  return [...others, ...byTarget.values()];
}

const quoteList = (list: readonly string[]): string => `[${list.map((value) => JSON.stringify(value)).join(' ')}]`;

/** `{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list"]}` */
export function describeRule(rule: PolicyRule): string {
  const parts = [
    ['APIGroups', rule.apiGroups],
    ['Resources', rule.resources],
    ['NonResourceURLs', rule.nonResourceURLs],
    ['ResourceNames', rule.resourceNames],
    ['Verbs', rule.verbs],
  ] as const;
  return `{${parts
    .filter(([, list]) => !isEmpty(list))
    .map(([name, list]) => `${name}:${quoteList(list!)}`)
    .join(', ')}}`;
}

export const quoteGroups = quoteList;
