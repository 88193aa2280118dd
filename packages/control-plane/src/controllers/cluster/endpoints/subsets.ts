import { isReady, type Pod } from '../objects.ts';
import { addressesOf, hostnameIn, isEndpoint, portOn, referenceTo } from './pod-endpoint.ts';
import { isV6, type ObjectReference, type Service } from './service.ts';

export interface EndpointAddress {
  ip: string;
  hostname?: string;
  nodeName?: string;
  targetRef?: ObjectReference;
}

export interface SubsetPort {
  name?: string;
  port: number;
  protocol?: string;
  appProtocol?: string;
}

export interface Subset {
  addresses?: EndpointAddress[];
  notReadyAddresses?: EndpointAddress[];
  ports?: SubsetPort[];
}

interface Offer {
  readonly address: EndpointAddress;
  readonly port: SubsetPort | undefined;
  readonly ready: boolean;
}

/** The subsets of the Endpoints of a Service: addresses with the same ports. */
export function subsetsOf(service: Service, pods: readonly Pod[]): Subset[] {
  const { ports = [], publishNotReadyAddresses = false, clusterIP, ipFamilies } = service.spec;
  const wantsV6 = ipFamilies?.[0] ? ipFamilies[0] === 'IPv6' : isV6(clusterIP ?? '');
  const offers: Offer[] = [];
  for (const pod of pods) {
    if (!isEndpoint(pod, publishNotReadyAddresses)) continue;
    const ip = addressesOf(pod).find((address) => isV6(address) === wantsV6);
    if (!ip) continue;
    const hostname = hostnameIn(service, pod);
    const address: EndpointAddress = {
      ip,
      ...(hostname ? { hostname } : {}),
      nodeName: pod.spec.nodeName ?? '',
      targetRef: referenceTo(pod),
    };
    const ready = publishNotReadyAddresses || isReady(pod);
    if (ports.length === 0 && clusterIP === 'None') offers.push({ address, port: undefined, ready });
    for (const each of ports) {
      const port = portOn(pod, each);
      if (port === undefined) continue;
      const { name, protocol = 'TCP', appProtocol } = each;
      offers.push({
        address,
        ready,
        port: { ...(name ? { name } : {}), port, protocol, ...(appProtocol ? { appProtocol } : {}) },
      });
    }
  }
  return packed(offers);
}

/** The same endpoints in canonical form. */
export function repacked(subsets: readonly Subset[]): Subset[] {
  return packed(
    subsets.flatMap(({ addresses = [], notReadyAddresses = [], ports = [] }) =>
      (ports.length > 0 ? ports : [undefined]).flatMap((port) => [
        ...addresses.map((address) => ({ address, port, ready: true })),
        ...notReadyAddresses.map((address) => ({ address, port, ready: false })),
      ]),
    ),
  );
}

const addressKey = ({ ip, targetRef }: EndpointAddress): string => `${ip} ${targetRef?.uid ?? ''}`;
const byKey = (a: EndpointAddress, b: EndpointAddress): number => (addressKey(a) < addressKey(b) ? -1 : 1);

function packed(offers: readonly Offer[]): Subset[] {
  const byPort = new Map<string, { port: SubsetPort | undefined; addresses: Map<string, Offer> }>();
  for (const offer of offers) {
    const key = JSON.stringify(offer.port ?? null);
    let group = byPort.get(key);
    if (!group) byPort.set(key, (group = { port: offer.port, addresses: new Map() }));
    // Not ready in one subset means not ready.
    const known = group.addresses.get(addressKey(offer.address));
    if (!known || known.ready) group.addresses.set(addressKey(offer.address), offer);
  }
  const byAddresses = new Map<string, { ports: SubsetPort[]; offers: Offer[] }>();
  for (const { port, addresses } of byPort.values()) {
    const members = [...addresses.values()].sort((a, b) => byKey(a.address, b.address));
    const key = members.map(({ address, ready }) => `${addressKey(address)} ${ready}`).join('|');
    let group = byAddresses.get(key);
    if (!group) byAddresses.set(key, (group = { ports: [], offers: members }));
    if (port) group.ports.push(port);
  }
  return [...byAddresses.values()].map(subset).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

function subset({ ports, offers }: { ports: SubsetPort[]; offers: Offer[] }): Subset {
  const addresses = offers.filter(({ ready }) => ready).map(({ address }) => address);
  const notReadyAddresses = offers.filter(({ ready }) => !ready).map(({ address }) => address);
  return {
    ...(addresses.length > 0 ? { addresses } : {}),
    ...(notReadyAddresses.length > 0 ? { notReadyAddresses } : {}),
    ...(ports.length > 0 ? { ports: ports.sort((a, b) => a.port - b.port) } : {}),
  };
}

/** The maximum number of addresses of an Endpoints object; ready ones are kept first. */
const mostAddresses = 1_000;

export function truncated(subsets: readonly Subset[]): { subsets: Subset[]; cut: boolean } {
  const count = (list: 'addresses' | 'notReadyAddresses') =>
    subsets.reduce((sum, each) => sum + (each[list]?.length ?? 0), 0);
  let ready = mostAddresses;
  let notReady = Math.max(0, mostAddresses - count('addresses'));
  if (count('addresses') + count('notReadyAddresses') <= mostAddresses) return { subsets: [...subsets], cut: false };
  const kept = subsets.map((each) => {
    const addresses = (each.addresses ?? []).slice(0, ready);
    const notReadyAddresses = (each.notReadyAddresses ?? []).slice(0, notReady);
    ready -= addresses.length;
    notReady -= notReadyAddresses.length;
    return {
      ...(addresses.length > 0 ? { addresses } : {}),
      ...(notReadyAddresses.length > 0 ? { notReadyAddresses } : {}),
      ...(each.ports ? { ports: each.ports } : {}),
    };
  });
  return { subsets: kept.filter(({ addresses, notReadyAddresses }) => addresses ?? notReadyAddresses), cut: true };
}
