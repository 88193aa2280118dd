import type { Json, KubeObject } from '@fairlead/apimachinery';
import { knownAnnotations } from '@fairlead/engine';

const linkPrefix = knownAnnotations.link.name;
const none: readonly string[] = [];

/** The URLs of an object: links in its annotations, and the hosts of an Ingress. */
export function linksOf(object: KubeObject): readonly string[] {
  const { annotations } = object.metadata;
  const isIngress = object.kind === 'Ingress' && /^(?:networking\.k8s\.io|extensions)\//u.test(object.apiVersion);
  if (!annotations && !isIngress) return none;
  const links: string[] = [];
  for (const [name, value] of Object.entries(annotations ?? {})) {
    if (name.startsWith(linkPrefix) && isWebAddress(value.slice(value.indexOf('|') + 1))) links.push(value);
  }
  if (isIngress && annotations?.[knownAnnotations.ignoreDefaultLinks.name] !== 'true')
    links.push(...ingressUrls(object as unknown as Ingress));
  return links;
}

/** A URL that a page may link to, without schemes that a browser would execute. */
function isWebAddress(text: string): boolean {
  try {
    return /^(?:https?|mailto):$/u.test(new URL(text.trim()).protocol);
  } catch {
    return false;
  }
}

interface Ingress {
  readonly spec?: {
    readonly tls?: readonly { readonly hosts?: readonly string[]; readonly secretName?: string }[];
    readonly rules?: readonly {
      readonly host?: string;
      readonly http?: { readonly paths?: readonly { readonly path?: string }[] };
    }[];
  };
  readonly status?: { readonly loadBalancer?: { readonly ingress?: readonly Record<string, Json>[] } };
}

function ingressUrls({ spec, status }: Ingress): string[] {
  const [balancer] = status?.loadBalancer?.ingress ?? [];
  const reached = String(balancer?.['hostname'] ?? balancer?.['ip'] ?? '');
  const tls = spec?.tls ?? [];
  return (spec?.rules ?? []).flatMap(({ host = '', http }) => {
    const name = host || reached;
    if (name === '') return [];
    const secure = tls.some(({ hosts = [], secretName }) => hosts.includes(name) || secretName);
    return (http?.paths ?? []).map(
      ({ path = '' }) => `${secure ? 'https' : 'http'}://${name}${path.replace(/\*$/u, '')}`,
    );
  });
}
