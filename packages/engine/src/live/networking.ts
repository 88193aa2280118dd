import { at, isJsonObject, type Json, type KubeObject, listAt, numberAt, textAt } from '@fairlead/apimachinery';
import { knownAnnotations } from '../annotations.ts';
import { groupOf } from '../resource-id.ts';

export interface Address {
  readonly hostname?: string;
  readonly ip?: string;
}

export interface NetworkingRef {
  readonly group?: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** Networking information of an object: targets and ingress, as far as the object contains it. */
export interface NetworkingInfo {
  readonly targetLabels?: Readonly<Record<string, string>>;
  readonly targetRefs?: readonly NetworkingRef[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly ingress?: readonly Address[];
  readonly externalURLs?: readonly string[];
}

const linkPrefix = knownAnnotations.link.name;

export function networkingOf(object: KubeObject): NetworkingInfo | undefined {
  const found = byKind(object);
  const links = linksOf(object);
  if (!found) return links.length > 0 ? { externalURLs: links } : undefined;
  const urls = [...new Set([...links, ...(found.externalURLs ?? [])])];
  const { externalURLs: _, ...rest } = found;
  return urls.length > 0 ? { ...rest, externalURLs: urls } : rest;
}

function byKind(object: KubeObject): NetworkingInfo | undefined {
  switch (`${groupOf(object.apiVersion)}/${object.kind}`) {
    case '/Pod':
      return object.metadata.labels ? { labels: object.metadata.labels } : {};
    case '/Service':
      return serviceNetworking(object);
    case 'networking.k8s.io/Ingress':
    case 'extensions/Ingress':
      return ingressNetworking(object);
    case 'networking.istio.io/VirtualService':
      return { targetRefs: unique(virtualServiceTargets(object)) };
    case 'networking.istio.io/ServiceEntry': {
      const labels = textMap(at(object, 'spec', 'workloadSelector', 'labels'));
      return labels && { targetLabels: labels, targetRefs: [{ kind: 'Pod' }] };
    }
    case 'gateway.networking.k8s.io/Gateway':
      return gatewayNetworking(object);
    default:
      return /^gateway\.networking\.k8s\.io\/v/u.test(object.apiVersion) &&
        /^(?:HTTP|GRPC|TCP|TLS|UDP)Route$/u.test(object.kind)
        ? { targetRefs: unique(routeTargets(object)) }
        : undefined;
  }
}

/** Links become URLs on a page: only schemes that open a page. */
const isLink = (url: string): boolean => /^https?:\/\//iu.test(url);

const linksOf = ({ metadata: { annotations = {} } }: KubeObject): string[] =>
  Object.entries(annotations)
    .filter(([name, value]) => name.startsWith(linkPrefix) && isLink(value.slice(value.indexOf('|') + 1)))
    .map(([, value]) => value);

const hasOwnLinksOnly = ({ metadata: { annotations = {} } }: KubeObject): boolean =>
  annotations[knownAnnotations.ignoreDefaultLinks.name] === 'true';

const textMap = (value: Json | undefined): Record<string, string> | undefined =>
  isJsonObject(value) ? (value as Record<string, string>) : undefined;

const addresses = (items: readonly Json[]): Address[] =>
  items.flatMap((item): Address[] => {
    const [hostname, ip] = [textAt(item, 'hostname'), textAt(item, 'ip')];
    return hostname !== '' ? [{ hostname }] : ip !== '' ? [{ ip }] : [];
  });

function serviceNetworking(service: KubeObject): NetworkingInfo {
  const targetLabels = textMap(at(service, 'spec', 'selector'));
  const balanced = textAt(service, 'spec', 'type') === 'LoadBalancer';
  return {
    ...(targetLabels ? { targetLabels } : {}),
    ...(balanced ? { ingress: addresses(listAt(service, 'status', 'loadBalancer', 'ingress')) } : {}),
  };
}

function ingressNetworking(ingress: KubeObject): NetworkingInfo {
  const incoming = addresses(listAt(ingress, 'status', 'loadBalancer', 'ingress'));
  const { namespace = '' } = ingress.metadata;
  const services: NetworkingRef[] = [];
  const target = (backend: Json | undefined): void => {
    const name = textAt(backend, 'service', 'name') || textAt(backend, 'serviceName');
    if (name !== '') services.push({ kind: 'Service', namespace, name });
  };
  target(at(ingress, 'spec', 'backend') ?? at(ingress, 'spec', 'defaultBackend'));
  const scheme = listAt(ingress, 'spec', 'tls').length > 0 ? 'https' : 'http';
  const urls: string[] = [];
  for (const rule of listAt(ingress, 'spec', 'rules')) {
    const host = textAt(rule, 'host') || incoming.map(({ hostname, ip }) => hostname ?? ip ?? '').find(Boolean) || '';
    for (const path of listAt(rule, 'http', 'paths')) {
      target(at(path, 'backend'));
      if (host !== '') urls.push(`${scheme}://${host}${textAt(path, 'path').replace(/\*$/u, '')}`);
    }
  }
  return {
    targetRefs: unique(services),
    ...(incoming.length > 0 ? { ingress: incoming } : {}),
    ...(hasOwnLinksOnly(ingress) ? {} : { externalURLs: urls }),
  };
}

function gatewayNetworking(gateway: KubeObject): NetworkingInfo {
  const incoming = listAt(gateway, 'status', 'addresses').flatMap((address): Address[] => {
    const [type, value] = [textAt(address, 'type'), textAt(address, 'value')];
    if (value === '') return [];
    return type === 'Hostname' ? [{ hostname: value }] : type === 'IPAddress' || type === '' ? [{ ip: value }] : [];
  });
  const urls = listAt(gateway, 'spec', 'listeners').flatMap((listener) => {
    const scheme = /^(?:HTTPS|TLS)$/u.test(textAt(listener, 'protocol')) ? 'https' : 'http';
    const port = numberAt(listener, 'port');
    const name = textAt(listener, 'hostname');
    const hosts = name !== '' && name !== '*' ? [name] : incoming.map(({ hostname, ip }) => hostname ?? ip ?? '');
    const suffix = port === (scheme === 'http' ? 80 : 443) ? '' : `:${port}`;
    return hosts.map((host) => `${scheme}://${host}${suffix}`);
  });
  return {
    ...(incoming.length > 0 ? { ingress: incoming } : {}),
    ...(hasOwnLinksOnly(gateway) ? {} : { externalURLs: urls }),
  };
}

function virtualServiceTargets(object: KubeObject): NetworkingRef[] {
  return listAt(object, 'spec', 'http').flatMap((rule) =>
    listAt(rule, 'route').flatMap((route) => {
      const [name, namespace = object.metadata.namespace ?? ''] = textAt(route, 'destination', 'host').split('.');
      return name ? [{ kind: 'Service', namespace, name }] : [];
    }),
  );
}

function routeTargets(route: KubeObject): NetworkingRef[] {
  const own = route.metadata.namespace ?? '';
  const ref = (item: Json, group: string, kind: string): NetworkingRef[] => {
    const name = textAt(item, 'name');
    if (name === '') return [];
    const inGroup = textAt(item, 'group') || group;
    return [
      {
        ...(inGroup === '' ? {} : { group: inGroup }),
        kind: textAt(item, 'kind') || kind,
        namespace: textAt(item, 'namespace') || own,
        name,
      },
    ];
  };
  return [
    ...listAt(route, 'spec', 'parentRefs').flatMap((item) => ref(item, 'gateway.networking.k8s.io', 'Gateway')),
    ...listAt(route, 'spec', 'rules').flatMap((rule) =>
      listAt(rule, 'backendRefs').flatMap((item) => ref(item, '', 'Service')),
    ),
  ];
}

const unique = (refs: readonly NetworkingRef[]): NetworkingRef[] => [
  ...new Map(refs.map((ref) => [JSON.stringify([ref.group, ref.kind, ref.namespace, ref.name]), ref])).values(),
];
