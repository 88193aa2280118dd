import type { ResourceType } from '@fairlead/apimachinery';

export interface ResourceAddress {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/** The path of a resource, as `/apis/apps/v1/namespaces/shop/deployments/web/scale`. Without a name: the collection. */
export function resourcePath(type: ResourceType, address: ResourceAddress = {}): string {
  const parts = type.group === '' ? ['api', type.version] : ['apis', type.group, type.version];
  if (type.namespaced && address.namespace) parts.push('namespaces', address.namespace);
  parts.push(type.plural);
  if (address.name !== undefined) parts.push(address.name);
  const path = parts.map(encodeURIComponent).join('/');
  return address.subresource ? `/${path}/${address.subresource}` : `/${path}`;
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export function withQuery(path: string, query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? path : `${path}?${search}`;
}
