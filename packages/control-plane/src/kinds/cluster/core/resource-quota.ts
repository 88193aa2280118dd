import type { KubeObject } from '@fairlead/apimachinery';
import { type FieldError, fieldError, invalidEach } from '@fairlead/apimachinery';
import type { KindRules } from '../../../resource.ts';
import { isInteger, resourceName } from '../../workloads/resources/names.ts';
import { compare, isNegative, isWhole, type ResourceList } from '../quantity.ts';
import { immutable } from '../shape.ts';
import { isCountable, type QuotaSpec, validateScopeSelector, validateScopes } from './quota-scopes.ts';

interface ResourceQuota extends KubeObject {
  spec?: QuotaSpec;
  status?: { hard?: ResourceList; used?: ResourceList };
}

export function validateQuantity(name: string, value: string, field: string): FieldError[] {
  return [
    ...(isNegative(value) ? [fieldError.invalid(field, value, 'must be greater than or equal to 0')] : []),
    ...(isInteger(name) && !isWhole(value) ? [fieldError.invalid(field, value, 'must be an integer')] : []),
  ];
}

function validateAmounts(list: ResourceList | undefined, path: string): FieldError[] {
  return Object.entries(list ?? {}).flatMap(([name, value]) => {
    const field = `${path}[${name}]`;
    const uncountable = !name.includes('/') && !isCountable(name);
    return [
      ...invalidEach(field, name, resourceName(name)),
      ...(uncountable ? [fieldError.invalid(field, name, 'must be a standard resource for quota')] : []),
      ...validateQuantity(name, value, field),
    ];
  });
}

const validateSpec = (spec: QuotaSpec = {}): FieldError[] => [
  ...validateAmounts(spec.hard, 'spec.hard'),
  ...validateScopes(spec, 'spec.scopes'),
  ...validateScopeSelector(spec, 'spec.scopeSelector.matchExpressions'),
];

const validateStatus = ({ status }: ResourceQuota): FieldError[] => [
  ...validateAmounts(status?.hard, 'status.hard'),
  ...validateAmounts(status?.used, 'status.used'),
];

/** A request quota above the limit quota can never be used up. */
function requestAboveLimit(hard: ResourceList, name: string): string[] {
  const bare = (name === 'cpu' || name === 'memory') && hard[`requests.${name}`] === undefined;
  const requestName = bare ? name : `requests.${name}`;
  const request = hard[requestName];
  const limit = hard[`limits.${name}`];
  if (request === undefined || limit === undefined || compare(request, limit) <= 0) return [];
  return [`ResourceQuota ${requestName} (${request}) should be less than limits.${name} (${limit})`];
}

export const resourceQuotaRules: KindRules<ResourceQuota> = {
  prepareCreate(draft) {
    draft.status = {};
  },
  validate: (draft) => validateSpec(draft.spec),
  validateUpdate(draft, old) {
    const sorted = (quota: ResourceQuota) => [...new Set(quota.spec?.scopes ?? [])].sort();
    const scopes = draft.spec?.scopes;
    return immutable('spec.scopes', sorted(draft), sorted(old), scopes);
  },
  validateStatusUpdate: (draft) => validateStatus(draft),
  warnings(draft, old) {
    const hard = draft.spec?.hard ?? {};
    if (old) return [];
    return ['cpu', 'memory', 'storage', 'ephemeral-storage'].flatMap((name) => requestAboveLimit(hard, name));
  },
};
