import { type FieldError, fieldError } from '@fairlead/apimachinery';
import { isV6, legacyAddress } from '../address.ts';
import { unknownValue } from '../shape.ts';
import { isExternalName, isHeadless, type ServiceSpec, sameList } from './types.ts';

const families = ['IPv4', 'IPv6'];
const policies = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];

/** The consistency of clusterIP, clusterIPs, ipFamilies and ipFamilyPolicy. */
export function validateClusterIPs(spec: ServiceSpec, old: ServiceSpec | undefined): FieldError[] {
  if (isExternalName(spec)) return [];
  const clusterIPs = spec.clusterIPs ?? [];
  const errors: FieldError[] = [];
  const invalid = (detail: string) => errors.push(fieldError.invalid('spec.clusterIPs', clusterIPs, detail));
  if (spec.clusterIP) {
    if (clusterIPs.length === 0) errors.push(fieldError.required('spec.clusterIPs'));
    else if (clusterIPs[0] !== spec.clusterIP) invalid('first value must match `clusterIP`');
  } else if (clusterIPs.length > 0) invalid('must be empty when `clusterIP` is not specified');
  errors.push(...validateFamilies(spec));

  let usable = true;
  for (const [index, address] of clusterIPs.entries()) {
    if (index === 0 && address === 'None') {
      if (clusterIPs.length > 1) {
        usable = false;
        invalid("'None' must be the first and only value");
      }
      continue;
    }
    const problems = legacyAddress(`spec.clusterIPs[${index}]`, address, old?.clusterIPs);
    if (problems.length > 0) usable = false;
    errors.push(...problems);
  }
  if (clusterIPs.length > 2) invalid('may only hold up to 2 values');
  if (!usable) return errors;
  if (clusterIPs.length > 1 && new Set(clusterIPs.map(isV6)).size < 2) {
    invalid('may specify no more than one IP for each IP family');
  }
  return isHeadless(spec) ? errors : [...errors, ...validateFamilyOfEach(spec)];
}

function validateFamilies(spec: ServiceSpec): FieldError[] {
  const listed = spec.ipFamilies ?? [];
  return [
    ...listed.flatMap((family, index) => [
      ...unknownValue(`spec.ipFamilies[${index}]`, family, families),
      ...(listed.indexOf(family) < index ? [fieldError.duplicate(`spec.ipFamilies[${index}]`, family)] : []),
    ]),
    ...(spec.ipFamilyPolicy === undefined ? [] : unknownValue('spec.ipFamilyPolicy', spec.ipFamilyPolicy, policies)),
  ];
}

function validateFamilyOfEach(spec: ServiceSpec): FieldError[] {
  return (spec.ipFamilies ?? []).flatMap((family, index) => {
    const address = spec.clusterIPs?.[index];
    if (address === undefined || !families.includes(family) || isV6(address) === (family === 'IPv6')) return [];
    const detail = `expected an ${family} value as indicated by \`ipFamilies[${index}]\``;
    return [fieldError.invalid(`spec.clusterIPs[${index}]`, address, detail)];
  });
}

/** The first address of a Service is immutable; a second one may be added and removed. */
export function validateClusterIPChange(spec: ServiceSpec, old: ServiceSpec): FieldError[] {
  if (isExternalName(spec) || isExternalName(old) || (isHeadless(old) && isHeadless(spec))) return [];
  const now = spec.clusterIPs ?? [];
  const before = old.clusterIPs ?? [];
  const changed = (index: number) => fieldError.invalid(`spec.clusterIPs[${index}]`, now, 'may not change once set');
  if (now.length === before.length) {
    return before.flatMap((address, index) => (address === now[index] ? [] : [changed(index)]));
  }
  if (now.length === 0) {
    return [fieldError.invalid('spec.clusterIPs[0]', spec.clusterIPs, 'primary clusterIP can not be unset')];
  }
  const errors = before.length > 0 && now[0] !== before[0] ? [changed(0)] : [];
  if (now.length < before.length && now.length === 1 && spec.ipFamilyPolicy !== 'SingleStack') {
    const detail = "must be set to 'SingleStack' when releasing the secondary clusterIP";
    errors.push(fieldError.invalid('spec.ipFamilyPolicy', spec.ipFamilyPolicy, detail));
  }
  return errors;
}

export function validateFamilyChange(spec: ServiceSpec, old: ServiceSpec): FieldError[] {
  if (isExternalName(spec) || isExternalName(old) || isHeadless(spec) || isHeadless(old)) return [];
  const now = spec.ipFamilies ?? [];
  const before = old.ipFamilies ?? [];
  const field = 'spec.ipFamilies[0]';
  const detail = 'may not change once set';
  if (now.length === before.length) {
    return before.flatMap((family, index) => (family === now[index] ? [] : [fieldError.invalid(field, now, detail)]));
  }
  const errors: FieldError[] = [];
  if (now.length < before.length && !spec.clusterIPs?.length) {
    errors.push(fieldError.invalid(field, spec.ipFamilies, 'primary ipFamily can not be unset'));
  }
  if (now.length > 0 && before.length > 0 && now[0] !== before[0]) {
    errors.push(fieldError.invalid(field, spec.clusterIPs, detail));
  }
  if (now.length < before.length && now.length === 1 && spec.ipFamilyPolicy !== 'SingleStack') {
    const why = "must be set to 'SingleStack' when releasing the secondary ipFamily";
    errors.push(fieldError.invalid('spec.ipFamilyPolicy', spec.ipFamilyPolicy, why));
  }
  return errors;
}

export const keepsAddresses = (spec: ServiceSpec, old: ServiceSpec): boolean =>
  (spec.clusterIP ?? '') === (old.clusterIP ?? '') && sameList(spec.clusterIPs, old.clusterIPs);
