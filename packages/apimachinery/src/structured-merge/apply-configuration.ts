import { equalJson, isObject, isTooDeep, type JsonObject, own } from '../json/json-value.ts';
import { type ApiError, apiError } from '../meta/api-error.ts';
import type { KubeObject, ManagedFieldsEntry, Unstructured } from '../meta/object.ts';
import type { ObjectSchema } from '../schema/schema.ts';
import { bookUpdate } from './book-update.ts';
import { checkType } from './check-type.ts';
import { Conflicts, conflictError, withoutConflictsIn } from './conflict.ts';
import { difference, equalSets } from './field-set.ts';
import { fieldsOf } from './fields-of.ts';
import { fieldsLastApplied, withLastApplied } from './last-applied.ts';
import { SchemaMismatch } from './list-items.ts';
import { decodeManagers, identify, type Managers } from './managers.ts';
import { merge } from './merge.ts';
import { Changes, type Convert, takeOver, type Versioned } from './ownership.ts';
import { prune } from './prune.ts';
import { type FieldFilter, type ResetFields, toFilter, unownable } from './reset-fields.ts';
import { type Shape, shapeOf } from './shape.ts';
import { settledManagedFields } from './timestamps.ts';
import { encodeOver, withoutManagedFields } from './update-managed-fields.ts';

export interface Application {
  /** Undefined if there is no such object yet: then it is created. */
  readonly live: KubeObject | undefined;
  /** As sent by the client: partial, not decoded, not defaulted. */
  readonly config: JsonObject;
  readonly schema: ObjectSchema;
  readonly manager: string;
  readonly apiVersion: string;
  /** The kind of the endpoint; a configuration of another kind is refused. */
  readonly kind?: string;
  readonly subresource?: string;
  readonly force: boolean;
  /** RFC 3339, in seconds. */
  readonly now: string;
  readonly resetFields?: ResetFields | undefined;
  /** The processing of the merged object before anything else reads it: decoding and defaulting. */
  readonly defaults?: (merged: JsonObject) => JsonObject;
  readonly convert?: Convert;
}

/**
 * Server-side apply. Returns the object with its managedFields; if the configuration changes nothing, including ownership, it is the live
 * object itself. Throws a Status: 409 with a cause for each field of another manager, 400 and 500 for invalid configurations.
 */
export function applyConfiguration(application: Application): { readonly object: Unstructured } {
  const { live, config } = application;
  checkConfig(application);
  const applying = new Applying(application);
  const { object, managers } = applying.run();
  const entries = encodeOver(live?.metadata.managedFields, managers);
  const annotated = application.manager === 'kubectl' ? withLastApplied(object, config) : object;
  return { object: live ? settle(live, annotated, entries) : withEntries(annotated, entries) };
}

/** The live object itself if the result is equal. */
function settle(live: KubeObject, object: JsonObject, entries: readonly ManagedFieldsEntry[]): Unstructured {
  const next = withEntries(object, entries);
  const settled = settledManagedFields(live, next) ?? [];
  const isLive = settled === live.metadata.managedFields || (settled.length === 0 && !live.metadata.managedFields);
  if (isLive && equalJson(object, withoutManagedFields(live))) return live as Unstructured;
  return withEntries(object, settled);
}

function withEntries(object: JsonObject, entries: readonly ManagedFieldsEntry[]): Unstructured {
  const metadata = isObject(object['metadata']) ? object['metadata'] : {};
  return {
    ...object,
    metadata: { ...metadata, ...(entries.length > 0 ? { managedFields: entries } : {}) },
  } as unknown as Unstructured;
}

const unclassified = (message: string): ApiError => apiError(500, undefined, message);

function checkConfig({ config, apiVersion, kind }: Application): void {
  if (isTooDeep(config)) throw apiError(400, 'BadRequest', 'error decoding YAML: exceeded max depth');
  const given = [textOf(config['apiVersion']), textOf(config['kind'])];
  if (given[0] !== apiVersion || (kind !== undefined && given[1] !== kind)) {
    throw apiError(400, 'BadRequest', `invalid object type: ${kindText(config)}`);
  }
  const metadata = own(config, 'metadata');
  if (isObject(metadata) && Array.isArray(own(metadata, 'managedFields'))) {
    throw apiError(400, 'BadRequest', 'metadata.managedFields must be nil');
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** `apps/v1, Kind=Deployment`, `/v1, Kind=Pod`. Empty for a malformed version. */
function kindText(config: JsonObject): string {
  const parts = textOf(config['apiVersion']).split('/');
  if (parts.length > 2) return '/, Kind=';
  return `${parts.length === 2 ? parts.join('/') : `/${parts[0]}`}, Kind=${textOf(config['kind'])}`;
}

/** `ns/name; apps/v1, Kind=Deployment`, with the values of the configuration. */
function configText(config: JsonObject): string {
  const metadata = own(config, 'metadata');
  const field = (name: string) => textOf(isObject(metadata) ? own(metadata, name) : undefined);
  return `${field('namespace')}/${field('name')}; ${kindText(config)}`;
}

interface Applied {
  readonly object: JsonObject;
  readonly managers: Managers;
}

class Applying {
  readonly #application: Application;
  readonly #shape: Shape;
  readonly #filter: FieldFilter;
  readonly #live: JsonObject | undefined;

  constructor(application: Application) {
    this.#application = application;
    this.#shape = shapeOf(application.schema);
    this.#filter = toFilter(application.resetFields);
    this.#live = application.live && withoutManagedFields(application.live);
  }

  run(): Applied {
    const { config, force } = this.#application;
    const managers = this.#managers();
    try {
      checkType(this.#shape, config);
    } catch (error) {
      if (!(error instanceof SchemaMismatch)) throw error;
      throw unclassified(`failed to create typed patch object (${configText(config)}): ${error.message}`);
    }
    try {
      return this.#apply(managers, force);
    } catch (error) {
      if (error instanceof SchemaMismatch) {
        throw unclassified(`failed to create typed live object (${configText(config)}): ${error.message}`);
      }
      if (!(error instanceof Conflicts)) throw error;
      return this.#resolve(managers, error);
    }
  }

  /** `kubectl` may take over fields that it applied client-side before; for other managers it is a conflict. */
  #resolve(managers: Managers, { conflicts }: Conflicts): Applied {
    const { manager, apiVersion } = this.#application;
    if (manager !== 'kubectl' || !this.#live) throw conflictError(conflicts);
    const allowed = fieldsLastApplied(this.#live, this.#shape, apiVersion);
    const left = allowed ? withoutConflictsIn(conflicts, allowed) : conflicts;
    if (left.length > 0) throw conflictError(left);
    return this.#apply(managers, true);
  }

  /** An object without managedFields belongs to `before-first-apply`. */
  #managers(): Managers {
    const { live } = this.#application;
    let managers: Managers;
    try {
      managers = decodeManagers(live?.metadata.managedFields);
    } catch (error) {
      throw unclassified(`failed to decode managed fields: ${error instanceof Error ? error.message : String(error)}`);
    }
    if (managers.size > 0 || !this.#live) return managers;
    const { now, subresource = '' } = this.#application;
    const booking = { manager: 'before-first-apply', subresource, now };
    return bookUpdate(managers, this.#changes({}, this.#live), booking);
  }

  #versioned(object: JsonObject): Versioned {
    return { object, apiVersion: this.#application.apiVersion, shape: this.#shape };
  }

  #changes(before: JsonObject, after: JsonObject): Changes {
    return new Changes({
      before: this.#versioned(before),
      after: this.#versioned(after),
      convert: this.#application.convert,
      filter: this.#filter,
    });
  }

  #apply(current: Managers, force: boolean): Applied {
    const { config, apiVersion, convert, manager, now, subresource = '' } = this.#application;
    const live = this.#live ?? {};
    const managers = this.#changes(live, live).fit(current);
    const self = { name: manager, operation: 'Apply', apiVersion, subresource } as const;
    const id = identify(self);
    const last = managers.get(id);
    const own = { ...self, fields: this.#filter(fieldsOf(this.#shape, config)) };
    managers.set(id, own);

    const merged = merge(this.#shape, this.#live, config) as JsonObject;
    const { after, object } = prune(this.#versioned(merged), managers, last, convert);
    const left = takeOver(managers, id, this.#changes(live, after.object), force);

    const unchanged = this.#live !== undefined && equalJson(this.#live, after.object);
    const applied = difference(own.fields, unownable);
    const fields = last && equalSets(last.fields, applied) ? last.fields : applied;
    const time = unchanged ? last?.time : now;
    if (fields.size > 0) left.set(id, { ...self, fields, time, source: last?.source });
    else left.delete(id);
    if (unchanged) return { object, managers: left };
    return { object: this.#application.defaults?.(object) ?? object, managers: left };
  }
}
