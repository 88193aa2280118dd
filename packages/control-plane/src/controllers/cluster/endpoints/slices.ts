import type { KubeObject } from '@fairlead/apimachinery';
import { isReady, type Node, type Pod } from '../objects.ts';
import { addressesOf, hostnameIn, isEndpoint, portOn, referenceTo } from './pod-endpoint.ts';
import { hasAddress, headlessLabel, isV6, type ObjectReference, type Service } from './service.ts';

export interface Endpoint {
  addresses: string[];
  conditions: { ready?: boolean; serving?: boolean; terminating?: boolean };
  hostname?: string;
  targetRef?: ObjectReference;
  nodeName?: string;
  zone?: string;
  hints?: { forZones?: { name: string }[]; forNodes?: { name: string }[] };
}

export interface SlicePort {
  name?: string;
  protocol?: string;
  port?: number;
  appProtocol?: string;
}

export interface Slice extends KubeObject {
  addressType: string;
  /** Both are null if there are none. */
  endpoints: Endpoint[] | null;
  ports: SlicePort[] | null;
}

/** Endpoints with the same ports and address type. */
export interface EndpointGroup {
  readonly addressType: 'IPv4' | 'IPv6';
  readonly ports: readonly SlicePort[];
  readonly endpoints: Endpoint[];
}

export const serviceNameLabel = 'kubernetes.io/service-name';
export const managedByLabel = 'endpointslice.kubernetes.io/managed-by';
export const sliceManager = 'endpointslice-controller.k8s.io';

const zoneLabel = 'topology.kubernetes.io/zone';

/** Slices with the same key may contain the same endpoints. */
export const portsKey = (ports: readonly SlicePort[] | null): string =>
  JSON.stringify(
    (ports ?? [])
      .map(({ name, protocol, port, appProtocol }) => [name ?? '', protocol ?? '', port ?? 0, appProtocol ?? ''])
      .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  );

export const addressTypes = ({ spec }: Service): ('IPv4' | 'IPv6')[] => {
  const families = (spec.ipFamilies ?? []).filter((family) => family === 'IPv4' || family === 'IPv6');
  if (families.length > 0) return families;
  if (spec.clusterIP && spec.clusterIP !== 'None') return [isV6(spec.clusterIP) ? 'IPv6' : 'IPv4'];
  return ['IPv4', 'IPv6'];
};

function portsOf(service: Service, pod: Pod): SlicePort[] {
  return (service.spec.ports ?? []).flatMap((each): SlicePort[] => {
    const port = portOn(pod, each);
    if (port === undefined) return [];
    const { name = '', protocol = 'TCP', appProtocol } = each;
    return [{ name, protocol, port, ...(appProtocol ? { appProtocol } : {}) }];
  });
}

function endpointOf(service: Service, pod: Pod, node: Node | undefined, addresses: string[]): Endpoint {
  const serving = isReady(pod);
  const terminating = pod.metadata.deletionTimestamp !== undefined;
  const ready = service.spec.publishNotReadyAddresses === true || (serving && !terminating);
  const hostname = hostnameIn(service, pod);
  const zone = node?.metadata.labels?.[zoneLabel];
  const { nodeName } = pod.spec;
  const hints = ready ? hintsFor(service.spec.trafficDistribution, zone, nodeName) : undefined;
  return {
    addresses,
    conditions: { ready, serving, terminating },
    ...(hostname ? { hostname } : {}),
    targetRef: referenceTo(pod),
    ...(nodeName ? { nodeName } : {}),
    ...(zone ? { zone } : {}),
    ...(hints ? { hints } : {}),
  };
}

function hintsFor(distribution: string | undefined, zone: string | undefined, node: string | undefined) {
  if (!['PreferClose', 'PreferSameZone', 'PreferSameNode'].includes(distribution ?? '')) return undefined;
  const hints = {
    ...(zone ? { forZones: [{ name: zone }] } : {}),
    ...(node && distribution === 'PreferSameNode' ? { forNodes: [{ name: node }] } : {}),
  };
  return Object.keys(hints).length > 0 ? hints : undefined;
}

/**
 * The desired endpoints of the slices of a Service. Pods on unknown nodes are omitted, unless the Service publishes not-ready addresses.
 */
export function groupsOf(
  service: Service,
  pods: readonly Pod[],
  nodeOf: (name: string) => Node | undefined,
): { groups: EndpointGroup[]; lostPods: boolean } {
  const groups = new Map<string, EndpointGroup>();
  let lostPods = false;
  for (const addressType of addressTypes(service)) {
    for (const pod of pods) {
      if (!isEndpoint(pod, true)) continue;
      const ports = portsOf(service, pod);
      const key = `${addressType} ${portsKey(ports)}`;
      let group = groups.get(key);
      if (!group) groups.set(key, (group = { addressType, ports, endpoints: [] }));
      const node = nodeOf(pod.spec.nodeName ?? '');
      if (!node && !service.spec.publishNotReadyAddresses) {
        lostPods = true;
        continue;
      }
      const addresses = addressesOf(pod).filter((address) => isV6(address) === (addressType === 'IPv6'));
      if (addresses.length > 0) group.endpoints.push(endpointOf(service, pod, node, addresses));
    }
  }
  return { groups: [...groups.values()], lostPods };
}

const reserved = new Set([serviceNameLabel, managedByLabel, headlessLabel]);

/** A slice has the labels of its Service, and names it. */
export function sliceLabels(service: Service): Record<string, string> {
  const own = Object.entries(service.metadata.labels ?? {}).filter(([key]) => !reserved.has(key));
  return {
    ...Object.fromEntries(own),
    ...(hasAddress(service) ? {} : { [headlessLabel]: '' }),
    [serviceNameLabel]: service.metadata.name,
    [managedByLabel]: sliceManager,
  };
}

export const hasLabelsOf = (slice: Slice, service: Service): boolean => {
  const comparable = (labels: Readonly<Record<string, string>> = {}) =>
    JSON.stringify(
      Object.entries(labels)
        .filter(([key]) => !reserved.has(key))
        .sort(),
    );
  return comparable(slice.metadata.labels) === comparable(service.metadata.labels);
};
