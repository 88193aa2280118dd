import type { LabelSelector } from '@fairlead/apimachinery';
import { formatSelector, selectorFromObject } from '@fairlead/apimachinery';
import { labelsText, listText, orNone, tableOf } from './columns.ts';

interface Balancer {
  loadBalancer?: { ingress?: { ip?: string; hostname?: string }[] };
}

const balancerText = (status: Balancer | undefined): string =>
  [...new Set((status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ip || hostname || '').filter(Boolean))]
    .sort()
    .join(',');

interface ServiceParts {
  spec?: {
    type?: string;
    clusterIPs?: string[];
    externalIPs?: string[];
    externalName?: string;
    ports?: { port: number; nodePort?: number; protocol?: string }[];
    selector?: Record<string, string>;
  };
  status?: Balancer;
}

function externalIp({ spec = {}, status }: ServiceParts): string {
  const given = spec.externalIPs ?? [];
  switch (spec.type) {
    case 'ClusterIP':
    case 'NodePort':
      return orNone(given.join(','));
    case 'LoadBalancer':
      return [balancerText(status), ...given].filter(Boolean).join(',') || '<pending>';
    case 'ExternalName':
      return spec.externalName ?? '';
    default:
      return '<unknown>';
  }
}

export const services = tableOf<ServiceParts>(
  'Name, Type, Cluster-IP, External-IP, Port(s), Age, Selector*',
  (service) => {
    const { spec = {} } = service;
    const ports = (spec.ports ?? []).map(
      ({ port, nodePort, protocol }) => `${port}${nodePort ? `:${nodePort}` : ''}/${protocol ?? 'TCP'}`,
    );
    return [
      spec.type ?? '',
      orNone(spec.clusterIPs?.[0]),
      externalIp(service),
      orNone(ports.join(',')),
      labelsText(spec.selector),
    ];
  },
);

interface Subset {
  addresses?: { ip: string }[];
  ports?: { port: number }[];
}

export const endpoints = tableOf<{ subsets?: Subset[] }>('Name, Endpoints, Age', ({ subsets = [] }) => {
  const list = subsets.flatMap(({ addresses = [], ports = [] }) =>
    ports.length === 0
      ? addresses.map(({ ip }) => ip)
      : ports.flatMap(({ port }) => addresses.map(({ ip }) => hostPort(ip, port))),
  );
  return [list.length === 0 ? (subsets.length === 0 ? '<none>' : '') : listText(list, 3)];
});

const hostPort = (ip: string, port: number): string => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`);

export const endpointSlices = tableOf<{
  addressType?: string;
  ports?: { port?: number; name?: string }[];
  endpoints?: { addresses?: string[] }[];
}>('Name, AddressType, Ports, Endpoints, Age', ({ addressType = '', ports, endpoints }) => [
  addressType,
  listText(
    (ports ?? []).map(({ port, name }) => String(port ?? name ?? '*')),
    3,
  ),
  listText(
    (endpoints ?? []).flatMap(({ addresses }) => addresses ?? []),
    3,
  ),
]);

export const ingresses = tableOf<{
  spec?: { ingressClassName?: string; rules?: { host?: string }[]; tls?: unknown[] };
  status?: Balancer;
}>('Name, Class, Hosts, Address, Ports, Age', ({ spec = {}, status }) => [
  orNone(spec.ingressClassName),
  hostsText(spec.rules ?? []),
  balancerText(status),
  (spec.tls ?? []).length > 0 ? '80, 443' : '80',
]);

function hostsText(rules: readonly { host?: string }[]): string {
  const shown: string[] = [];
  for (const { host } of rules) {
    // A rule after the third host counts as more, with or without a host.
    if (shown.length === 3) return `${shown.join(',')} + ${rules.length - 3} more...`;
    if (host) shown.push(host);
  }
  return shown.join(',') || '*';
}

export const ingressClasses = tableOf<{
  spec?: { controller?: string; parameters?: { kind: string; name: string; apiGroup?: string } };
}>('Name, Controller, Parameters, Age', ({ spec = {}, metadata }) => {
  const { parameters } = spec;
  const isDefault = metadata.annotations?.['ingressclass.kubernetes.io/is-default-class'] === 'true';
  const kind = parameters && (parameters.apiGroup ? `${parameters.kind}.${parameters.apiGroup}` : parameters.kind);
  return [
    isDefault ? `${metadata.name} (default)` : metadata.name,
    spec.controller ?? '',
    parameters ? `${kind}/${parameters.name}` : '<none>',
  ];
});

export const networkPolicies = tableOf<{ spec?: { podSelector?: LabelSelector } }>(
  'Name, Pod-Selector, Age',
  ({ spec = {} }) => [formatSelector(selectorFromObject(spec.podSelector)) || '<none>'],
);

export const serviceCidrs = tableOf<{ spec?: { cidrs?: string[] } }>('Name, CIDRs, Age', ({ spec }) => [
  (spec?.cidrs ?? []).join(','),
]);

export const ipAddresses = tableOf<{
  spec?: { parentRef?: { group?: string; resource?: string; namespace?: string; name?: string } };
}>('Name, ParentRef', ({ spec = {} }) => {
  const { parentRef } = spec;
  if (!parentRef) return ['<none>'];
  const { group, resource = '', namespace, name = '' } = parentRef;
  const kind = (group ? `${resource}.${group}` : resource).toLowerCase();
  return [[kind, ...(namespace ? [namespace] : []), name].join('/')];
});
