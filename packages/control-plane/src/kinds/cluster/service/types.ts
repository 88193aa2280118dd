import type { ServiceSpec } from '@fairlead/apimachinery/fields';

export {
  isExternallyAccessible,
  type LoadBalancerIngress,
  type ServiceFields,
  type ServicePort,
  type ServiceSpec,
} from '@fairlead/apimachinery/fields';

export const isExternalName = (spec: ServiceSpec): boolean => spec.type === 'ExternalName';
export const isHeadless = (spec: ServiceSpec): boolean =>
  spec.clusterIPs?.length === 1 && spec.clusterIPs[0] === 'None';
export const needsHealthCheckPort = (spec: ServiceSpec): boolean =>
  spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local';
export const sameList = (left: readonly unknown[] = [], right: readonly unknown[] = []): boolean =>
  left.length === right.length && left.every((value, at) => value === right[at]);
