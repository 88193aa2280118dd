import { equalJson, isObject, type JsonObject } from '../json/json-value.ts';
import type { KubeObject, ManagedFieldsEntry } from '../meta/object.ts';
import type { ObjectSchema } from '../schema/schema.ts';
import { bookUpdate } from './book-update.ts';
import { isSame } from './compare.ts';
import { SchemaMismatch } from './list-items.ts';
import { encodeManagers, type Managers, readManagers } from './managers.ts';
import { Changes, type Convert } from './ownership.ts';
import { type ResetFields, toFilter } from './reset-fields.ts';
import { shapeOf } from './shape.ts';

export interface FieldsUpdate {
  /** Undefined on create. */
  readonly live: KubeObject | undefined;
  /** Decoded and defaulted, before admission. */
  readonly next: KubeObject;
  readonly schema: ObjectSchema;
  readonly manager: string;
  readonly operation?: 'Update';
  readonly apiVersion: string;
  readonly subresource?: string;
  /** RFC 3339, in seconds. */
  readonly now: string;
  readonly resetFields?: ResetFields | undefined;
  readonly convert?: Convert;
}

/**
 * The managedFields of an object after a create, a replace, or any patch but an apply. Empty if it has none: tracking does not start for an
 * existing object, so clearing them lasts until an apply. If nothing changed, it is the list of the live object itself.
 */
export function updateManagedFields(update: FieldsUpdate): ManagedFieldsEntry[] {
  const { live, next, apiVersion, subresource = '' } = update;
  const current = live?.metadata.managedFields;
  const sent = subresource === '' ? next.metadata?.managedFields : undefined;
  const isUntouched = !sent || sent === current || equalJson(sent, current);
  if (isUntouched && !current?.length && live?.metadata.uid) return [];
  const shape = shapeOf(update.schema);
  const changes = new Changes({
    before: { object: live ? withoutManagedFields(live) : {}, apiVersion, shape },
    after: { object: withoutManagedFields(next), apiVersion, shape },
    convert: update.convert,
    filter: toFilter(update.resetFields),
  });
  try {
    if (isUntouched && current && isSame(changes.own)) return current;
    const managers = isUntouched ? readManagers(current) : managersSent(current, sent);
    if (managers.size === 0 && live?.metadata.uid) return [];
    return encodeOver(
      current,
      bookUpdate(managers, changes, { manager: update.manager, subresource, now: update.now }),
    );
  } catch (error) {
    // As on a real server: an object whose list items cannot be distinguished is stored, and its managers are dropped.
    if (error instanceof SchemaMismatch) return [];
    throw error;
  }
}

/** The previous list, if it is equal. */
export function encodeOver(current: ManagedFieldsEntry[] | undefined, managers: Managers): ManagedFieldsEntry[] {
  const entries = encodeManagers(managers);
  const same = current?.length === entries.length && entries.every((entry, at) => entry === current[at]);
  return same ? current : entries;
}

/**
 * A client may edit managedFields, which are accepted if they are valid; through a subresource they are ignored. A client that does not
 * send them must not clear them; an empty list, or a list of one empty entry, clears them.
 */
function managersSent(current: ManagedFieldsEntry[] | undefined, sent: readonly ManagedFieldsEntry[]): Managers {
  if (isReset(sent)) return new Map();
  const managers = readManagers(sent, false);
  return managers.size > 0 ? managers : readManagers(current);
}

const isReset = (entries: readonly ManagedFieldsEntry[]): boolean => entries.length < 2 && entries.every(isEmptyEntry);

const isEmptyEntry = (entry: ManagedFieldsEntry | null): boolean =>
  Object.values(entry ?? {}).every((value) => value === undefined || value === null || value === '');

export function withoutManagedFields(object: KubeObject): JsonObject {
  const source = object as unknown as JsonObject;
  const metadata = source['metadata'];
  if (!isObject(metadata) || metadata['managedFields'] === undefined) return source;
  const { managedFields: _, ...rest } = metadata;
  return { ...source, metadata: rest };
}
