import { ApiError } from '@fairlead/apimachinery';
import {
  type Attributes,
  type Authenticator,
  type Authorizer,
  actingUser,
  forbiddenError,
  type PeerCertificate,
  type RequestHeaders,
} from '../access/index.ts';
import { refuse } from '../errors.ts';
import { parsePath, type ResourceRequest, verbOf } from '../requests/request-info.ts';
import { Exchange } from './exchange.ts';
import type { Incoming, Outgoing } from './wire.ts';

export interface HandlerParts {
  readonly authenticate: Authenticator;
  readonly authorize: Authorizer;
  /** Health, version, discovery, OpenAPI. Returns false for any other path. */
  serveMeta(exchange: Exchange): Promise<boolean> | boolean;
  serveResource(exchange: Exchange, request: ResourceRequest): Promise<void>;
  /** Delays a request if many have arrived at once. */
  admit?(user: string, namespace: string): Promise<void> | undefined;
  /** Faults of the API itself: waits, or throws the error for the client. */
  disturb?(request: ResourceRequest): Promise<void> | undefined;
}

/** From a request to its response: authentication, routing, authorization, execution. Every error becomes a Status. */
export function createHandler(parts: HandlerParts) {
  return async (request: Incoming, response: Outgoing, peer?: PeerCertificate): Promise<void> => {
    const exchange = new Exchange(request, response);
    try {
      const info = parsePath(exchange.path);
      const attributes = attributesOf(exchange, info.kind === 'resource' ? info : undefined);
      const headers = identityHeaders(request);
      const requestor = parts.authenticate(headers, peer);
      if (requestor instanceof ApiError) throw requestor;
      exchange.user = actingUser(parts.authorize, requestor, headers, attributes);
      const decision = parts.authorize(exchange.user, attributes);
      if (!decision.allowed) throw forbiddenError(exchange.user, attributes, decision.reason);
      if (info.kind === 'resource') {
        const turn = parts.admit?.(exchange.user.name, info.namespace);
        if (turn) {
          await turn;
          // Its client has disconnected while it waited.
          if (request.socket.destroyed) return;
        }
        const disturbance = parts.disturb?.(info);
        if (disturbance) await disturbance;
        await parts.serveResource(exchange, info);
      } else if (!(await parts.serveMeta(exchange))) {
        if (info.path.startsWith('/api/')) throw refuse.noSuchResource();
        exchange.sendPlain(404, '404 page not found\n');
      }
    } catch (error) {
      exchange.fail(error);
    }
  };
}

/** Collects all headers only for impersonation, which is rare, since collecting them is not cheap. */
function identityHeaders({ headers, rawHeaders }: Incoming): RequestHeaders {
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (/^impersonate-/i.test(rawHeaders[at]!)) return distinct(rawHeaders);
  }
  const { authorization } = headers;
  return authorization === undefined ? {} : { authorization: [authorization] };
}

function distinct(rawHeaders: readonly string[]): RequestHeaders {
  const all: Record<string, string[]> = Object.create(null);
  for (let at = 0; at < rawHeaders.length; at += 2)
    (all[rawHeaders[at]!.toLowerCase()] ??= []).push(rawHeaders[at + 1]!);
  return all;
}

const pathVerbs: Readonly<Record<string, string>> = {
  GET: 'get',
  HEAD: 'head',
  POST: 'post',
  PUT: 'put',
  PATCH: 'patch',
  DELETE: 'delete',
};

function attributesOf(exchange: Exchange, info: ResourceRequest | undefined): Attributes {
  const method = exchange.request.method ?? 'GET';
  if (!info) return { verb: pathVerbs[method] ?? method.toLowerCase(), path: exchange.path };
  const watch = exchange.query.get('watch');
  const watching = watch !== null && !['', '0', 'false'].includes(watch.toLowerCase());
  return {
    verb: verbOf(method, info, watching),
    group: info.group,
    resource: info.plural,
    subresource: info.subresource,
    namespace: info.plural === 'namespaces' && info.group === '' ? info.name : info.namespace,
    name: info.name,
  };
}
