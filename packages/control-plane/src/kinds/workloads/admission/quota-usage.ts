import {
  formatQuantity,
  isHugePages,
  isNative,
  isPodLevel,
  type KubeObject,
  podLimits,
  podRequests,
  quantityValue,
} from '@fairlead/apimachinery';
import type { PersistentVolumeClaimFields, PodFields, ServiceFields } from '@fairlead/apimachinery/fields';
import type { CompletePod } from '../pod/pod.ts';
import { qosClass } from '../pod/qos.ts';
import { affinityTerms } from '../pod-spec/leniency.ts';
import type { Container, PodSpec, ResourceList } from '../pod-spec/types.ts';
import { isExtended } from '../resources/names.ts';
import { isWhole } from '../resources/resource-list.ts';
import type { Counted } from './resource-quota.ts';

export interface Scope {
  scopeName?: string;
  operator?: string;
  values?: string[];
}

/** How one kind of object is counted. */
export interface Measure {
  handles(draft: KubeObject, old: KubeObject | undefined, subresource: string): boolean;
  counts(name: string): boolean;
  inScope(object: KubeObject, scope: Scope): boolean;
  /** The requests and limits that an object must have to be counted. */
  missing(object: KubeObject, names: readonly string[]): string | undefined;
  usage(object: KubeObject, now: number): ResourceList;
}

const uncounted = new Set(['bindings', 'componentstatuses', 'events', 'events.events.k8s.io']);
const oldNames = ['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets'];

export function measureFor({ group, plural }: Counted): Measure | undefined {
  const qualified = group === '' ? plural : `${plural}.${group}`;
  if (uncounted.has(qualified)) return undefined;
  if (qualified === 'pods') return pods;
  if (qualified === 'services') return services;
  if (qualified === 'persistentvolumeclaims') return claims;
  return byCount([`count/${qualified}`, ...(oldNames.includes(qualified) ? [qualified] : [])]);
}

function byCount(names: readonly string[]): Measure {
  const usage = Object.fromEntries(names.map((name) => [name, '1']));
  return {
    handles: (_draft, old, subresource) => !old && subresource === '',
    counts: (name) => names.includes(name),
    inScope: () => false,
    missing: () => undefined,
    usage: () => usage,
  };
}

const podNames = [
  'cpu',
  'memory',
  'ephemeral-storage',
  ...['cpu', 'memory', 'ephemeral-storage'].flatMap((name) => [`requests.${name}`, `limits.${name}`]),
  'pods',
  'count/pods',
];
/** With a quota for these, every container must specify them. */
const mustBeAsked = ['cpu', 'memory', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory'];

const isTerminating = (spec: PodSpec): boolean => (spec.activeDeadlineSeconds ?? -1) >= 0;
const asPod = (pod: PodFields): CompletePod => ({ ...pod, spec: pod.spec ?? {}, status: pod.status ?? {} });

const pods: Measure = {
  handles(draft, old, subresource) {
    if (subresource === 'resize') return old !== undefined;
    if (subresource !== '') return false;
    return !old || isTerminating(asPod(draft).spec) !== isTerminating(asPod(old).spec);
  },
  counts: (name) =>
    podNames.includes(name) ||
    isHugePages(name) ||
    name.startsWith('requests.hugepages-') ||
    (name.startsWith('requests.') &&
      (!isNative(name) || name.startsWith('requests.deviceclass.resource.kubernetes.io/'))),
  inScope: (object, scope) => podInScope(asPod(object), scope),
  missing: (object, names) => notAsked(asPod(object).spec, names),
  usage: (object, now) => podUsage(asPod(object), now),
};

function podInScope({ spec, status }: CompletePod, scope: Scope): boolean {
  const bestEffort = () => (status?.qosClass ?? qosClass(spec)) === 'BestEffort';
  switch (scope.scopeName) {
    case 'Terminating':
      return isTerminating(spec);
    case 'NotTerminating':
      return !isTerminating(spec);
    case 'BestEffort':
      return bestEffort();
    case 'NotBestEffort':
      return !bestEffort();
    case 'PriorityClass':
      return named(spec.priorityClassName, scope);
    case 'CrossNamespacePodAffinity':
      return affinityTerms(spec).some((term) => term.namespaces?.length || term.namespaceSelector);
    default:
      return false;
  }
}

function named(name: string | undefined, { operator, values = [] }: Scope): boolean {
  if (operator === 'Exists') return !!name;
  if (operator === 'DoesNotExist') return !name;
  if (operator === 'In') return !!name && values.includes(name);
  return operator === 'NotIn' && !values.includes(name ?? '');
}

function notAsked(spec: PodSpec, names: readonly string[]): string | undefined {
  const whole = { ...spec.resources?.requests, ...spec.resources?.limits };
  if (Object.keys(whole).some(isPodLevel)) return undefined;
  const lacking = (name: string) => (container: Container) => {
    const part = name.startsWith('limits.') ? 'limits' : 'requests';
    const resource = name.slice(name.indexOf('.') + 1);
    return container.resources?.[part]?.[resource] === undefined;
  };
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  const parts = names
    .filter((name) => mustBeAsked.includes(name))
    .sort()
    .flatMap((name) => {
      const without = containers.filter(lacking(name)).map((each) => each.name ?? '');
      return without.length > 0 ? [`${name} for: ${[...new Set(without)].sort().join(',')}`] : [];
    });
  return parts.length > 0 ? `must specify ${parts.join('; ')}` : undefined;
}

/** A finished pod counts as an object only, and so does one whose grace period has long passed. */
function podUsage({ metadata, spec, status }: CompletePod, now: number): ResourceList {
  const usage: ResourceList = { 'count/pods': '1' };
  if (status?.phase === 'Failed' || status?.phase === 'Succeeded') return usage;
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata;
  if (deletionTimestamp && deletionGracePeriodSeconds !== undefined) {
    if (now > Date.parse(deletionTimestamp) + deletionGracePeriodSeconds * 1000) return usage;
  }
  usage['pods'] = '1';
  for (const [name, amount] of Object.entries(podRequests(spec))) {
    if (!isExtended(name)) usage[name] = amount;
    usage[`requests.${name}`] = amount;
  }
  for (const [name, amount] of Object.entries(podLimits(spec))) usage[`limits.${name}`] = amount;
  return usage;
}

const services: Measure = {
  ...byCount([]),
  handles: (_draft, _old, subresource) => subresource === '',
  counts: (name) => ['count/services', 'services', 'services.nodeports', 'services.loadbalancers'].includes(name),
  usage({ spec = {} }: ServiceFields) {
    const { type, ports = [], allocateLoadBalancerNodePorts: allocates } = spec;
    const balanced = type === 'LoadBalancer';
    const explicit = ports.filter((port) => port.nodePort).length;
    const nodePorts = type === 'NodePort' || (balanced && allocates !== false) ? ports.length : balanced ? explicit : 0;
    return {
      'count/services': '1',
      services: '1',
      'services.nodeports': String(nodePorts),
      'services.loadbalancers': balanced ? '1' : '0',
    };
  },
};

const claimNames = ['persistentvolumeclaims', 'requests.storage'];
const ofClass = '.storageclass.storage.k8s.io/';

const claims: Measure = {
  ...byCount([]),
  handles: (_draft, _old, subresource) => subresource === '',
  counts: (name) =>
    name === 'count/persistentvolumeclaims' ||
    claimNames.some((each) => name === each || name.endsWith(`${ofClass}${each}`)),
  inScope({ spec = {} }: PersistentVolumeClaimFields, scope) {
    return scope.scopeName === 'VolumeAttributesClass' && named(spec.volumeAttributesClassName, scope);
  },
  usage({ metadata, spec = {} }: PersistentVolumeClaimFields) {
    const storageClass = metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? spec.storageClassName;
    const asked = spec.resources?.requests?.['storage'];
    const storage =
      asked === undefined || isWhole(asked) ? asked : formatQuantity(BigInt(quantityValue(asked)), 0, 'decimal');
    const usage: ResourceList = { persistentvolumeclaims: '1', 'count/persistentvolumeclaims': '1' };
    if (storage !== undefined) usage['requests.storage'] = storage;
    if (!storageClass) return usage;
    for (const name of claimNames) {
      const amount = usage[name];
      if (amount !== undefined) usage[`${storageClass}${ofClass}${name}`] = amount;
    }
    return usage;
  },
};
