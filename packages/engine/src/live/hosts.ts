import {
  at,
  isJsonObject,
  isQuantity,
  type JsonObject,
  type KubeObject,
  milliValue,
  type Pod,
  podRequests,
  stringsAt,
} from '@fairlead/apimachinery';
import type { InfoItem, NodeInfo } from './node-info.ts';

/** What is kept of a Node: what a tree shows of the host of a pod. */
export interface Host {
  readonly capacity: Readonly<Record<string, string>>;
  readonly systemInfo: JsonObject;
  readonly labels: Readonly<Record<string, string>>;
}

/** A Node that pods of an Application run on; the fields are those of Argo CD's HostInfo, amounts in thousandths. */
export interface HostInfo {
  readonly name: string;
  readonly resourcesInfo: readonly {
    readonly resourceName: string;
    readonly requestedByApp: number;
    readonly requestedByNeighbors: number;
    readonly capacity: number;
  }[];
  readonly systemInfo: JsonObject;
  readonly labels: Readonly<Record<string, string>>;
}

/** Resources of a host that are shown, by the names that pods request them by. */
const shown = ['cpu', 'memory', 'storage'] as const;

/** Undefined for an object of any other kind. */
export function hostOf(object: KubeObject): Host | undefined {
  if (object.kind !== 'Node' || object.apiVersion !== 'v1') return undefined;
  const systemInfo = at(object, 'status', 'nodeInfo');
  return {
    capacity: stringsAt(object, 'status', 'capacity'),
    systemInfo: isJsonObject(systemInfo) ? systemInfo : {},
    labels: object.metadata.labels ?? {},
  };
}

/** What a pod requests, in thousandths. One that has finished requests nothing. */
export function requestsOfPod(pod: Pod): InfoItem[] {
  const phase = at(pod, 'status', 'phase');
  if (phase === 'Succeeded' || phase === 'Failed') return [];
  const requests = podRequests(pod.spec ?? {});
  return (['cpu', 'memory'] as const).map((name) => ({ name, value: String(amount(requests[name])) }));
}

const amount = (quantity: string | undefined): number =>
  quantity !== undefined && isQuantity(quantity) ? milliValue(quantity) : 0;

export interface KnownPod extends Pick<NodeInfo, 'info'> {
  readonly uid: string;
}

/** The hosts of the pods with these uids, by name. */
export function hostsOf(
  own: ReadonlySet<string>,
  pods: Iterable<KnownPod>,
  hostNamed: (name: string) => Host | undefined,
  labels: readonly string[] = [],
): HostInfo[] {
  const requested = new Map<string, { byApp: Map<string, number>; byNeighbors: Map<string, number>; isOwn: boolean }>();
  for (const { uid, info = [] } of pods) {
    const node = info.find(({ name }) => name === 'Node')?.value ?? '';
    if (node === '') continue;
    const at = requested.get(node) ?? { byApp: new Map(), byNeighbors: new Map(), isOwn: false };
    requested.set(node, at);
    const isOwn = own.has(uid);
    at.isOwn ||= isOwn;
    const sums = isOwn ? at.byApp : at.byNeighbors;
    for (const { name, value } of info) {
      if (name === 'cpu' || name === 'memory') sums.set(name, (sums.get(name) ?? 0) + Number(value));
    }
  }
  return [...requested]
    .filter(([, { isOwn }]) => isOwn)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, { byApp, byNeighbors }]): HostInfo[] => {
      const host = hostNamed(name);
      if (!host) return [];
      const resourcesInfo = shown.flatMap((resourceName) => {
        const capacity = amount(host.capacity[resourceName]);
        const [requestedByApp, requestedByNeighbors] = [
          byApp.get(resourceName) ?? 0,
          byNeighbors.get(resourceName) ?? 0,
        ];
        return capacity > 0 ? [{ resourceName, requestedByApp, requestedByNeighbors, capacity }] : [];
      });
      const some = Object.entries(host.labels).filter(([label]) => labels.includes(label));
      return [{ name, resourcesInfo, systemInfo: host.systemInfo, labels: Object.fromEntries(some) }];
    });
}
