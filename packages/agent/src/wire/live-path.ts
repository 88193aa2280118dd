import type { ResourceRequest } from './live-request.ts';

/** Parses a path of the Kubernetes API into a request; undefined if it is not such a path. */
export function requestOf(path: string): Omit<ResourceRequest, 'uuid' | 'method'> | undefined {
  const url = new URL(path, 'http://cluster');
  const parts = url.pathname.split('/').filter(Boolean).map(decodeURIComponent);
  const params = Object.fromEntries(url.searchParams);
  const more = Object.keys(params).length > 0 ? { params } : {};
  if (parts.length === 1 && parts[0] === 'version')
    return { group: '', version: '', resource: '', name: 'version', ...more };
  const grouped = parts[0] === 'apis';
  if (!grouped && parts[0] !== 'api') return undefined;
  const [group, version, ...rest] = grouped ? parts.slice(1) : ['', ...parts.slice(1)];
  if (version === undefined) return undefined;
  const namespaced = rest[0] === 'namespaces' && rest.length > 2;
  const [resource = '', name, ...sub] = namespaced ? rest.slice(2) : rest;
  return {
    group: group ?? '',
    version,
    resource,
    ...(namespaced ? { namespace: rest[1] ?? '' } : {}),
    ...(name === undefined ? {} : { name }),
    ...(sub.length > 0 ? { subresource: sub.join('/') } : {}),
    ...more,
  };
}

/** The path of a request. */
export function pathOf({ group, version, resource, namespace, name, subresource, params }: ResourceRequest): string {
  if (version === '' && name === 'version') return '/version';
  const parts = group ? ['apis', group, version] : ['api', version];
  if (namespace) parts.push('namespaces', namespace);
  if (resource) parts.push(resource);
  if (name) parts.push(name);
  const path = `/${parts.map(encodeURIComponent).join('/')}${subresource ? `/${subresource}` : ''}`;
  const search = new URLSearchParams(params ?? {});
  return search.size > 0 ? `${path}?${search}` : path;
}
