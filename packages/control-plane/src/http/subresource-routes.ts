import { apiVersionOf, copyJson, type JsonObject, type KubeObject, schemaOf } from '@fairlead/apimachinery';
import { requestToken, type ServiceAccountTokens } from '../access/index.ts';
import { refuse } from '../errors.ts';
import { writeOptions } from '../requests/options.ts';
import type { Draft } from '../resource.ts';
import { ruleContext } from '../verbs/api.ts';
import { bindPod } from '../verbs/bind-pod.ts';
import { requireSameIdentity } from '../verbs/create.ts';
import { evictPod } from '../verbs/evict-pod.ts';
import { patchTypeOf } from '../verbs/patch.ts';
import { patchScale, readScale, replaceScale } from '../verbs/scale.ts';
import { updateObject } from '../verbs/update.ts';
import { readBody } from './body.ts';
import { type PodLog, readLog, refuseStream } from './pod-streams.ts';
import { presentObject } from './present.ts';
import {
  answerWritten,
  decodeDraft,
  get,
  patch,
  presenterOf,
  type Route,
  replace,
  storedText,
  writeRequest,
} from './resource-routes.ts';

export interface SubresourceParts {
  readonly tokens: ServiceAccountTokens;
  readonly audiences: readonly string[];
  /** The text of the log of a container, from the nodes of the control plane. */
  podLog?: PodLog;
}

type Serve = (route: Route, parts: SubresourceParts) => Promise<void> | void;

const whole: Readonly<Record<string, Serve>> = { GET: get, PUT: replace, PATCH: patch };

/** A Scale never has owner references. */
function withoutManagers(object: Draft): Draft {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

const scale: Readonly<Record<string, Serve>> = {
  GET: (route) => {
    const { request, resource } = route;
    const object = JSON.parse(storedText(route, request.namespace, request.name)) as KubeObject;
    route.exchange.send(200, presentObject(presenterOf(route), withoutManagers(readScale(resource, object))));
  },
  async PUT(route) {
    const options = writeOptions('UpdateOptions', route.exchange.query);
    const draft = await decodeDraft(
      route,
      schema('autoscaling', 'v1', 'Scale'),
      { kind: 'Scale', apiVersion: 'autoscaling/v1' },
      options,
    );
    await answerWritten(route, replaceScale(route.api, writeRequest(route, options), draft));
  },
  async PATCH(route) {
    const type = patchTypeOf(route.exchange.request.headers['content-type'], route.resource);
    const options = writeOptions('PatchOptions', route.exchange.query, type === 'apply');
    const body = (await readBody(route.exchange.request)).toString();
    await answerWritten(route, patchScale(route.api, writeRequest(route, options), type, body, options));
  },
};

/** By resource, then subresource, then method. A subresource that is in the catalogue but not here is a clear 501. */
const special: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, Serve>>>>>> = {
  'core/pods': {
    binding: { POST: bind },
    eviction: { POST: evict },
    log: { GET: (route, { podLog }) => readLog(route, podLog) },
    exec: { GET: refuseStream, POST: refuseStream },
    attach: { GET: refuseStream, POST: refuseStream },
    portforward: { GET: refuseStream, POST: refuseStream },
    ephemeralcontainers: whole,
    resize: whole,
  },
  'core/namespaces': { finalize: { PUT: finalize } },
  'core/serviceaccounts': { token: { POST: token } },
  'certificates.k8s.io/certificatesigningrequests': { approval: whole },
};

/** Serves a subresource of a named object. */
export async function serveSubresource(route: Route, parts: SubresourceParts): Promise<void> {
  const { resource, request, exchange } = route;
  const method = exchange.request.method === 'HEAD' ? 'GET' : (exchange.request.method ?? 'GET');
  const table = tableOf(route);
  if (!table) {
    if (!resource.subresources?.some(({ name }) => name === request.subresource)) {
      throw resource.custom ? refuse.notFound(resource, request.name) : refuse.noSuchResource();
    }
    throw refuse.notSupported(`${resource.plural}/${request.subresource}`);
  }
  const serve = table[method];
  if (!serve) throw refuse.methodNotAllowed();
  await serve(route, parts);
}

function tableOf({ resource, request }: Route): Readonly<Record<string, Serve>> | undefined {
  if (request.subresource === 'status') return resource.hasStatus ? whole : undefined;
  if (request.subresource === 'scale') return resource.scale ? scale : undefined;
  return special[resource.storage]?.[request.subresource];
}

const schema = (group: string, version: string, kind: string) => schemaOf(group, version, kind)!;

async function bind(route: Route): Promise<void> {
  const options = writeOptions('CreateOptions', route.exchange.query);
  const draft = await decodeDraft(route, schema('', 'v1', 'Binding'), { kind: 'Binding', apiVersion: 'v1' }, options);
  const { durable } = bindPod(route.api, writeRequest(route, options), draft);
  await durable;
  route.exchange.send(201, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 });
}

async function evict(route: Route): Promise<void> {
  const options = writeOptions('CreateOptions', route.exchange.query);
  const draft = await decodeDraft(
    route,
    schema('policy', 'v1', 'Eviction'),
    { kind: 'Eviction', apiVersion: 'policy/v1' },
    options,
  );
  await evictPod(route.api, writeRequest(route, options), draft);
  route.exchange.send(201, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 });
}

/** Only `spec.finalizers` is used; after the last one, a terminating namespace is removed. */
async function finalize(route: Route): Promise<void> {
  const { resource } = route;
  const options = writeOptions('UpdateOptions', route.exchange.query);
  const draft = await decodeDraft(
    route,
    resource.schema,
    { kind: resource.kind, apiVersion: apiVersionOf(resource) },
    options,
  );
  const request = writeRequest(route, options);
  requireSameIdentity(request, draft);
  const written = updateObject(route.api, request, {
    replaces: true,
    transform(old) {
      const next = copyJson(old);
      const finalizers = (draft['spec'] as { finalizers?: string[] } | undefined)?.finalizers ?? [];
      const spec = { ...((next['spec'] as JsonObject | undefined) ?? {}) };
      if (finalizers.length > 0) spec['finalizers'] = finalizers;
      else delete spec['finalizers'];
      next['spec'] = spec;
      for (const field of ['resourceVersion', 'uid'] as const) {
        if (draft.metadata[field]) next.metadata[field] = draft.metadata[field];
      }
      return next;
    },
  });
  await answerWritten(route, written);
}

async function token(route: Route, parts: SubresourceParts): Promise<void> {
  const { request } = route;
  const options = writeOptions('CreateOptions', route.exchange.query);
  const kind = { kind: 'TokenRequest', apiVersion: 'authentication.k8s.io/v1' };
  const draft = await decodeDraft(route, schema('authentication.k8s.io', 'v1', 'TokenRequest'), kind, options);
  const context = ruleContext(route.api, writeRequest(route, options), 'create');
  route.exchange.send(201, requestToken(parts.tokens, parts.audiences, request, draft, context));
}
