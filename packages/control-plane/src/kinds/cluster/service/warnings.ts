import { addressWarnings, networkWarnings } from '../address.ts';
import { isExternalName, type ServiceFields } from './types.ts';

const hints = 'service.kubernetes.io/topology-aware-hints';

export function serviceWarnings(service: ServiceFields): string[] {
  const spec = service.spec ?? {};
  const headless = spec.type === 'ClusterIP' && spec.clusterIP === 'None';
  const externalIPs = spec.externalIPs ?? [];
  const warnings: string[] = [];
  if (service.metadata.annotations?.[hints] !== undefined) {
    warnings.push(`annotation ${hints} is deprecated, please use service.kubernetes.io/topology-mode instead`);
  }
  if (spec.clusterIP && spec.clusterIP !== 'None') {
    warnings.push(
      ...(spec.clusterIPs ?? []).flatMap((address, index) => addressWarnings(`spec.clusterIPs[${index}]`, address)),
    );
  }
  if (headless) {
    if (spec.loadBalancerIP) warnings.push('spec.loadBalancerIP is ignored for headless services');
    if (externalIPs.length > 0) warnings.push('spec.externalIPs is ignored for headless services');
    if (spec.sessionAffinity !== 'None') warnings.push('spec.SessionAffinity is ignored for headless services');
  }
  warnings.push(...externalIPs.flatMap((address, index) => addressWarnings(`spec.externalIPs[${index}]`, address)));
  if (externalIPs.length > 0 && !headless && !isExternalName(spec)) {
    warnings.push('spec.externalIPs is deprecated and may no longer be implemented in some clusters');
  }
  if (spec.loadBalancerIP) warnings.push(...addressWarnings('spec.loadBalancerIP', spec.loadBalancerIP));
  for (const [index, range] of (spec.loadBalancerSourceRanges ?? []).entries()) {
    warnings.push(...networkWarnings(`spec.loadBalancerSourceRanges[${index}]`, range));
  }
  if (isExternalName(spec) && externalIPs.length > 0) {
    warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  }
  if (!isExternalName(spec) && spec.externalName) {
    warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  }
  if (spec.trafficDistribution === 'PreferClose') {
    warnings.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"');
  }
  return warnings;
}

export const serviceStatusWarnings = (service: ServiceFields): string[] =>
  (service.status?.loadBalancer?.ingress ?? []).flatMap(({ ip }, index) =>
    ip ? addressWarnings(`status.loadBalancer.ingress[${index}]`, ip) : [],
  );
