import { type FieldError, fieldError } from '@fairlead/apimachinery';
import { refuse } from '../../../errors.ts';
import { isV6 } from '../address.ts';
import { isExternalName, type ServiceSpec, sameList } from './types.ts';
import { validateClusterIPs } from './validate-cluster-ips.ts';

const kind = { group: '', kind: 'Service' };
const other = (family: string | undefined): string => (family === 'IPv4' ? 'IPv6' : 'IPv4');

/** A Service with PreferDualStack keeps its families until one of these fields changes. */
function isSettled(spec: ServiceSpec, old: ServiceSpec | undefined): boolean {
  return (
    old !== undefined &&
    spec.type === old.type &&
    ['ClusterIP', 'NodePort', 'LoadBalancer'].includes(spec.type ?? '') &&
    spec.ipFamilyPolicy === 'PreferDualStack' &&
    (old.ipFamilyPolicy ?? 'PreferDualStack') === 'PreferDualStack' &&
    sameList(spec.clusterIPs, old.clusterIPs) &&
    sameList(spec.ipFamilies, old.ipFamilies)
  );
}

/** Sets policy and families for this cluster: one family. Rejects what it cannot serve. */
export function assignIpFamilies(name: string, spec: ServiceSpec, old: ServiceSpec | undefined, family: string): void {
  if (isExternalName(spec) || isSettled(spec, old)) return;
  const selectorless = spec.clusterIP === 'None' && Object.keys(spec.selector ?? {}).length === 0;
  spec.ipFamilyPolicy ??= old?.ipFamilyPolicy ?? (selectorless ? 'RequireDualStack' : 'SingleStack');
  refuseIfAny(name, validateClusterIPs(spec, old));
  refuseIfAny(name, [...releases(spec, old), ...countErrors(spec), ...inferFamilies(spec, family)]);
  if (selectorless) {
    if (!spec.ipFamilies?.length) spec.ipFamilies = [family];
    if (spec.ipFamilies.length < 2 && spec.ipFamilyPolicy !== 'SingleStack') {
      spec.ipFamilies = [...spec.ipFamilies, other(spec.ipFamilies[0])];
    }
    return;
  }
  refuseIfAny(name, unservable(spec, family));
  if (!spec.ipFamilies?.length) spec.ipFamilies = [family];
}

function refuseIfAny(name: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw refuse.invalid(kind, name, errors);
}

const policyError = (spec: ServiceSpec, detail: string): FieldError =>
  fieldError.invalid('spec.ipFamilyPolicy', spec.ipFamilyPolicy, detail);

/** Going back to one family must be requested by policy; then the second address and family are removed. */
function releases(spec: ServiceSpec, old: ServiceSpec | undefined): FieldError[] {
  if (!old) return [];
  if (spec.ipFamilyPolicy === 'SingleStack') {
    if (spec.clusterIPs && sameList(spec.clusterIPs, old.clusterIPs)) spec.clusterIPs = spec.clusterIPs.slice(0, 1);
    if (spec.ipFamilies && sameList(spec.ipFamilies, old.ipFamilies)) spec.ipFamilies = spec.ipFamilies.slice(0, 1);
    return [];
  }
  const reduced = (now: readonly string[] = [], before: readonly string[] = []): boolean =>
    before.length === 2 && now.length === 1 && before[0] === now[0];
  return [
    ...(reduced(spec.clusterIPs, old.clusterIPs)
      ? [policyError(spec, "must be 'SingleStack' to release the secondary cluster IP")]
      : []),
    ...(reduced(spec.ipFamilies, old.ipFamilies)
      ? [policyError(spec, "must be 'SingleStack' to release the secondary IP family")]
      : []),
  ];
}

function countErrors(spec: ServiceSpec): FieldError[] {
  if (spec.ipFamilyPolicy !== 'SingleStack') return [];
  const detail = (what: string) =>
    policyError(spec, `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`);
  return [
    ...(spec.clusterIPs?.length === 2 ? [detail('cluster IPs')] : []),
    ...(spec.ipFamilies?.length === 2 ? [detail('IP families')] : []),
  ];
}

function inferFamilies(spec: ServiceSpec, family: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, address] of (spec.clusterIPs ?? []).entries()) {
    if (address === 'None') break;
    if (index < (spec.ipFamilies ?? []).length) continue;
    const inferred = isV6(address) ? 'IPv6' : 'IPv4';
    if (inferred === family) spec.ipFamilies = [...(spec.ipFamilies ?? []), inferred];
    else {
      const detail = `${inferred} is not configured on this cluster`;
      errors.push(fieldError.invalid(`spec.clusterIPs[${index}]`, spec.clusterIPs, detail));
    }
  }
  return errors;
}

function unservable(spec: ServiceSpec, family: string): FieldError[] {
  return [
    ...(spec.ipFamilyPolicy === 'RequireDualStack'
      ? [policyError(spec, 'this cluster is not configured for dual-stack services')]
      : []),
    ...(spec.ipFamilies ?? []).flatMap((asked, index) =>
      asked === family
        ? []
        : [fieldError.invalid(`spec.ipFamilies[${index}]`, asked, 'not configured on this cluster')],
    ),
  ];
}
