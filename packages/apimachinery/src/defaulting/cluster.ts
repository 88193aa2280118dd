import type {
  EndpointPort,
  LimitRangeFields,
  LimitRangeItem,
  NodeFields,
  PriorityClassFields,
} from '../fields/cluster.ts';
import type { ResourceList } from '../fields/pod-spec.ts';
import type { Namespace, Secret } from '../kinds/core.ts';
import type { KubeObject } from '../meta/object.ts';
import { roundUpToMilli } from '../resources/resource-list.ts';

const nameLabel = 'kubernetes.io/metadata.name';

export function labelNamespaceWithName({ metadata }: KubeObject): void {
  if (metadata.name) metadata.labels = { ...metadata.labels, [nameLabel]: metadata.name };
}

export function defaultNamespace(namespace: Namespace): void {
  labelNamespaceWithName(namespace);
  (namespace.status ??= {}).phase ||= 'Active';
}

/** `stringData` is write-only: a server merges it into `data`. */
export function defaultSecret(secret: Secret): void {
  for (const [key, value] of Object.entries(secret.stringData ?? {})) {
    secret.data = { ...secret.data, [key]: Buffer.from(value).toString('base64') };
  }
  delete secret.stringData;
  secret.type ||= 'Opaque';
}

export function defaultNode(node: NodeFields): void {
  alignPodCidrs((node.spec ??= {}));
  const status = (node.status ??= {});
  if (!status.allocatable && status.capacity) status.allocatable = { ...status.capacity };
  roundUpToMilli(status.capacity);
  roundUpToMilli(status.allocatable);
}

/** `podCIDR` is the first of `podCIDRs`; a client may set either. */
function alignPodCidrs(spec: NonNullable<NodeFields['spec']>): void {
  const [first] = spec.podCIDRs ?? [];
  if (spec.podCIDR) {
    if (spec.podCIDR !== first) spec.podCIDRs = [spec.podCIDR];
  } else if (first !== undefined) spec.podCIDR = first;
}

interface EndpointsFields extends KubeObject {
  subsets?: { ports?: EndpointPort[] }[];
}

export function defaultEndpoints({ subsets = [] }: EndpointsFields): void {
  for (const { ports = [] } of subsets) for (const port of ports) port.protocol ||= 'TCP';
}

const amounts = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;

export function defaultLimitRange({ spec }: LimitRangeFields): void {
  for (const item of spec?.limits ?? []) {
    defaultLimits(item);
    for (const list of amounts) roundUpToMilli(item[list]);
  }
}

/** Limits default to the maximum, requests to the limit or else to the minimum. */
function defaultLimits(item: LimitRangeItem): void {
  if (item.type !== 'Container') return;
  const limits = { ...item.max, ...item.default };
  const requests = { ...item.min, ...limits, ...item.defaultRequest };
  if (Object.keys(limits).length > 0) item.default = limits;
  if (Object.keys(requests).length > 0) item.defaultRequest = requests;
}

interface ResourceQuotaFields extends KubeObject {
  spec?: { hard?: ResourceList };
  status?: { hard?: ResourceList; used?: ResourceList };
}

export function defaultResourceQuota({ spec, status }: ResourceQuotaFields): void {
  for (const list of [spec?.hard, status?.hard, status?.used]) roundUpToMilli(list);
}

export function defaultPriorityClass(priorityClass: PriorityClassFields): void {
  priorityClass.preemptionPolicy ??= 'PreemptLowerPriority';
}
