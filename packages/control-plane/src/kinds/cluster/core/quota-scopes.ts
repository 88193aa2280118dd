import { type FieldError, fieldError, isHugePages } from '@fairlead/apimachinery';
import { isStandard } from '../../workloads/resources/names.ts';
import type { ResourceList } from '../quantity.ts';

interface ScopeRequirement {
  scopeName?: string;
  operator?: string;
  values?: string[];
}

export interface QuotaSpec {
  hard?: ResourceList;
  scopes?: string[];
  scopeSelector?: { matchExpressions?: ScopeRequirement[] };
}

/** Resources that quota counts: the standard ones except storage itself. */
export const isCountable = (name: string): boolean =>
  (isStandard(name) && name !== 'storage') || isHugePages(name) || name.startsWith('requests.hugepages-');

const pods = ['pods'];
const compute = ['cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory'];
const ofPods = [...pods, ...compute];

/** The resources that a scope supports. */
const resourcesOf: Record<string, readonly string[]> = {
  Terminating: ofPods,
  NotTerminating: ofPods,
  NotBestEffort: ofPods,
  PriorityClass: ofPods,
  CrossNamespacePodAffinity: ofPods,
  BestEffort: pods,
  VolumeAttributesClass: ['persistentvolumeclaims', 'requests.storage'],
};
const flags = ['BestEffort', 'NotBestEffort', 'Terminating', 'NotTerminating', 'CrossNamespacePodAffinity'];

const misapplied = (scope: string, hard: ResourceList | undefined): string[] =>
  Object.keys(hard ?? {})
    .sort()
    .filter((name) => isCountable(name) && !(resourcesOf[scope]?.includes(name) ?? true));

const areOpposites = (scopes: readonly string[]): boolean[] =>
  [
    ['BestEffort', 'NotBestEffort'],
    ['Terminating', 'NotTerminating'],
  ]
    .filter((pair) => pair.every((scope) => scopes.includes(scope)))
    .map(() => true);

export function validateScopes(spec: QuotaSpec, field: string): FieldError[] {
  const scopes = spec.scopes ?? [];
  const invalid = (detail: string) => fieldError.invalid(field, scopes, detail);
  return [
    ...scopes.flatMap((scope) => [
      ...(resourcesOf[scope] ? [] : [invalid('unsupported scope')]),
      ...misapplied(scope, spec.hard).map(() => invalid('unsupported scope applied to resource')),
    ]),
    ...areOpposites(scopes).map(() => invalid('conflicting scopes')),
  ];
}

export function validateScopeSelector(spec: QuotaSpec, path: string): FieldError[] {
  if (!spec.scopeSelector) return [];
  const requirements = spec.scopeSelector.matchExpressions ?? [];
  const errors = requirements.flatMap((requirement) => validateRequirement(requirement, spec, path));
  const scopes = requirements.map(({ scopeName = '' }) => scopeName);
  return [...errors, ...areOpposites(scopes).map(() => fieldError.invalid(path, spec.scopes, 'conflicting scopes'))];
}

function validateRequirement(requirement: ScopeRequirement, spec: QuotaSpec, path: string): FieldError[] {
  const { scopeName = '', operator = '', values = [] } = requirement;
  const errors: FieldError[] = [];
  if (!resourcesOf[scopeName]) errors.push(fieldError.invalid(`${path}.scopeName`, scopeName, 'unsupported scope'));
  errors.push(
    ...misapplied(scopeName, spec.hard).map(() =>
      fieldError.invalid(path, spec.scopeSelector, 'unsupported scope applied to resource'),
    ),
  );
  if (flags.includes(scopeName) && operator !== 'Exists') {
    const detail =
      "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";
    errors.push(fieldError.invalid(`${path}.operator`, operator, detail));
  }
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0) {
      const detail = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
      errors.push(fieldError.required(`${path}.values`, detail));
    }
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0) {
      const detail = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
      errors.push(fieldError.invalid(`${path}.values`, values, detail));
    }
  } else errors.push(fieldError.invalid(`${path}.operator`, operator, 'not a valid selector operator'));
  return errors;
}
