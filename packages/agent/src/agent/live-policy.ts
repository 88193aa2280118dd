import { requestOf } from '../wire/live-path.ts';

/** What live access through the agent permits: each level includes those before it. */
export const liveLevels = ['none', 'read', 'write', 'exec'] as const;
export type LiveLevel = (typeof liveLevels)[number];

/** The requests that live access through the agent permits. */
export interface LivePolicy {
  readonly level: LiveLevel;
  /** Resources that are never shown. */
  readonly hidden: readonly string[];
}

/** Read only, and without Secrets. */
export const readOnly: LivePolicy = { level: 'read', hidden: ['secrets'] };

/** Subresources that run commands or open connections in the cluster. */
const opening: ReadonlySet<string> = new Set(['exec', 'attach', 'portforward', 'proxy']);

/** Old forms of paths that contain another path, and credentials that the API server issues. */
const contained: ReadonlySet<string> = new Set(['watch', 'proxy']);
const issuesToken = (resource: string, subresource: string): boolean =>
  resource === 'serviceaccounts' && subresource === 'token';

/** A request as the policy sees it. */
export interface LiveAsked {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
}

/** Why a request is not permitted; undefined if it is. */
export function refusalOf({ level, hidden }: LivePolicy, { method, path }: LiveAsked): string | undefined {
  const allows = (needed: LiveLevel): boolean => liveLevels.indexOf(level) >= liveLevels.indexOf(needed);
  const start = (needed: LiveLevel): string => `start the agent with --live-access ${needed} to allow it`;
  if (!allows('read')) return `this agent does not permit live access: ${start('read')}`;
  const parsed = isPlainPath(path) ? requestOf(path) : undefined;
  if (!parsed)
    return isDiscovery(method, path) ? undefined : `${path.slice(0, 200)} is not a path of the Kubernetes API`;
  const { resource, subresource = '' } = parsed;
  if (contained.has(resource) || issuesToken(resource, subresource))
    return `live access through an agent does not support ${[resource, subresource].filter(Boolean).join('/')}`;
  if (hidden.includes(resource)) return `the policy of this agent does not allow reading ${resource}`;
  const [verb = ''] = subresource.split('/');
  if (opening.has(verb)) {
    if (verb !== 'exec' || resource !== 'pods') return `live access through an agent does not support ${verb}`;
    return allows('exec') ? undefined : `the policy of this agent does not allow exec: ${start('exec')}`;
  }
  if (method === 'GET' || allows('write')) return undefined;
  return `the policy of this agent does not allow ${method}: ${start('write')}`;
}

/** Escapes and dot segments could name something else to the API server than to the policy. */
const isPlainPath = (path: string): boolean => {
  const [plain = ''] = path.split('?');
  return !/%2f|%2e|%5c|\\|\/\/|\/\.{1,2}(?:\/|$)/iu.test(plain) && canDecode(plain);
};

function canDecode(text: string): boolean {
  try {
    return decodeURIComponent(text) !== '';
  } catch {
    return false;
  }
}

const isDiscovery = (method: string, path: string): boolean =>
  method === 'GET' &&
  /^\/(?:api|apis|version|openapi\/v[23](?:\/[\w./-]*)?)\/?(?:\?.*)?$/u.test(path) &&
  isPlainPath(path);
