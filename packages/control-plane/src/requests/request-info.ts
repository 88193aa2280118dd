/** The target of a path, before anything is resolved. */
export type RequestInfo = { readonly kind: 'non-resource'; readonly path: string } | ResourceRequest;

export interface ResourceRequest {
  readonly kind: 'resource';
  readonly path: string;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly plural: string;
  readonly name: string;
  readonly subresource: string;
  /** The rest of the path after the subresource (`proxy/…`). */
  readonly rest: readonly string[];
  /** The old form of a watch: `/api/v1/watch/…`. */
  readonly legacyWatch: boolean;
}

const namespaceSubresources = new Set(['status', 'finalize']);

/** `/api/v1/namespaces/NS/pods/NAME/log` and similar. A path with malformed escapes does not exist. */
export function parsePath(path: string): RequestInfo {
  let parts: string[];
  try {
    parts = path.split('/').filter(Boolean).map(decodeURIComponent);
  } catch {
    return { kind: 'non-resource', path };
  }
  const isCore = parts[0] === 'api';
  if (!isCore && parts[0] !== 'apis') return { kind: 'non-resource', path };
  const group = isCore ? '' : (parts[1] ?? '');
  const version = parts[isCore ? 1 : 2] ?? '';
  let rest = parts.slice(isCore ? 2 : 3);
  if (rest.length === 0) return { kind: 'non-resource', path };
  const legacyWatch = rest[0] === 'watch' && rest.length > 1;
  if (legacyWatch) rest = rest.slice(1);

  let namespace = '';
  if (rest[0] === 'namespaces' && rest.length > 2 && !namespaceSubresources.has(rest[2]!)) {
    namespace = rest[1]!;
    rest = rest.slice(2);
  }
  const [plural = '', name = '', subresource = '', ...more] = rest;
  return { kind: 'resource', path, group, version, namespace, plural, name, subresource, rest: more, legacyWatch };
}

/** The verb for authorization rules. */
export function verbOf(method: string, request: ResourceRequest, watching: boolean): string {
  switch (method) {
    case 'GET':
    case 'HEAD':
      if (request.legacyWatch || (watching && request.name === '')) return 'watch';
      return request.name === '' ? 'list' : 'get';
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return request.name === '' ? 'deletecollection' : 'delete';
    default:
      return method.toLowerCase();
  }
}
