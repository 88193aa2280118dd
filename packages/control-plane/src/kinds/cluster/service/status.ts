import { dns1123Subdomain, type FieldError, fieldError, invalidEach } from '@fairlead/apimachinery';
import { legacyAddress, parseAddress } from '../address.ts';
import { unknownValue } from '../shape.ts';
import type { LoadBalancerIngress, ServiceFields } from './types.ts';

const path = 'status.loadBalancer.ingress';

export function validateServiceStatus(service: ServiceFields, old: ServiceFields): FieldError[] {
  const ingresses = service.status?.loadBalancer?.ingress ?? [];
  if (service.spec?.type !== 'LoadBalancer' && ingresses.length > 0) {
    return [fieldError.forbidden(path, "may only be used when `spec.type` is 'LoadBalancer'")];
  }
  const known = (old.status?.loadBalancer?.ingress ?? []).flatMap(({ ip }) => ip ?? []);
  return ingresses.flatMap((ingress, index) => [
    ...validateIngressAddress(ingress, `${path}[${index}]`, known),
    ...validateIngressMode(ingress, `${path}[${index}]`),
    ...validateIngressHost(ingress, `${path}[${index}]`),
  ]);
}

export const validateIngressAddress = ({ ip }: LoadBalancerIngress, at: string, known: string[]): FieldError[] =>
  ip ? legacyAddress(`${at}.ip`, ip, known) : [];

function validateIngressMode({ ip, ipMode }: LoadBalancerIngress, at: string): FieldError[] {
  if (ipMode === undefined)
    return ip ? [fieldError.required(`${at}.ipMode`, 'must be specified when `ip` is set')] : [];
  if (!ip) return [fieldError.forbidden(`${at}.ipMode`, 'may not be specified when `ip` is not set')];
  return unknownValue(`${at}.ipMode`, ipMode, ['Proxy', 'VIP']);
}

export function validateIngressHost({ hostname }: LoadBalancerIngress, at: string): FieldError[] {
  if (!hostname) return [];
  const errors = invalidEach(`${at}.hostname`, hostname, dns1123Subdomain(hostname));
  if (!parseAddress(hostname)) return errors;
  return [...errors, fieldError.invalid(`${at}.hostname`, hostname, 'must be a DNS name, not an IP address')];
}
