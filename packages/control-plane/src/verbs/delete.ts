import {
  type ApiError,
  apiError,
  copyJson,
  equalJson,
  formatTime,
  type Json,
  type Status,
} from '@fairlead/apimachinery';
import type { Propagation } from '@fairlead/kube';
import { refuse } from '../errors.ts';
import type { Draft, Resource } from '../resource.ts';
import { type Api, draftOf, ordered, ruleContext, type WriteRequest, type Written } from './api.ts';
import { storedForm } from './create.ts';
import { protectedNamespaces } from './namespace-lifecycle.ts';
import { mayGo } from './update.ts';

export interface Deletion {
  readonly propagation?: Propagation;
  readonly graceSeconds?: number;
  readonly uid?: string;
  readonly resourceVersion?: string;
}

export interface Deleted {
  /** The response: the object if it still exists or its kind returns it, otherwise a Status. */
  readonly answer: Draft | Status;
  /** It still exists: it waits for finalizers or its grace period. */
  readonly started?: boolean;
  readonly durable: Promise<void>;
}

/** Kinds whose delete returns the object and not a Status. */
const answersWithObject: ReadonlySet<string> = new Set([
  'core/pods',
  'core/services',
  'core/serviceaccounts',
  'core/persistentvolumes',
  'core/persistentvolumeclaims',
  'core/podtemplates',
  'core/resourcequotas',
  'core/replicationcontrollers',
]);
/** Kinds with custom deletion, which never have a grace period. */
const withoutGrace: ReadonlySet<string> = new Set([
  'core/namespaces',
  'apiextensions.k8s.io/customresourcedefinitions',
]);
/** Kinds that orphan their dependents by default. */
const orphansByDefault: ReadonlySet<string> = new Set(['batch/jobs', 'core/replicationcontrollers']);

export function deleteObject(api: Api, request: WriteRequest, deletion: Deletion): Deleted {
  const { resource } = request;
  if (resource.storage === 'core/namespaces' && protectedNamespaces.has(request.name)) {
    throw refuse.forbidden(resource, request.name, 'this namespace may not be deleted');
  }
  const stored = api.storage.head(resource.storage, request.namespace, request.name);
  if (!stored) throw refuse.notFound(resource, request.name);
  const old = draftOf(resource, stored);
  checkPreconditions(resource, old, deletion);
  const context = ruleContext(api, request, 'delete');
  resource.rules.admitDelete?.(old, context);
  const next = copyJson(old);
  mark(api, request, next, deletion);
  if (!old.metadata.deletionTimestamp) resource.rules.markDeleted?.(next, context);

  // A namespace is marked as terminating first, with or without finalizers, and removed only after that is written.
  const marked = resource.storage === 'core/namespaces' && !old.metadata.deletionTimestamp;
  if (marked || !mayGo(next)) {
    if (equalJson(next, old) || request.dryRun)
      return { ...answer(ordered(next), api.storage.published(stored.revision)), started: true };
    return { ...answer(...write(api, request, 'put', next)), started: true };
  }
  if (!resource.graceful) unmark(next, old);
  // If a grace period was possible, watchers get the deletion timestamp before the deletion.
  else if (!request.dryRun && !equalJson(next, old)) write(api, request, 'put', next);
  const [object, durable] = request.dryRun
    ? ([ordered(next), api.storage.published(stored.revision)] as const)
    : write(api, request, 'delete', next);
  return answer(answersWithObject.has(resource.storage) ? object : success(resource, next), durable);
}

const answer = (body: Draft | Status, durable: Promise<void>): Deleted => ({ answer: body, durable });

function write(api: Api, request: WriteRequest, kind: 'put' | 'delete', next: Draft): [Draft, Promise<void>] {
  const { revision, durable } = api.storage.commit({
    kind,
    resource: request.resource.storage,
    namespace: request.namespace,
    name: request.name,
    object: (revision) => storedForm(request.resource, next, revision),
  });
  next.metadata.resourceVersion = String(revision);
  return [ordered(next), durable];
}

function checkPreconditions(resource: Resource, old: Draft, deletion: Deletion): void {
  const name = old.metadata.name;
  if (deletion.uid && deletion.uid !== old.metadata.uid) {
    throw precondition(
      resource,
      name,
      'UID',
      deletion.uid,
      old.metadata.uid ?? '',
      '. The object might have been deleted and then recreated',
    );
  }
  if (deletion.resourceVersion && deletion.resourceVersion !== old.metadata.resourceVersion) {
    throw precondition(
      resource,
      name,
      'ResourceVersion',
      deletion.resourceVersion,
      old.metadata.resourceVersion ?? '',
      '. The object might have been modified',
    );
  }
}

/** Only this error has the kind, not the resource. */
function precondition(
  resource: Resource,
  name: string,
  what: string,
  asked: string,
  found: string,
  hint: string,
): ApiError {
  const kind = resource.group ? `${resource.kind}.${resource.group}` : resource.kind;
  return apiError(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${kind} "${name}": the ${what} in the precondition (${asked}) does not match the ${what} in record (${found})${hint}`,
    { name, ...(resource.group ? { group: resource.group } : {}), kind: resource.kind },
  );
}

/** Sets the deletion timestamp, grace period and the finalizers of the garbage collector on the copy. */
function mark(api: Api, request: WriteRequest, next: Draft, deletion: Deletion): void {
  const { metadata } = next;
  const { resource } = request;
  const finalizers = finalizersFor(resource, metadata.finalizers ?? [], deletion.propagation);
  if (finalizers.length > 0) metadata.finalizers = finalizers;
  else delete metadata.finalizers;

  const grace = resource.graceful ? graceOf(next, deletion.graceSeconds) : 0;
  const now = api.clock.now();
  if (metadata.deletionTimestamp) {
    const shorter = grace < (metadata.deletionGracePeriodSeconds ?? 0);
    if (!shorter) return;
    const asked = Date.parse(metadata.deletionTimestamp) - (metadata.deletionGracePeriodSeconds ?? 0) * 1000;
    metadata.deletionTimestamp = formatTime(asked + grace * 1000);
    metadata.deletionGracePeriodSeconds = grace;
    return;
  }
  metadata.deletionTimestamp = formatTime(now + grace * 1000);
  if (withoutGrace.has(resource.storage)) {
    if (resource.storage !== 'core/namespaces') return;
    next['status'] = { ...((next['status'] as Record<string, Json>) ?? {}), phase: 'Terminating' };
    return;
  }
  metadata.deletionGracePeriodSeconds = grace;
  if (metadata.generation) metadata.generation += 1;
}

/** An object that is removed at once never has a deletion timestamp. */
function unmark(next: Draft, old: Draft): void {
  if (old.metadata.deletionTimestamp) return;
  delete next.metadata.deletionTimestamp;
  delete next.metadata.deletionGracePeriodSeconds;
  if (old.metadata.generation !== undefined) next.metadata.generation = old.metadata.generation;
}

function finalizersFor(resource: Resource, present: readonly string[], asked: Propagation | undefined): string[] {
  const others = present.filter((name) => name !== 'orphan' && name !== 'foregroundDeletion');
  const kept = present.find((name) => name === 'orphan' || name === 'foregroundDeletion');
  const policy = asked ?? (kept ? undefined : orphansByDefault.has(resource.storage) ? 'Orphan' : 'Background');
  if (policy === undefined) return [...present];
  if (policy === 'Orphan') return [...others, 'orphan'];
  if (policy === 'Foreground') return [...others, 'foregroundDeletion'];
  return others;
}

/** Pods: as requested, otherwise from the pod; zero if it has no kubelet or is finished. */
function graceOf(pod: Draft, asked: number | undefined): number {
  const spec = (pod['spec'] ?? {}) as { nodeName?: string; terminationGracePeriodSeconds?: number };
  const phase = (pod['status'] as { phase?: string } | undefined)?.phase;
  if (!spec.nodeName || phase === 'Failed' || phase === 'Succeeded') return 0;
  const grace = asked ?? spec.terminationGracePeriodSeconds ?? 30;
  return grace < 0 ? 1 : grace;
}

function success(resource: Resource, object: Draft): Status {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: {
      name: object.metadata.name,
      ...(resource.group ? { group: resource.group } : {}),
      kind: resource.plural,
      ...(object.metadata.uid ? { uid: object.metadata.uid } : {}),
    },
  };
}

export type { Written };
