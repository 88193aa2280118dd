import { type FieldError, fieldError, invalidEach, portNumber, qualifiedName } from '@fairlead/apimachinery';
import { legacyNetwork } from '../address.ts';
import { unknownValue } from '../shape.ts';
import { isExternallyAccessible, needsHealthCheckPort, type ServiceFields, type ServiceSpec } from './types.ts';

const sourceRanges = 'service.beta.kubernetes.io/load-balancer-source-ranges';
const trafficPolicies = ['Cluster', 'Local'];
const onlyLoadBalancer = "may only be used when `type` is 'LoadBalancer'";

/** How the Service is exposed, and its traffic policy. */
export const validateExposure = (service: ServiceFields, old: ServiceFields | undefined): FieldError[] => [
  ...validateSourceRanges(service, old),
  ...validateLoadBalancerFields(service.spec ?? {}),
  ...validateTrafficPolicies(service.spec ?? {}),
];

function validateSourceRanges(service: ServiceFields, old: ServiceFields | undefined): FieldError[] {
  const spec = service.spec ?? {};
  const wrongType = (field: string) =>
    spec.type === 'LoadBalancer' ? [] : [fieldError.forbidden(field, onlyLoadBalancer)];
  if (spec.loadBalancerSourceRanges?.length) {
    const field = 'spec.LoadBalancerSourceRanges';
    const known = (old?.spec?.loadBalancerSourceRanges ?? []).map((range) => range.trim());
    return [
      ...wrongType(field),
      ...spec.loadBalancerSourceRanges.flatMap((range, index) =>
        legacyNetwork(`${field}[${index}]`, range.trim(), known),
      ),
    ];
  }
  const annotation = service.metadata.annotations?.[sourceRanges];
  if (annotation === undefined) return [];
  const field = `metadata.annotations[${sourceRanges}]`;
  const unchanged = old?.metadata.annotations?.[sourceRanges] === annotation || annotation.trim() === '';
  return [
    ...wrongType(field),
    ...(unchanged ? [] : annotation.split(',').flatMap((range) => legacyNetwork(field, range.trim()))),
  ];
}

function validateLoadBalancerFields(spec: ServiceSpec): FieldError[] {
  const errors: FieldError[] = [];
  const isLoadBalancer = spec.type === 'LoadBalancer';
  if (spec.allocateLoadBalancerNodePorts !== undefined && !isLoadBalancer) {
    errors.push(fieldError.forbidden('spec.allocateLoadBalancerNodePorts', onlyLoadBalancer));
  }
  return [...errors, ...validateLoadBalancerClass(spec)];
}

export function validateLoadBalancerClass(spec: ServiceSpec): FieldError[] {
  const field = 'spec.loadBalancerClass';
  if (spec.loadBalancerClass === undefined) return [];
  return spec.type === 'LoadBalancer'
    ? invalidEach(field, spec.loadBalancerClass, qualifiedName(spec.loadBalancerClass))
    : [fieldError.forbidden(field, onlyLoadBalancer)];
}

function validateTrafficPolicies(spec: ServiceSpec): FieldError[] {
  const errors: FieldError[] = [];
  const external = spec.externalTrafficPolicy;
  const field = 'spec.externalTrafficPolicy';
  if (isExternallyAccessible(spec)) errors.push(...unknownValue(field, external, trafficPolicies));
  else if (external)
    errors.push(fieldError.invalid(field, external, 'may only be set for externally-accessible services'));
  errors.push(...validateHealthCheckPort(spec));
  if (spec.internalTrafficPolicy !== undefined) {
    errors.push(...unknownValue('spec.internalTrafficPolicy', spec.internalTrafficPolicy, trafficPolicies));
  }
  if (spec.trafficDistribution !== undefined) {
    const supported = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];
    errors.push(...unknownValue('spec.trafficDistribution', spec.trafficDistribution, supported));
  }
  return errors;
}

function validateHealthCheckPort(spec: ServiceSpec): FieldError[] {
  const field = 'spec.healthCheckNodePort';
  const port = spec.healthCheckNodePort ?? 0;
  if (needsHealthCheckPort(spec))
    return port === 0 ? [fieldError.required(field)] : invalidEach(field, port, portNumber(port));
  if (port === 0) return [];
  const detail = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
  return [fieldError.invalid(field, port, detail)];
}
