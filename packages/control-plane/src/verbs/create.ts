import { apiVersionOf, copyJson, fieldError, formatTime, type Json } from '@fairlead/apimachinery';
import { refuse } from '../errors.ts';
import { dropRepeatedOwners } from '../metadata/owners.ts';
import { validateNew } from '../metadata/validate.ts';
import type { Draft, Resource } from '../resource.ts';
import { type Api, ordered, ruleContext, type WriteRequest, type Written } from './api.ts';
import { bookFields } from './book-fields.ts';
import { refuseDeadNamespace } from './namespace-lifecycle.ts';

/** Stores a new object. The draft is already decoded; everything from defaults to the commit is synchronous. */
export function createObject(
  api: Api,
  request: WriteRequest,
  draft: Draft,
  options: { managedFieldsDone?: boolean } = {},
): Written {
  const { resource } = request;
  const context = ruleContext(api, request, 'create');
  draft.apiVersion = apiVersionOf(resource);
  draft.kind = resource.kind;
  resource.rules.default?.(draft);
  takeIdentity(api, request, draft);
  refuseDeadNamespace(api, request, draft.metadata.name);
  dropRepeatedOwners(draft.metadata, request);
  if (!options.managedFieldsDone) bookFields(api, request, undefined, draft);
  resource.rules.prepareCreate?.(draft, context);
  resource.rules.admit?.(draft, undefined, context);
  const errors = validateNew(draft, resource, resource.rules.validate?.(draft, context) ?? []);
  if (errors.length > 0) throw refuse.invalid(resource, draft.metadata.name ?? '', errors);
  resource.rules.defaultAfterCreate?.(draft);
  for (const warning of resource.rules.warnings?.(draft, undefined) ?? []) request.warn(warning);
  resource.rules.verify?.(draft, undefined, context);
  return commitNew(api, request, draft);
}

function takeIdentity(api: Api, request: WriteRequest, draft: Draft): void {
  const { resource } = request;
  const metadata = draft.metadata;
  if (resource.namespaced) {
    if (metadata.namespace && metadata.namespace !== request.namespace) {
      throw refuse.badRequest('the namespace of the provided object does not match the namespace sent on the request');
    }
    metadata.namespace = request.namespace;
  } else delete metadata.namespace;
  if (!metadata.name && metadata.generateName) metadata.name = generatedName(api, metadata.generateName);
  metadata.name ??= '';
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete (metadata as { selfLink?: string }).selfLink;
  metadata.uid = api.newUid();
  metadata.creationTimestamp = formatTime(api.clock.now());
  if (resource.hasGeneration) metadata.generation = 1;
}

const suffixLetters = 'bcdfghjklmnpqrstvwxz2456789';

function generatedName(api: Api, prefix: string): string {
  let name = prefix.slice(0, 58);
  for (let at = 0; at < 5; at += 1) name += suffixLetters[Math.floor(api.random() * suffixLetters.length)];
  return name;
}

function commitNew(api: Api, request: WriteRequest, draft: Draft): Written {
  const { resource } = request;
  const name = draft.metadata.name;
  const asked = draft.metadata.resourceVersion;
  if (asked && asked !== '0' && request.name === '' && !request.dryRun) {
    throw refuse.storage('resourceVersion should not be set on objects to be created');
  }
  delete draft.metadata.resourceVersion;
  if (api.storage.head(resource.storage, request.namespace, name)) throw refuse.alreadyExists(resource, name);
  if (request.dryRun) return { object: ordered(draft), created: true, durable: Promise.resolve() };
  const { revision, durable, stored } = api.storage.commit({
    kind: 'put',
    resource: resource.storage,
    namespace: request.namespace,
    name,
    object: (revision) => storedForm(resource, draft, revision),
  });
  draft.metadata.resourceVersion = String(revision);
  const text = resource.convert ? {} : { text: stored.text };
  return { object: draft, created: true, durable, ...text };
}

/** The stored form: in the storage version, with ordered keys and its resourceVersion. */
export function storedForm(resource: Resource, draft: Draft, revision: number): Draft {
  const kept = resource.convert ? resource.convert.toStorage(copyJson(draft)) : draft;
  return ordered({ ...kept, metadata: { ...kept.metadata, resourceVersion: String(revision) } });
}

/** The identity rules for the body of an update through a URL. */
export function requireSameIdentity(request: WriteRequest, draft: Draft): void {
  const { metadata } = draft;
  if (!metadata.name) {
    throw refuse.badRequest(
      `the name of the object (${request.name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (metadata.name !== request.name) {
    throw refuse.badRequest(
      `the name of the object (${metadata.name}) does not match the name on the URL (${request.name})`,
    );
  }
  if (!request.resource.namespaced) return;
  if (metadata.namespace && metadata.namespace !== request.namespace) {
    throw refuse.badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
}

export const mustBeSpecified = (value: Json) =>
  fieldError.invalid('metadata.resourceVersion', value, 'must be specified for an update');
