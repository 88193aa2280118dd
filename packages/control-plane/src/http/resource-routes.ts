import {
  apiVersionOf,
  decodeProtobuf,
  type ExpectedKind,
  type JsonObject,
  type KubeObject,
  messageOf,
  parseFieldSelector,
  parseLabelSelector,
  protobufType,
} from '@fairlead/apimachinery';
import { decodeBody } from '../decode/index.ts';
import { refuse } from '../errors.ts';
import {
  type DeleteOptionsIn,
  deleteOptions,
  listOptions,
  type WriteOptionsIn,
  writeOptions,
} from '../requests/options.ts';
import type { ResourceRequest } from '../requests/request-info.ts';
import type { Draft, Resource } from '../resource.ts';
import { scales } from '../table/workloads.ts';
import { type Api, textOf, type WriteRequest, type Written } from '../verbs/api.ts';
import { createObject, requireSameIdentity } from '../verbs/create.ts';
import { type Deleted, deleteObject } from '../verbs/delete.ts';
import { type ListRequest, listObjects, parseRevision } from '../verbs/list.ts';
import { patchObject, patchTypeOf } from '../verbs/patch.ts';
import { updateObject } from '../verbs/update.ts';
import { readBody } from './body.ts';
import type { Exchange } from './exchange.ts';
import { includeObjectOf, type Presenter, presentObject, presentPage, presentStored } from './present.ts';
import type { SharedWatches } from './shared-watches.ts';
import { streamWatch } from './watch-stream.ts';

/** The verbs of one served resource over HTTP: parses options, decodes the body, calls the verb, writes the response. */
export interface Route {
  readonly api: Api;
  readonly exchange: Exchange;
  readonly resource: Resource;
  readonly request: ResourceRequest;
  readonly closing: AbortSignal;
  readonly watches: SharedWatches;
  /** Throws unless the user is also allowed to do this: for an update that turns out to be a create. */
  require(verb: string): void;
}

const minimumWatchMs = 1_800_000;

export function presenterOf(route: Route): Presenter {
  const { resource, request } = route;
  return {
    representation: route.exchange.representation,
    resource: request.subresource === 'scale' ? { ...resource, table: scales } : resource,
    include: includeObjectOf(route.exchange.query),
    now: route.api.clock.now(),
  };
}

export function writeRequest(route: Route, options: Pick<WriteOptionsIn, 'dryRun' | 'fieldManager'>): WriteRequest {
  const { exchange, resource, request } = route;
  return {
    resource,
    namespace: resource.namespaced ? request.namespace : '',
    name: request.name,
    subresource: request.subresource,
    user: exchange.user,
    manager: managerOf(exchange, options),
    dryRun: options.dryRun,
    warn: (message) => exchange.warn(message),
    mayCreate: () => route.require('create'),
  };
}

export const managerOf = (exchange: Exchange, { fieldManager }: Pick<WriteOptionsIn, 'fieldManager'>): string =>
  fieldManager || defaultManager(exchange.request.headers['user-agent']);

/** The default field manager of a real server: the first word of the user agent. */
const defaultManager = (userAgent: string | undefined): string =>
  Buffer.from((userAgent ?? '').split('/')[0]!.replace(/[^\x20-\x7e]/g, ''))
    .subarray(0, 128)
    .toString() || 'unknown';

export async function answerWritten(route: Route, written: Written): Promise<void> {
  await written.durable;
  const presenter = presenterOf(route);
  const code = written.created ? 201 : 200;
  if (written.text !== undefined && !presenter.representation.as) route.exchange.sendText(code, written.text);
  else route.exchange.send(code, presentObject(presenter, written.object));
}

export async function decodeDraft(
  route: Route,
  schema: Resource['schema'],
  expected: { readonly kind: string; readonly apiVersion: string; readonly custom?: boolean },
  options: Pick<WriteOptionsIn, 'fieldValidation'>,
): Promise<Draft> {
  const { exchange } = route;
  const { body, contentType } = await readObject(exchange, expected);
  const { draft, warnings } = decodeBody(body, contentType, schema, {
    fieldValidation: options.fieldValidation,
    kind: expected.kind,
    apiVersion: expected.apiVersion,
    ...(expected.custom ? { custom: true } : {}),
  });
  for (const warning of warnings) exchange.warn(warning);
  return draft;
}

/** The body as text; protobuf is converted to JSON. */
async function readObject(
  exchange: Exchange,
  expected: ExpectedKind,
): Promise<{ body: Buffer | string; contentType: string }> {
  const body = await readBody(exchange.request);
  const contentType = exchange.request.headers['content-type'] ?? '';
  if (!contentType.startsWith(protobufType)) return { body, contentType };
  return { body: JSON.stringify(decodeProtobuf(body, expected)), contentType: 'application/json' };
}

const bodyOf = (resource: Resource) => ({
  kind: resource.kind,
  apiVersion: apiVersionOf(resource),
  ...(resource.custom ? { custom: true } : {}),
});

export async function create(route: Route): Promise<void> {
  const { resource, exchange } = route;
  const options = writeOptions('CreateOptions', exchange.query);
  presenterOf(route);
  const draft = await decodeDraft(route, resource.schema, bodyOf(resource), options);
  await answerWritten(route, createObject(route.api, writeRequest(route, options), draft));
}

export async function replace(route: Route): Promise<void> {
  const { resource, exchange } = route;
  const options = writeOptions('UpdateOptions', exchange.query);
  presenterOf(route);
  const draft = await decodeDraft(route, resource.schema, bodyOf(resource), options);
  const request = writeRequest(route, options);
  requireSameIdentity(request, draft);
  const written = updateObject(route.api, request, {
    transform: () => draft,
    replaces: true,
    ...(resource.createOnUpdate ? { create: () => draft } : {}),
  });
  await answerWritten(route, written);
}

export async function patch(route: Route): Promise<void> {
  const { exchange, resource } = route;
  const type = patchTypeOf(exchange.request.headers['content-type'], resource);
  const options = writeOptions('PatchOptions', exchange.query, type === 'apply');
  presenterOf(route);
  const body = await readBody(exchange.request);
  await answerWritten(route, patchObject(route.api, writeRequest(route, options), type, body.toString(), options));
}

export function get(route: Route): void {
  const { api, exchange, resource, request } = route;
  const presenter = presenterOf(route);
  const asked = parseRevision(exchange.query.get('resourceVersion') ?? '');
  if (asked !== undefined && asked > api.storage.revision) throw refuse.tooLargeRevision(asked, api.storage.revision);
  const stored = api.storage.get(resource.storage, resource.namespaced ? request.namespace : '', request.name);
  if (!stored) throw refuse.notFound(resource, request.name);
  exchange.sendText(200, presentStored(presenter, stored));
}

export async function list(route: Route): Promise<void> {
  const { api, exchange, resource, request } = route;
  const options = listOptions(exchange.query, request.legacyWatch);
  const presenter = presenterOf(route);
  const fieldText = request.legacyWatch && request.name ? `metadata.name=${request.name}` : options.fieldSelector;
  const selection = {
    resource,
    namespace: request.namespace,
    labels: parseLabelSelector(options.labelSelector),
    fields: parseFieldSelector(fieldText, resource),
    resourceVersion: options.resourceVersion,
  };
  if (!options.watch) {
    const page = listObjects(api, {
      ...selection,
      limit: options.limit,
      continue: options.continue,
      resourceVersionMatch: options.resourceVersionMatch,
    } satisfies ListRequest);
    return exchange.sendText(200, presentPage(presenter, page));
  }
  parseRevision(options.resourceVersion);
  exchange.head('application/json');
  const timeoutMs = options.timeoutSeconds ? options.timeoutSeconds * 1000 : minimumWatchMs * (1 + api.random());
  await streamWatch(
    api,
    { ...selection, sendInitialEvents: options.sendInitialEvents, bookmarks: options.allowWatchBookmarks },
    presenter,
    exchange.response,
    { timeoutMs, signal: route.closing, watches: route.watches },
  );
}

export async function remove(route: Route): Promise<void> {
  const { exchange } = route;
  const options = await readDeleteOptions(exchange);
  const request = writeRequest(route, { dryRun: options.dryRun, fieldManager: '' });
  await answerDeleted(route, deleteObject(route.api, request, options), options.reportsStarted);
}

export async function answerDeleted(route: Route, deleted: Deleted, reportsStarted = false): Promise<void> {
  await deleted.durable;
  const { answer } = deleted;
  if (answer.kind === 'Status') route.exchange.send(200, answer as JsonObject & KubeObject);
  else
    route.exchange.send(
      reportsStarted && deleted.started ? 202 : 200,
      presentObject(presenterOf(route), answer as Draft),
    );
}

export async function removeCollection(route: Route): Promise<void> {
  const { api, exchange, resource, request } = route;
  const list = listOptions(withoutWatch(exchange.query), false);
  const options = await readDeleteOptions(exchange);
  const page = listObjects(api, {
    resource,
    namespace: request.namespace,
    labels: parseLabelSelector(list.labelSelector),
    fields: parseFieldSelector(list.fieldSelector, resource),
    limit: list.limit,
    continue: list.continue,
    resourceVersion: list.resourceVersion,
    resourceVersionMatch: list.resourceVersionMatch,
  });
  const waits: Promise<void>[] = [];
  for (const stored of page.items) {
    const one = {
      ...writeRequest(route, { dryRun: options.dryRun, fieldManager: '' }),
      namespace: stored.namespace,
      name: stored.name,
    };
    if (!api.storage.head(resource.storage, stored.namespace, stored.name)) continue;
    waits.push(deleteObject(api, one, options).durable);
  }
  await Promise.all(waits);
  exchange.sendText(200, presentPage(presenterOf(route), page));
}

function withoutWatch(query: URLSearchParams): URLSearchParams {
  const copy = new URLSearchParams(query);
  copy.delete('watch');
  return copy;
}

async function readDeleteOptions(exchange: Exchange): Promise<DeleteOptionsIn> {
  const { body } = await readObject(exchange, { apiVersion: 'v1', kind: 'DeleteOptions' });
  const text = body.toString();
  return deleteOptions(exchange.query, text === '' ? undefined : parseDeleteBody(text));
}

function parseDeleteBody(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const detail =
      text.trim() === '{' || /end of JSON/.test(String(error)) ? 'unexpected end of JSON input' : messageOf(error);
    throw refuse.badRequest(`couldn't get version/kind; json parse error: ${detail}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refuse.badRequest("couldn't get version/kind; json parse error: the options of a delete are an object");
  }
  const options = value as Record<string, unknown>;
  if (options['kind'] !== undefined && options['kind'] !== 'DeleteOptions') {
    throw refuse.badRequest(
      `no kind ${JSON.stringify(options['kind'])} is registered for version ${JSON.stringify(options['apiVersion'] ?? '')} in scheme "k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:27"`,
    );
  }
  return options;
}

export const storedText = (route: Route, namespace: string, name: string): string => {
  const stored = route.api.storage.get(route.resource.storage, namespace, name);
  if (!stored) throw refuse.notFound(route.resource, name);
  return textOf(route.resource, stored);
};
