import { copyJson, type KubeObject, normalize } from '@fairlead/apimachinery';
import type { Clock, Random } from '@fairlead/kube';
import type { Registry } from '../registry.ts';
import type { Draft, Resource, RuleContext, User } from '../resource.ts';
import type { Storage, Stored } from '../storage/storage.ts';

/** What every verb works with. */
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
  /** The field manager that the change is booked to. */
  readonly manager: string;
  readonly dryRun: boolean;
  warn(message: string): void;
  /** Throws when the user may change but not create; asked when an update turns out to be a create. */
  mayCreate?(): void;
}

export interface Written {
  /** The object as the request's version shows it. */
  readonly object: Draft;
  /** The same as text, where storage has it so already. */
  readonly text?: string;
  readonly created: boolean;
  /** Resolves when the write is in the log and published; answer only then. */
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

/** A copy to change, in the version that the resource serves. */
export function draftOf(resource: Resource, stored: Stored): Draft {
  return inServedVersion(resource, JSON.parse(stored.text) as Draft);
}

/** Whether what is kept is what clients see: no other version, and nothing that its kind has learnt since it was written. */
export function isShownAsKept(resource: Resource, stored: Stored): boolean {
  if (resource.convert) return false;
  return !resource.onRead || stored.revision > (resource.currentFrom ?? Number.POSITIVE_INFINITY);
}

/** The shared, immutable form where no conversion is needed; what reads use. */
export function viewOf(resource: Resource, stored: Stored): KubeObject {
  return isShownAsKept(resource, stored) ? stored.object : draftOf(resource, stored);
}

/** The text that a client sees: what is stored, as it is, wherever possible. */
export function textOf(resource: Resource, stored: Stored): string {
  return isShownAsKept(resource, stored) ? stored.text : serialise(draftOf(resource, stored));
}

function inServedVersion(resource: Resource, draft: Draft): Draft {
  let converted = resource.convert ? resource.convert.fromStorage(draft) : draft;
  // A conversion carries values over; which of them are shown is the version's own affair.
  if (resource.convert && !resource.custom) converted = normalize(converted, resource.schema);
  resource.onRead?.(converted);
  return converted;
}

/** `kind` and `apiVersion` first: lists of built-in kinds cut them off as a prefix of fixed length. */
export function serialise(object: Draft): string {
  return JSON.stringify(ordered(object));
}

export function ordered(object: Draft): Draft {
  const { kind, apiVersion, metadata, ...rest } = object;
  return { kind, apiVersion, metadata, ...rest };
}

/** A private copy, to be changed. */
export const draftCopy = (object: KubeObject): Draft => copyJson(object) as Draft;
