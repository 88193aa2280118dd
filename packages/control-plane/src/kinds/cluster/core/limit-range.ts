import { type FieldError, fieldError, invalidEach, mayOvercommit, qualifiedName } from '@fairlead/apimachinery';
import type { LimitRangeFields, LimitRangeItem } from '@fairlead/apimachinery/fields';
import type { KindRules } from '../../../resource.ts';
import { containerResourceName, resourceName } from '../../workloads/resources/names.ts';
import { compare } from '../quantity.ts';
import { randomUuid } from '../uuid.ts';
import { ratioAbove } from './limit-ratio.ts';

const itemsOf = (draft: LimitRangeFields): LimitRangeItem[] => draft.spec?.limits ?? [];

function validateItem(item: LimitRangeItem, path: string): FieldError[] {
  const type = item.type ?? '';
  const nameOf = type === 'Pod' || type === 'Container' ? containerResourceName : resourceName;
  const names = (field: keyof LimitRangeItem): FieldError[] =>
    Object.keys(item[field] ?? {}).flatMap((name) => invalidEach(`${path}.${field}[${name}]`, name, nameOf(name)));
  const errors = [...names('max'), ...names('min')];
  if (type === 'Pod') {
    for (const field of ['default', 'defaultRequest'] as const) {
      if (item[field])
        errors.push(fieldError.forbidden(`${path}.${field}`, "may not be specified when `type` is 'Pod'"));
    }
  } else errors.push(...names('default'), ...names('defaultRequest'));
  if (type === 'PersistentVolumeClaim' && !item.min?.['storage'] && !item.max?.['storage']) {
    const detail = 'either minimum or maximum storage value is required, but neither was provided';
    errors.push(fieldError.required(`${path}.limits`, detail));
  }
  errors.push(...names('maxLimitRequestRatio'));
  const { default: limits, defaultRequest: requests, ...rest } = item;
  const compared = type === 'Pod' ? rest : { ...rest, default: limits ?? {}, defaultRequest: requests ?? {} };
  const keys = Object.keys({
    ...compared.max,
    ...compared.min,
    ...('default' in compared ? { ...compared.default, ...compared.defaultRequest } : {}),
    ...compared.maxLimitRequestRatio,
  });
  return [...errors, ...keys.flatMap((name) => validateOrder(compared, name, path))];
}

/** min ≤ default request ≤ default ≤ max, for one resource. */
function validateOrder(item: LimitRangeItem, name: string, path: string): FieldError[] {
  const min = item.min?.[name];
  const max = item.max?.[name];
  const limit = item.default?.[name];
  const request = item.defaultRequest?.[name];
  const errors: FieldError[] = [];
  const check = (
    low: string | undefined,
    high: string | undefined,
    field: string,
    shown: 'low' | 'high',
    words: string,
  ) => {
    if (low === undefined || high === undefined || compare(low, high) <= 0) return;
    const value = shown === 'low' ? low : high;
    errors.push(fieldError.invalid(`${path}.${field}[${name}]`, value, words.replace('<', low).replace('>', high)));
  };
  check(min, max, 'min', 'low', 'min value < is greater than max value >');
  check(min, request, 'defaultRequest', 'high', 'min value < is greater than default request value >');
  check(request, max, 'defaultRequest', 'low', 'default request value < is greater than max value >');
  check(request, limit, 'defaultRequest', 'low', 'default request value < is greater than default limit value >');
  check(min, limit, 'default', 'low', 'min value < is greater than default value >');
  check(limit, max, 'default', 'high', 'default value < is greater than max value >');
  errors.push(...ratioErrors(item, name, path));
  if (!mayOvercommit(name) && limit !== undefined && request !== undefined && compare(limit, request) !== 0) {
    const detail = `default value ${limit} must equal to defaultRequest value ${request} in ${name}`;
    errors.push(fieldError.invalid(`${path}.defaultRequest[${name}]`, request, detail));
  }
  return errors;
}

function ratioErrors(item: LimitRangeItem, name: string, path: string): FieldError[] {
  const ratio = item.maxLimitRequestRatio?.[name];
  if (ratio === undefined) return [];
  const field = `${path}.maxLimitRequestRatio[${name}]`;
  const errors: FieldError[] = [];
  if (compare(ratio, '1') < 0) errors.push(fieldError.invalid(field, ratio, `ratio ${ratio} is less than 1`));
  const limit = ratioAbove(ratio, item.min?.[name], item.max?.[name]);
  if (limit !== undefined) {
    errors.push(fieldError.invalid(field, ratio, `ratio ${ratio} is greater than max/min = ${limit.toFixed(6)}`));
  }
  return errors;
}

function validateType(type: string, path: string): FieldError[] {
  const errors = invalidEach(path, type, qualifiedName(type));
  if (errors.length > 0 || type.includes('/') || ['Pod', 'Container', 'PersistentVolumeClaim'].includes(type))
    return errors;
  return [fieldError.invalid(path, type, 'must be a standard limit type or fully qualified')];
}

export const limitRangeRules: KindRules<LimitRangeFields> = {
  prepareCreate(draft, context) {
    if (!draft.metadata.name) draft.metadata.name = randomUuid(context.random);
  },
  validate(draft) {
    const seen = new Set<string>();
    return itemsOf(draft).flatMap((item, index) => {
      const path = `spec.limits[${index}]`;
      const type = item.type ?? '';
      const twice = seen.has(type) ? [fieldError.duplicate(`${path}.type`, type)] : [];
      seen.add(type);
      return [...validateType(type, `${path}.type`), ...twice, ...validateItem(item, path)];
    });
  },
  metadataOnUpdate: ['create'],
};
