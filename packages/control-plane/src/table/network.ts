import { formatSelector, selectorFromObject } from '../selectors/label-selector.ts';
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
  const hosts = rules.map(({ host }) => host ?? '').filter(Boolean);
  if (hosts.length === 0) return '*';
  const shown = hosts.slice(0, 3).join(',');
  return hosts.length > 3 ? `${shown} + ${rules.length - 3} more...` : shown;
}

export const ingressClasses = tableOf<{
  spec?: { controller?: string; parameters?: { kind: string; name: string; apiGroup?: string } };
}>('Name, Controller, Parameters, Age', ({ spec = {} }) => {
  const { parameters } = spec;
  const kind = parameters && (parameters.apiGroup ? `${parameters.kind}.${parameters.apiGroup}` : parameters.kind);
  return [spec.controller ?? '', parameters ? `${kind}/${parameters.name}` : '<none>'];
});

export const networkPolicies = tableOf<{ spec?: { podSelector?: Parameters<typeof selectorFromObject>[0] } }>(
  'Name, Pod-Selector, Age',
  ({ spec = {} }) => [formatSelector(selectorFromObject(spec.podSelector)) || '<none>'],
);
