import { must } from '@fairlead/apimachinery';
import type { RuleContext } from '../../../resource.ts';
import { parseNetwork } from '../address.ts';
import { isMain } from '../shape.ts';
import { alignClusterIPs, allocateClusterIPs } from './cluster-ips.ts';
import { assignIpFamilies } from './ip-families.ts';
import { allocateHealthCheckPort, allocateNodePorts, keepNodePorts, NodePorts, updateNodePorts } from './node-ports.ts';
import { HeldByOthers, type ServiceOptions } from './ranges.ts';
import {
  isExternallyAccessible,
  isExternalName,
  needsHealthCheckPort,
  type ServiceFields,
  type ServiceSpec,
  sameList,
} from './types.ts';
import { keepsAddresses } from './validate-cluster-ips.ts';

const takesNodePorts = (spec: ServiceSpec): boolean => spec.type === 'NodePort' || spec.type === 'LoadBalancer';
const wantsNodePorts = (spec: ServiceSpec): boolean =>
  spec.type === 'NodePort' || (spec.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts !== false);

/** Allocation runs before validation, as on a real server: an allocation error hides other errors. */
export function prepareServiceCreate(draft: ServiceFields, context: RuleContext, options: ServiceOptions): void {
  draft.status = { loadBalancer: {} };
  const spec = (draft.spec ??= {});
  const name = draft.metadata.name;
  alignClusterIPs(spec);
  const held = new HeldByOthers(draft, context);
  const network = must(parseNetwork(options.serviceNetwork), 'the network of services');
  assignIpFamilies(name, spec, undefined, network.address.bytes.length === 4 ? 'IPv4' : 'IPv6');
  allocateClusterIPs(name, spec, network, held, context.random);
  const ports = new NodePorts(held, options.nodePorts, context.random);
  if (takesNodePorts(spec)) allocateNodePorts(name, spec, ports);
  allocateHealthCheckPort(spec, undefined, ports);
  if (isExternalName(spec)) delete spec.internalTrafficPolicy;
}

export function prepareServiceUpdate(
  draft: ServiceFields,
  oldDraft: ServiceFields,
  context: RuleContext,
  options: ServiceOptions,
): void {
  if (!isMain(context)) return;
  const spec = (draft.spec ??= {});
  const old = oldDraft.spec ?? {};
  const name = draft.metadata.name;
  keepAllocated(spec, old);
  alignClusterIPs(spec, old);
  const held = new HeldByOthers(draft, context);
  const network = must(parseNetwork(options.serviceNetwork), 'the network of services');
  assignIpFamilies(name, spec, old, network.address.bytes.length === 4 ? 'IPv4' : 'IPv6');
  if (isExternalName(old)) allocateClusterIPs(name, spec, network, held, context.random);
  for (const { nodePort } of old.ports ?? []) if (nodePort) held.addPort(nodePort);
  if (needsHealthCheckPort(old) && old.healthCheckNodePort) held.addPort(old.healthCheckNodePort);
  const ports = new NodePorts(held, options.nodePorts, context.random);
  if (takesNodePorts(spec)) updateNodePorts(name, spec, old, ports);
  allocateHealthCheckPort(spec, old, ports);
  dropWhatTheTypeHasNot(draft, spec, old);
}

/** If a client omits an allocated value, it is kept. */
function keepAllocated(spec: ServiceSpec, old: ServiceSpec): void {
  if (!isExternalName(old) && !isExternalName(spec)) {
    if (!spec.clusterIP && old.clusterIP) spec.clusterIP = old.clusterIP;
    if (!spec.clusterIPs?.length && old.clusterIPs?.length) spec.clusterIPs = [...old.clusterIPs];
  }
  if (wantsNodePorts(old) && wantsNodePorts(spec)) keepNodePorts(spec.ports ?? [], old.ports ?? []);
  if (needsHealthCheckPort(old) && needsHealthCheckPort(spec) && old.healthCheckNodePort) {
    spec.healthCheckNodePort ||= old.healthCheckNodePort;
  }
}

/** After a change of type: unchanged fields that no longer apply are removed; changed ones are left to validation. */
function dropWhatTheTypeHasNot(draft: ServiceFields, spec: ServiceSpec, old: ServiceSpec): void {
  if (!isExternalName(old) && isExternalName(spec)) {
    if (keepsAddresses(spec, old)) {
      delete spec.clusterIP;
      delete spec.clusterIPs;
    }
    if (sameList(spec.ipFamilies, old.ipFamilies)) delete spec.ipFamilies;
    if (spec.ipFamilyPolicy === old.ipFamilyPolicy) delete spec.ipFamilyPolicy;
  }
  if (takesNodePorts(old) && !takesNodePorts(spec)) {
    const before = new Set((old.ports ?? []).map((port) => port.nodePort));
    const ports = spec.ports ?? [];
    if (ports.every((port) => !port.nodePort || before.has(port.nodePort))) {
      for (const port of ports) delete port.nodePort;
    }
  }
  if (
    needsHealthCheckPort(old) &&
    !needsHealthCheckPort(spec) &&
    spec.healthCheckNodePort === old.healthCheckNodePort
  ) {
    delete spec.healthCheckNodePort;
  }
  if (old.type === 'LoadBalancer' && spec.type !== 'LoadBalancer') {
    if (spec.allocateLoadBalancerNodePorts === old.allocateLoadBalancerNodePorts) {
      delete spec.allocateLoadBalancerNodePorts;
    }
    if (spec.loadBalancerClass === old.loadBalancerClass) delete spec.loadBalancerClass;
  }
  if (
    isExternallyAccessible(old) &&
    !isExternallyAccessible(spec) &&
    spec.externalTrafficPolicy === old.externalTrafficPolicy
  ) {
    delete spec.externalTrafficPolicy;
  }
  if (isExternalName(spec)) delete spec.internalTrafficPolicy;
  const { status } = draft;
  if (spec.type !== 'LoadBalancer' && status) status.loadBalancer = {};
}
