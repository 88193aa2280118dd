import {
  coversUrl,
  type KubeObject,
  type PolicyRule,
  type RoleRef,
  type Subject,
  uncoveredRules,
} from '@fairlead/apimachinery';
import { type Attributes, isPath } from './attributes.ts';

export type { PolicyRule, RoleRef, Subject };

export interface RoleObject extends KubeObject {
  rules?: PolicyRule[] | null;
}

export interface BindingObject extends KubeObject {
  subjects?: Subject[] | null;
  roleRef: RoleRef;
}

const has = (list: readonly string[] | undefined, value: string): boolean => list?.includes(value) ?? false;
const isEmpty = (list: readonly string[] | undefined): boolean =>
  list === undefined || list === null || list.length === 0;

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

/** The parts of `required` that `held` does not cover, in a short form. Empty if everything is covered. */
export function missingRules(held: readonly PolicyRule[], required: readonly PolicyRule[]): PolicyRule[] {
  return joinVerbs(uncoveredRules(held, required));
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
