import type { KubeObject } from '@fairlead/apimachinery';
import { hasAddress, headlessLabel, lastChangeTrigger, type Service } from './service.ts';
import { type Subset, truncated } from './subsets.ts';

export interface Endpoints extends KubeObject {
  subsets?: Subset[];
}

export const endpointsManager = 'endpoint-controller';
const managedBy = 'endpoints.kubernetes.io/managed-by';
const overCapacity = 'endpoints.kubernetes.io/over-capacity';

const sorted = (labels: Record<string, string>): string => JSON.stringify(Object.entries(labels).sort());

/** The Endpoints of a Service; undefined if they are up to date. */
export function endpointsFor(
  service: Service,
  desired: readonly Subset[],
  present: Endpoints | undefined,
  trigger: string | undefined,
): Endpoints | undefined {
  const { subsets, cut } = truncated(desired);
  const { [headlessLabel]: _, ...own } = service.metadata.labels ?? {};
  const labels = { ...own, ...(hasAddress(service) ? {} : { [headlessLabel]: '' }), [managedBy]: endpointsManager };
  const { [lastChangeTrigger]: __, [overCapacity]: wasCut, ...kept } = present?.metadata.annotations ?? {};
  const isSame =
    present !== undefined &&
    JSON.stringify(canonical(present.subsets ?? [])) === JSON.stringify(canonical(subsets)) &&
    sorted(present.metadata.labels ?? {}) === sorted(labels) &&
    (wasCut !== undefined) === cut;
  if (isSame) return undefined;
  const annotations = {
    ...kept,
    ...(trigger ? { [lastChangeTrigger]: trigger } : {}),
    ...(cut ? { [overCapacity]: 'truncated' } : {}),
  };
  const { name, namespace = '' } = service.metadata;
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: {
      name,
      namespace,
      ...(present?.metadata.resourceVersion ? { resourceVersion: present.metadata.resourceVersion } : {}),
      labels,
      ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
    },
    ...(subsets.length > 0 ? { subsets } : {}),
  };
}

/** The content of Endpoints, independent of order. */
const canonical = (subsets: readonly Subset[]): unknown[] =>
  subsets.map(({ addresses = [], notReadyAddresses = [], ports = [] }) => [
    addresses.map(addressParts),
    notReadyAddresses.map(addressParts),
    ports.map(({ name = '', port, protocol = 'TCP', appProtocol = '' }) => [name, port, protocol, appProtocol]),
  ]);

const addressParts = ({ ip, hostname, nodeName, targetRef }: NonNullable<Subset['addresses']>[number]) => [
  ip,
  hostname ?? '',
  nodeName ?? '',
  targetRef?.kind,
  targetRef?.namespace,
  targetRef?.name,
  targetRef?.uid,
];
