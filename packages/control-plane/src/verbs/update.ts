import { copyJson, equalJson, listAt, settledManagedFields } from '@fairlead/apimachinery';
import { refuse } from '../errors.ts';
import { dropRepeatedOwners } from '../metadata/owners.ts';
import { validateMetadataOnStatus, validateMetadataOnUpdate } from '../metadata/validate.ts';
import type { Draft, Resource } from '../resource.ts';
import type { Stored } from '../storage/storage.ts';
import { type Api, draftOf, ordered, ruleContext, type WriteRequest, type Written } from './api.ts';
import { bookFields } from './book-fields.ts';
import { createObject, mustBeSpecified, storedForm } from './create.ts';

export interface Update {
  /** From the current object (a private copy) to the desired one, decoded. */
  transform(old: Draft): Draft;
  /** The object if it does not exist yet: PUT on kinds that permit it, and apply. */
  create?(): Draft;
  /** The client sent a whole object, and its uid is a precondition. */
  readonly replaces?: boolean;
  /** Server-side apply has already written managedFields. */
  readonly managedFieldsDone?: boolean;
  /** A change by the server itself, such as a binding: the rules for changes by clients do not apply. */
  readonly trusted?: boolean;
}

/** Writes that change the behaviour of a pod, and so pass admission again. */
const admitted: ReadonlySet<string> = new Set(['', 'ephemeralcontainers', 'resize']);

/** Replace and every patch. Reads, decides and commits synchronously: no other write can interleave. */
export function updateObject(api: Api, request: WriteRequest, update: Update): Written {
  const { resource } = request;
  const stored = api.storage.head(resource.storage, request.namespace, request.name);
  if (!stored) return createMissing(api, request, update);

  const old = draftOf(resource, stored);
  const next = update.transform(copyJson(old));
  if (update.replaces) checkUid(request, old, next);
  checkVersion(request, old, next);
  keepIdentity(request, old, next);
  keepOtherPart(resource, request.subresource, old, next);
  resource.rules.default?.(next);
  if (update.replaces) dropRepeatedOwners(next.metadata, request);
  if (!update.managedFieldsDone) bookFields(api, request, old, next);
  dropRepeatedOwners(next.metadata, request, true);
  if (update.trusted) return commitUpdate(api, request, stored, old, next);

  const context = ruleContext(api, request, 'update');
  resource.rules.prepareUpdate?.(next, old, context);
  if (admitted.has(request.subresource)) resource.rules.admit?.(next, old, context);
  setGeneration(resource, request.subresource, old, next);
  validate(request, old, next, context);
  for (const warning of resource.rules.warnings?.(next, old) ?? []) request.warn(warning);
  if (admitted.has(request.subresource)) resource.rules.verify?.(next, old, context);
  return commitUpdate(api, request, stored, old, next);
}

function createMissing(api: Api, request: WriteRequest, update: Update): Written {
  const { resource } = request;
  if (!update.create || request.subresource !== '') throw refuse.notFound(resource, request.name);
  request.mayCreate?.();
  const draft = update.create();
  const uid = draft.metadata.uid;
  if (uid && update.replaces) throw refuse.conflict(resource, request.name, uidMismatch(request, uid, ''));
  return createObject(api, request, draft, update.managedFieldsDone ? { managedFieldsDone: true } : {});
}

function checkVersion(request: WriteRequest, old: Draft, next: Draft): void {
  const { resource } = request;
  const asked = next.metadata.resourceVersion ?? '';
  if (asked !== '' && !/^\d+$/.test(asked)) {
    throw refuse.storage(`strconv.ParseUint: parsing ${JSON.stringify(asked)}: invalid syntax`);
  }
  if (asked === '' || asked === '0') {
    if (!resource.unconditionalUpdate)
      throw refuse.invalid({ ...resource, kind: resource.plural }, request.name, [mustBeSpecified(0)]);
  } else if (asked !== old.metadata.resourceVersion) throw refuse.modified(resource, request.name);
}

/** A replace with a uid applies to exactly that object and no other of its name. */
function checkUid(request: WriteRequest, old: Draft, next: Draft): void {
  const uid = next.metadata.uid;
  if (uid && uid !== old.metadata.uid) {
    throw refuse.conflict(request.resource, request.name, uidMismatch(request, uid, old.metadata.uid ?? ''));
  }
}

const uidMismatch = (request: WriteRequest, asked: string, found: string): string => {
  const place = [request.resource.plural, request.namespace, request.name].filter(Boolean).join('/');
  return `StorageError: invalid object, Code: 4, Key: /registry/${place}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${asked}, UID in object meta: ${found}`;
};

/** Immutable for clients: the metadata of the server is taken from the old object. */
function keepIdentity(request: WriteRequest, old: Draft, next: Draft): void {
  next.apiVersion = old.apiVersion;
  next.kind = old.kind;
  const { metadata } = next;
  metadata.name = old.metadata.name;
  if (request.resource.namespaced) metadata.namespace = request.namespace;
  else delete metadata.namespace;
  delete (metadata as { selfLink?: string }).selfLink;
  for (const field of ['creationTimestamp', 'generation', 'resourceVersion'] as const) copyField(old, next, field);
  for (const field of ['uid', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const) {
    if (metadata[field] === undefined) copyField(old, next, field);
  }
}

function copyField(old: Draft, next: Draft, field: keyof Draft['metadata']): void {
  if (old.metadata[field] === undefined) delete next.metadata[field];
  else Object.assign(next.metadata, { [field]: old.metadata[field] });
}

/** The main resource and the status endpoint reset each other's part. */
function keepOtherPart(resource: Resource, subresource: string, old: Draft, next: Draft): void {
  if (subresource === 'status') {
    for (const field of new Set([...Object.keys(old), ...Object.keys(next)])) {
      if (field === 'status' || field === 'metadata') continue;
      copyPart(old, next, field);
    }
    if (resource.custom || resource.kind === 'VolumeAttachment') {
      const managedFields = next.metadata.managedFields;
      next.metadata = copyJson(old.metadata);
      if (managedFields) next.metadata.managedFields = managedFields;
    } else if (resource.kind === 'Deployment') {
      if (old.metadata.labels) next.metadata.labels = old.metadata.labels;
      else delete next.metadata.labels;
    }
  } else if (resource.hasStatus && subresource === '') {
    copyPart(old, next, 'status');
  }
}

function copyPart(old: Draft, next: Draft, field: string): void {
  const value = old[field];
  if (value === undefined) delete next[field];
  else next[field] = value;
}

function setGeneration(resource: Resource, subresource: string, old: Draft, next: Draft): void {
  if (!resource.hasGeneration || subresource === 'status') return;
  const moved = resource.rules.generationMoves?.(next, old) ?? declaredPartChanged(resource, old, next);
  const generation = (old.metadata.generation ?? 0) + (moved ? 1 : 0);
  if (generation > 0) next.metadata.generation = generation;
  else delete next.metadata.generation;
}

function declaredPartChanged(resource: Resource, old: Draft, next: Draft): boolean {
  for (const field of new Set([...Object.keys(old), ...Object.keys(next)])) {
    if (field === 'metadata' || field === 'apiVersion' || field === 'kind') continue;
    if (field === 'status' && (resource.hasStatus || !resource.custom)) continue;
    if (!equalJson(old[field], next[field])) return true;
  }
  return false;
}

function validate(request: WriteRequest, old: Draft, next: Draft, context: ReturnType<typeof ruleContext>): void {
  const { resource } = request;
  const { rules } = resource;
  const errors =
    request.subresource === 'status'
      ? [...validateMetadataOnStatus(next, old, resource), ...(rules.validateStatusUpdate?.(next, old, context) ?? [])]
      : [
          ...validateMetadataOnUpdate(next, old, resource),
          ...(rules.validate?.(next, context) ?? []),
          ...(rules.validateUpdate?.(next, old, context) ?? []),
        ];
  if (errors.length > 0) throw refuse.invalid(resource, request.name, errors);
}

function commitUpdate(api: Api, request: WriteRequest, stored: Stored, old: Draft, next: Draft): Written {
  const { resource } = request;
  const managedFields = settledManagedFields(old, next);
  if (managedFields) next.metadata.managedFields = managedFields;
  const unchanged = equalJson(next, old);
  if (request.dryRun || (unchanged && !mayGo(next))) {
    return { object: ordered(next), created: false, durable: api.storage.published(stored.revision) };
  }
  const gone = mayGo(next);
  const {
    revision,
    durable,
    stored: kept,
  } = api.storage.commit({
    kind: gone ? 'delete' : 'put',
    resource: resource.storage,
    namespace: request.namespace,
    name: request.name,
    object: (revision) => storedForm(resource, next, revision),
  });
  // Removing the last finalizer removes the object; the response has its state before that, as on a real server.
  if (!gone) next.metadata.resourceVersion = String(revision);
  const text = gone || resource.convert ? {} : { text: kept.text };
  return { object: ordered(next), created: false, durable, ...text };
}

/** A terminating object is removed when it has no finalizers and no grace period. */
export function mayGo(object: Draft): boolean {
  const { metadata } = object;
  if (!metadata.deletionTimestamp || (metadata.deletionGracePeriodSeconds ?? 0) > 0) return false;
  if ((metadata.finalizers ?? []).length > 0) return false;
  if (object.kind === 'Namespace' && object.apiVersion === 'v1') {
    return listAt(object, 'spec', 'finalizers').length === 0;
  }
  return true;
}
