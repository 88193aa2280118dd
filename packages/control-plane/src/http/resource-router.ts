import { type Authorizer, forbiddenError, type ServiceAccountTokens } from '../access/index.ts';
import { refuse } from '../errors.ts';
import { writeOptions } from '../requests/options.ts';
import type { ResourceRequest } from '../requests/request-info.ts';
import type { Draft, Resource, ReviewResource } from '../resource.ts';
import { type Api, ruleContext, type WriteRequest } from '../verbs/api.ts';
import { bookFields } from '../verbs/book-fields.ts';
import type { Exchange } from './exchange.ts';
import {
  create,
  decodeDraft,
  get,
  list,
  managerOf,
  patch,
  type Route,
  remove,
  removeCollection,
  replace,
} from './resource-routes.ts';
import { SharedWatches } from './shared-watches.ts';
import { type SubresourceParts, serveSubresource } from './subresource-routes.ts';

export interface RouterParts extends SubresourceParts {
  readonly api: Api;
  readonly authorize: Authorizer;
  readonly tokens: ServiceAccountTokens;
  readonly closing: AbortSignal;
}

/** Resolves a path and calls the verb. */
export function createResourceRouter(parts: RouterParts) {
  const { api } = parts;
  const watches = new SharedWatches(api);
  return async (exchange: Exchange, request: ResourceRequest): Promise<void> => {
    const { group, version, plural } = request;
    const review = api.registry.review(group, version, plural);
    if (review) return answerReview(parts, exchange, request, review);
    const resource = api.registry.resource(group, version, plural);
    if (!resource || (request.namespace !== '' && !resource.namespaced)) {
      if (!api.registry.isBuiltinGroup(group)) return exchange.sendPlain(404, '404 page not found\n');
      throw refuse.noSuchResource();
    }
    if (resource.deprecationWarning) exchange.warn(resource.deprecationWarning);
    const route: Route = {
      api,
      exchange,
      resource,
      request,
      closing: parts.closing,
      watches,
      require: (verb) => requireVerb(parts, exchange, request, verb),
    };
    try {
      if (request.subresource !== '') await serveSubresource(route, parts);
      else await serve(route, exchange.request.method ?? 'GET', resource, request);
    } catch (error) {
      if (exchange.request.method !== 'GET') await settled(api);
      throw error;
    }
  };
}

/**
 * A write is refused because of others that may still be written to disk: a conflict, an object that exists already or no longer. Its
 * client reads again at once, and must find them.
 */
const settled = ({ storage }: Api): Promise<void> => storage.published(storage.headRevision).catch(() => {});

function requireVerb(parts: RouterParts, exchange: Exchange, request: ResourceRequest, verb: string): void {
  const { group, plural, namespace, name, subresource } = request;
  const attributes = { verb, group, resource: plural, namespace, name, subresource };
  const decision = parts.authorize(exchange.user, attributes);
  if (!decision.allowed) throw forbiddenError(exchange.user, attributes, decision.reason);
}

async function serve(route: Route, method: string, resource: Resource, request: ResourceRequest): Promise<void> {
  const named = request.name !== '';
  const placed = !resource.namespaced || request.namespace !== '';
  const verbs = resource.verbs;
  switch (method) {
    case 'GET':
      if (request.legacyWatch || (!named && verbs.includes('list'))) return list(route);
      if (!named || !placed) throw named ? refuse.noSuchResource() : refuse.methodNotAllowed();
      return get(route);
    case 'POST':
      if (named || !placed || !verbs.includes('create')) throw refuse.methodNotAllowed();
      return create(route);
    case 'PUT':
      if (!named || !placed || !verbs.includes('update')) throw refuse.methodNotAllowed();
      return replace(route);
    case 'PATCH':
      if (!named || !placed || !verbs.includes('patch')) throw refuse.methodNotAllowed();
      return patch(route);
    case 'DELETE':
      if (named) {
        if (!placed || !verbs.includes('delete')) throw refuse.methodNotAllowed();
        return remove(route);
      }
      if (!placed || !verbs.includes('deletecollection')) throw refuse.methodNotAllowed();
      return removeCollection(route);
    default:
      throw refuse.methodNotAllowed();
  }
}

/** A review is answered in the response to its own create. */
async function answerReview(
  parts: RouterParts,
  exchange: Exchange,
  request: ResourceRequest,
  review: ReviewResource,
): Promise<void> {
  if (request.name !== '') throw refuse.noSuchResource();
  if (exchange.request.method !== 'POST') throw refuse.methodNotAllowed();
  if (review.namespaced !== (request.namespace !== '')) throw refuse.noSuchResource();
  const options = writeOptions('CreateOptions', exchange.query);
  const apiVersion = `${review.group}/${review.version}`;
  const route = { api: parts.api, exchange, request, closing: parts.closing } as Route;
  const draft: Draft = await decodeDraft(route, review.schema, { kind: review.kind, apiVersion }, options);
  draft.kind = review.kind;
  draft.apiVersion = apiVersion;
  const write: WriteRequest = {
    resource: review as unknown as Resource,
    namespace: request.namespace,
    name: '',
    subresource: '',
    user: exchange.user,
    manager: managerOf(exchange, options),
    dryRun: options.dryRun,
    warn: (message) => exchange.warn(message),
  };
  bookFields(parts.api, write, undefined, draft);
  const context = ruleContext(parts.api, write, 'create');
  exchange.send(201, review.create(draft, { ...context, namespace: request.namespace }));
}
