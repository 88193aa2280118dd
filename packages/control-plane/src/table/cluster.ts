import type { Condition } from '@fairlead/apimachinery';
import { since } from './age.ts';
import { orNone, tableOf } from './columns.ts';

export const namespaces = tableOf<{ status?: { phase?: string } }>('Name, Status, Age', ({ status }) => [
  status?.phase ?? '',
]);

interface NodeParts {
  spec?: { unschedulable?: boolean };
  status?: {
    conditions?: Condition[];
    addresses?: { type: string; address: string }[];
    nodeInfo?: Partial<
      Record<'kubeletVersion' | 'osImage' | 'kernelVersion' | 'containerRuntimeVersion' | 'architecture', string>
    >;
  };
}

const rolePrefix = 'node-role.kubernetes.io/';

function rolesOf(labels: Readonly<Record<string, string>> = {}): string {
  const roles = new Set<string>();
  for (const [key, value] of Object.entries(labels)) {
    if (key.startsWith(rolePrefix) && key.length > rolePrefix.length) roles.add(key.slice(rolePrefix.length));
    else if (key === 'kubernetes.io/role' && value) roles.add(value);
  }
  return orNone([...roles].sort().join(','));
}

export const nodes = tableOf<NodeParts>(
  'Name, Status, Roles, Age, Version, Internal-IP*, External-IP*, OS-Image*, Kernel-Version*, Container-Runtime*',
  ({ spec = {}, status = {}, metadata }) => {
    const ready = status.conditions?.find(({ type }) => type === 'Ready');
    const state = ready ? (ready.status === 'True' ? 'Ready' : 'NotReady') : 'Unknown';
    const info = status.nodeInfo ?? {};
    const address = (type: string) => orNone(status.addresses?.find((entry) => entry.type === type)?.address);
    return [
      spec.unschedulable ? `${state},SchedulingDisabled` : state,
      rolesOf(metadata.labels),
      info.kubeletVersion ?? '',
      address('InternalIP'),
      address('ExternalIP'),
      info.osImage || '<unknown>',
      `${info.kernelVersion || '<unknown>'}${info.architecture ? ` (${info.architecture})` : ''}`,
      info.containerRuntimeVersion || '<unknown>',
    ];
  },
);

export const configMaps = tableOf<{ data?: object; binaryData?: object }>('Name, Data, Age', ({ data, binaryData }) => [
  Object.keys(data ?? {}).length + Object.keys(binaryData ?? {}).length,
]);

export const secrets = tableOf<{ type?: string; data?: object }>('Name, Type, Data, Age', ({ type, data }) => [
  type ?? '',
  Object.keys(data ?? {}).length,
]);

export const nameAndAge = tableOf<object>('Name, Age', () => []);

interface EventParts {
  type?: string;
  reason?: string;
  message?: string;
  count?: number;
  firstTimestamp?: string | null;
  lastTimestamp?: string | null;
  eventTime?: string | null;
  series?: { count?: number; lastObservedTime?: string };
  involvedObject?: { kind?: string; name?: string; fieldPath?: string };
  source?: { component?: string; host?: string };
  reportingComponent?: string;
  reportingInstance?: string;
}

function sourceText({ source = {}, reportingComponent = '', reportingInstance = '' }: EventParts): string {
  const instance = source.host || reportingInstance;
  return `${source.component || reportingComponent}${instance ? `, ${instance}` : ''}`;
}

/** Events have their time first; their name is last and only in wide output. */
export const events = tableOf<EventParts>(
  'Last Seen, Type, Reason, Object, Subobject*, Source*, Message, First Seen*, Count*, Name*',
  (event, now) => {
    const first = event.firstTimestamp ? since(event.firstTimestamp, now) : since(event.eventTime, now);
    const last = event.series?.lastObservedTime
      ? since(event.series.lastObservedTime, now)
      : event.lastTimestamp
        ? since(event.lastTimestamp, now)
        : first;
    const { kind = '', name } = event.involvedObject ?? {};
    return [
      last,
      event.type ?? '',
      event.reason ?? '',
      name ? `${kind.toLowerCase()}/${name}` : kind.toLowerCase(),
      event.involvedObject?.fieldPath ?? '',
      sourceText(event),
      (event.message ?? '').trim(),
      first,
      event.series?.count ?? (event.count || 1),
      event.metadata.name,
    ];
  },
);

export const leases = tableOf<{ spec?: { holderIdentity?: string } }>('Name, Holder, Age', ({ spec }) => [
  spec?.holderIdentity ?? '',
]);

export const priorityClasses = tableOf<{ value?: number; globalDefault?: boolean; preemptionPolicy?: string }>(
  'Name, Value:integer, Global-Default:boolean, Age, PreemptionPolicy',
  ({ value, globalDefault, preemptionPolicy }) => [value ?? 0, globalDefault ?? false, preemptionPolicy ?? ''],
);

export const runtimeClasses = tableOf<{ handler?: string }>('Name, Handler, Age', ({ handler }) => [handler ?? '']);

export const resourceQuotas = tableOf<{ status?: { hard?: Record<string, string>; used?: Record<string, string> } }>(
  'Name, Request, Limit, Age',
  ({ status = {} }) => {
    const text = (limits: boolean) =>
      Object.keys(status.hard ?? {})
        .filter((name) => name.startsWith('limits.') === limits)
        .sort()
        .map((name) => `${name}: ${status.used?.[name] ?? '0'}/${status.hard?.[name]}`)
        .join(', ');
    return [text(false), text(true)];
  },
);

export const flowSchemas = tableOf<{
  spec?: {
    priorityLevelConfiguration?: { name?: string };
    matchingPrecedence?: number;
    distinguisherMethod?: { type?: string };
  };
  status?: { conditions?: Condition[] };
}>('Name, PriorityLevel, MatchingPrecedence, DistinguisherMethod, Age, MissingPL', ({ spec = {}, status }) => [
  spec.priorityLevelConfiguration?.name ?? '',
  spec.matchingPrecedence ?? 0,
  orNone(spec.distinguisherMethod?.type),
  status?.conditions?.find(({ type }) => type === 'Dangling')?.status ?? '?',
]);

export const priorityLevels = tableOf<{
  spec?: {
    type?: string;
    limited?: {
      nominalConcurrencyShares?: number;
      limitResponse?: { queuing?: { queues?: number; handSize?: number; queueLengthLimit?: number } };
    };
  };
}>('Name, Type, NominalConcurrencyShares, Queues, HandSize, QueueLengthLimit, Age', ({ spec = {} }) => {
  const queuing = spec.limited?.limitResponse?.queuing;
  return [
    spec.type ?? '',
    spec.limited?.nominalConcurrencyShares ?? '<none>',
    queuing?.queues ?? '<none>',
    queuing?.handSize ?? '<none>',
    queuing?.queueLengthLimit ?? '<none>',
  ];
});

export const componentStatuses = tableOf<{
  conditions?: (Condition & { message?: string; error?: string })[];
}>('Name, Status, Message, Error', ({ conditions = [] }) => {
  const healthy = conditions.find(({ type }) => type === 'Healthy');
  const status = healthy ? (healthy.status === 'True' ? 'Healthy' : 'Unhealthy') : 'Unknown';
  return [status, healthy?.message ?? '', healthy?.error ?? ''];
});
