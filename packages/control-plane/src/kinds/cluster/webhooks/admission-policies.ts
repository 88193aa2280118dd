import type { KubeObject } from '@fairlead/apimachinery';
import {
  dns1123Subdomain,
  type FieldError,
  fieldError,
  invalidEach,
  type LabelSelector,
  pathSegment,
  validateLabelSelector,
} from '@fairlead/apimachinery';
import type { KindRules } from '../../../resource.ts';
import { unknownValue } from '../shape.ts';
import { type OperationRule, validateOperationRule } from './operation-rules.ts';

interface NamedRule extends OperationRule {
  resourceNames?: string[];
}

interface MatchResources {
  matchPolicy?: string;
  namespaceSelector?: LabelSelector;
  objectSelector?: LabelSelector;
  resourceRules?: NamedRule[];
  excludeResourceRules?: NamedRule[];
}

interface PolicySpec {
  failurePolicy?: string;
  matchConstraints?: MatchResources;
  matchResources?: MatchResources;
  validations?: { expression?: string }[];
  auditAnnotations?: unknown[];
  policyName?: string;
  validationActions?: string[];
}

interface PolicyFields extends KubeObject {
  spec?: PolicySpec;
}

const specOf = (draft: PolicyFields): PolicySpec => draft.spec ?? {};

function validateMatch(match: MatchResources, path: string): FieldError[] {
  const rules = (field: 'resourceRules' | 'excludeResourceRules') =>
    (match[field] ?? []).flatMap((rule, index) => validateNamedRule(rule, `${path}.${field}[${index}]`));
  return [
    ...unknownValue(`${path}.matchPolicy`, match.matchPolicy, ['Equivalent', 'Exact']),
    ...validateLabelSelector(match.namespaceSelector, `${path}.namespaceSelector`),
    ...validateLabelSelector(match.objectSelector, `${path}.objectSelector`),
    ...rules('resourceRules'),
    ...rules('excludeResourceRules'),
  ];
}

function validateNamedRule(rule: NamedRule, path: string): FieldError[] {
  const names = rule.resourceNames ?? [];
  return [
    ...names.flatMap((name, index) => [
      ...invalidEach(`${path}.resourceNames[${index}]`, name, pathSegment(name)),
      ...(names.indexOf(name) < index ? [fieldError.duplicate(`${path}.resourceNames[${index}]`, name)] : []),
    ]),
    ...validateOperationRule(rule, path),
  ];
}

/** The structure of a policy. Its expressions are not compiled here: this server evaluates no policies. */
function validatePolicy(spec: PolicySpec, needsValidations: boolean): FieldError[] {
  const { matchConstraints: match } = spec;
  const nothing = 'validations or auditAnnotations must contain at least one item';
  const isEmpty = needsValidations && !spec.validations?.length && !spec.auditAnnotations?.length;
  return [
    ...unknownValue('spec.failurePolicy', spec.failurePolicy, ['Fail', 'Ignore']),
    ...(match ? validateMatch(match, 'spec.matchConstraints') : [fieldError.required('spec.matchConstraints')]),
    ...(match && !match.resourceRules?.length ? [fieldError.required('spec.matchConstraints.resourceRules')] : []),
    ...(isEmpty
      ? [fieldError.required('spec.validations', nothing), fieldError.required('spec.auditAnnotations', nothing)]
      : []),
  ];
}

function validateActions(actions: readonly string[], path: string): FieldError[] {
  const both =
    'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';
  return [
    ...actions.flatMap((action, index) => [
      ...unknownValue(`${path}[${index}]`, action, ['Audit', 'Deny', 'Warn']),
      ...(actions.indexOf(action) < index ? [fieldError.duplicate(`${path}[${index}]`, action)] : []),
    ]),
    ...(actions.includes('Deny') && actions.includes('Warn') ? [fieldError.invalid(path, actions, both)] : []),
    ...(actions.length === 0 ? [fieldError.required(path, 'at least one validation action is required')] : []),
  ];
}

const policyRules = (validating: boolean): KindRules<PolicyFields> => ({
  validate: (draft) => validatePolicy(specOf(draft), validating),
  anyFinalizer: true,
  metadataOnUpdate: ['create'],
});

const bindingRules = (validating: boolean): KindRules<PolicyFields> => ({
  validate(draft) {
    const { policyName = '', matchResources, validationActions = [] } = specOf(draft);
    return [
      ...(policyName
        ? invalidEach('spec.policyName', policyName, dns1123Subdomain(policyName))
        : [fieldError.required('spec.policyName')]),
      ...(matchResources ? validateMatch(matchResources, 'spec.matchResources') : []),
      ...(validating ? validateActions(validationActions, 'spec.validationActions') : []),
    ];
  },
  anyFinalizer: true,
  metadataOnUpdate: ['create'],
});

export const validatingPolicyRules = policyRules(true);
export const mutatingPolicyRules = policyRules(false);
export const validatingPolicyBindingRules = bindingRules(true);
export const mutatingPolicyBindingRules = bindingRules(false);
