import type { Draft } from '../../../resource.ts';
import { fieldsOf, part } from '../shape.ts';
import { isExternallyAccessible, type Service, type ServiceSpec } from './types.ts';

const affinitySeconds = 10_800;

export function defaultService(draft: Draft): void {
  const spec = part<ServiceSpec>(draft, 'spec');
  spec.sessionAffinity ||= 'None';
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity === 'ClientIP' && spec.sessionAffinityConfig?.clientIP?.timeoutSeconds === undefined) {
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: affinitySeconds } };
  }
  spec.type ||= 'ClusterIP';
  for (const port of spec.ports ?? []) {
    port.protocol ||= 'TCP';
    port.targetPort ||= port.port ?? 0;
  }
  if (isExternallyAccessible(spec)) spec.externalTrafficPolicy ||= 'Cluster';
  if (['ClusterIP', 'NodePort', 'LoadBalancer'].includes(spec.type)) spec.internalTrafficPolicy ??= 'Cluster';
  if (spec.type !== 'LoadBalancer') return;
  spec.allocateLoadBalancerNodePorts ??= true;
  for (const ingress of fieldsOf<Service>(draft).status?.loadBalancer?.ingress ?? []) {
    if (ingress.ip) ingress.ipMode ??= 'VIP';
  }
}
