import { copyJson, type KubeObject, normalize } from '@fairlead/apimachinery';
import type { Clock, Random } from '@fairlead/kube';
import type { Registry } from '../registry.ts';
import type { Draft, Resource, RuleContext, User } from '../resource.ts';
import type { Storage, Stored } from '../storage/storage.ts';

/** The dependencies of every verb. */
export interface Api {
  readonly storage: Storage;
  readonly registry: Registry;
  readonly clock: Clock;
  readonly random: Random;
  newUid(): string;
}

/** One write request, from HTTP or from a controller in this process. */
export interface WriteRequest {
  readonly resource: Resource;
  readonly namespace: string;
  /** Empty on create: the name is in the object. */
  readonly name: string;
  readonly subresource: string;
  readonly user: User;
  /** The field manager of the change. */
  readonly manager: string;
  readonly dryRun: boolean;
  warn(message: string): void;
  /** Throws if the user may update but not create; called if an update turns out to be a create. */
  mayCreate?(): void;
}

export interface Written {
  /** The object in the version of the request. */
  readonly object: Draft;
  /** The same as text, if storage already has it. */
  readonly text?: string;
  readonly created: boolean;
  /** Resolves when the write is in the log and published; respond only then. */
  readonly durable: Promise<void>;
}

export function ruleContext(api: Api, request: WriteRequest, operation: RuleContext['operation']): RuleContext {
  return {
    user: request.user,
    clock: api.clock,
    random: api.random,
    dryRun: request.dryRun,
    operation,
    subresource: request.subresource,
    get: (resource, namespace, name) => api.storage.head(resource, namespace, name)?.object,
    *find(resource, namespace) {
      for (const stored of api.storage.heads(resource, namespace)) yield stored.object;
    },
    warn: (message) => request.warn(message),
  };
}

/** A mutable copy, in the version of the resource. */
export function draftOf(resource: Resource, stored: Stored): Draft {
  return inServedVersion(resource, JSON.parse(stored.text) as Draft);
}

/** Whether the stored form is what clients get: the same version, and no later defaults. */
export function isShownAsKept(resource: Resource, stored: Stored): boolean {
  if (resource.convert) return false;
  return !resource.onRead || stored.revision > (resource.currentFrom ?? Number.POSITIVE_INFINITY);
}

/** The shared, immutable form if no conversion is needed; for reads. */
export function viewOf(resource: Resource, stored: Stored): KubeObject {
  return isShownAsKept(resource, stored) ? stored.object : draftOf(resource, stored);
}

/** The text for a client: the stored text unchanged, if possible. */
export function textOf(resource: Resource, stored: Stored): string {
  return isShownAsKept(resource, stored) ? stored.text : serialise(draftOf(resource, stored));
}

function inServedVersion(resource: Resource, draft: Draft): Draft {
  let converted = resource.convert ? resource.convert.fromStorage(draft) : draft;
  // A conversion copies values; the version determines which empty ones are written.
  if (resource.convert && !resource.custom) converted = normalize(converted, resource.schema);
  resource.onRead?.(converted);
  return converted;
}

/** `kind` and `apiVersion` first: lists of built-in kinds remove them as a prefix of fixed length. */
export function serialise(object: Draft): string {
  return JSON.stringify(ordered(object));
}

export function ordered(object: Draft): Draft {
  const { kind, apiVersion, metadata, ...rest } = object;
  return { kind, apiVersion, metadata, ...rest };
}

/** A private copy that may be changed. */
export const draftCopy = (object: KubeObject): Draft => copyJson(object) as Draft;
