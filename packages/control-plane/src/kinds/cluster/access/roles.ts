import type { KubeObject } from '@fairlead/apimachinery';
import {
  type FieldError,
  fieldError,
  type LabelSelector,
  pathSegment,
  validateLabelSelector,
} from '@fairlead/apimachinery';
import type { KindRules } from '../../../resource.ts';

interface PolicyRule {
  verbs?: string[] | null;
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
  nonResourceURLs?: string[];
}

interface Role extends KubeObject {
  rules?: PolicyRule[] | null;
  aggregationRule?: { clusterRoleSelectors?: LabelSelector[] };
}

export const rbacName = (name: string): string[] => pathSegment(name);

function validateRule(rule: PolicyRule, path: string, namespaced: boolean): FieldError[] {
  const errors: FieldError[] = [];
  if (!rule.verbs?.length) errors.push(fieldError.required(`${path}.verbs`, 'verbs must contain at least one value'));
  const urls = rule.nonResourceURLs ?? [];
  if (urls.length > 0) {
    const invalid = (detail: string) => fieldError.invalid(`${path}.nonResourceURLs`, urls, detail);
    if (namespaced) errors.push(invalid('namespaced rules cannot apply to non-resource URLs'));
    if (rule.apiGroups?.length || rule.resources?.length || rule.resourceNames?.length) {
      errors.push(invalid('rules cannot apply to both regular resources and non-resource URLs'));
    }
    return errors;
  }
  if (!rule.apiGroups?.length) {
    errors.push(fieldError.required(`${path}.apiGroups`, 'resource rules must supply at least one api group'));
  }
  if (!rule.resources?.length) {
    errors.push(fieldError.required(`${path}.resources`, 'resource rules must supply at least one resource'));
  }
  return errors;
}

const validateRules = (role: Role, namespaced: boolean): FieldError[] =>
  (role.rules ?? []).flatMap((rule, index) => validateRule(rule, `rules[${index}]`, namespaced));

function validateAggregation({ aggregationRule }: Role): FieldError[] {
  if (!aggregationRule) return [];
  const path = 'aggregationRule.clusterRoleSelectors';
  const selectors = aggregationRule.clusterRoleSelectors ?? [];
  if (selectors.length === 0) {
    const detail = 'at least one clusterRoleSelector required if aggregationRule is non-nil';
    return [fieldError.required(path, detail)];
  }
  return selectors.flatMap((selector, index) => {
    const errors = validateLabelSelector(selector, `${path}[${index}]`);
    if (errors.length === 0) return errors;
    return [...errors, fieldError.invalid(`${path}[${index}]`, null, 'invalid label selector.')];
  });
}

export const roleRules: KindRules<Role> = {
  validate: (draft) => validateRules(draft, true),
  validateName: rbacName,
  metadataOnUpdate: ['create', 'update'],
};

export const clusterRoleRules: KindRules<Role> = {
  validate: (draft) => [...validateRules(draft, false), ...validateAggregation(draft)],
  validateName: rbacName,
  metadataOnUpdate: ['create', 'update'],
};
