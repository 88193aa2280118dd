import type { EndpointPort, NetworkPolicyFields } from '../fields/cluster.ts';
import type { KubeObject } from '../meta/object.ts';

export function defaultNetworkPolicy(policy: NetworkPolicyFields): void {
  const spec = (policy.spec ??= {});
  for (const { ports = [] } of [...(spec.ingress ?? []), ...(spec.egress ?? [])]) {
    for (const port of ports) port.protocol ??= 'TCP';
  }
  if (!spec.policyTypes?.length) spec.policyTypes = spec.egress?.length ? ['Ingress', 'Egress'] : ['Ingress'];
}

interface EndpointSliceFields extends KubeObject {
  ports?: EndpointPort[] | null;
}

export function defaultEndpointSlice({ ports }: EndpointSliceFields): void {
  for (const port of ports ?? []) {
    port.name ??= '';
    port.protocol ??= 'TCP';
  }
}

interface IngressClassFields extends KubeObject {
  spec?: { parameters?: { scope?: string } };
}

export function defaultIngressClass({ spec }: IngressClassFields): void {
  if (spec?.parameters) spec.parameters.scope ??= 'Cluster';
}
