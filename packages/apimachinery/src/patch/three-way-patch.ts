import { equalJson, isObject, type Json, type JsonObject, own, put } from '../json/json-value.ts';
import type { Schema } from '../schema/schema.ts';
import { idOf, inOrderOf, strategicDiff } from './strategic-diff.ts';

/** The three states of an apply: last applied, to be applied, and live. */
export interface ThreeWay {
  readonly original: JsonObject;
  readonly modified: JsonObject;
  readonly current: JsonObject;
}

/**
 * The strategic merge patch that `kubectl apply` sends for a built-in kind: the differences between the current and the modified object,
 * and deletions of fields of the original that are no longer in the modified one. Empty if nothing differs.
 */
export function threeWayStrategicPatch({ original, modified, current }: ThreeWay, schema: Schema): JsonObject {
  const changes = strategicDiff(current, modified, schema, { changes: true, deletions: false });
  if (original === modified) return changes;
  const deletions = strategicDiff(original, modified, schema, { changes: false, deletions: true });
  return withChanges(deletions, changes, schema);
}

/** Merges two patches; both come from the same modified object, so that their directives agree. */
function withChanges(deletions: JsonObject, changes: JsonObject, schema: Schema | undefined): JsonObject {
  const patch = { ...deletions };
  for (const [key, value] of Object.entries(changes)) {
    const before = own(patch, key);
    const field = schema?.type === 'object' ? schema.fields.get(key) : undefined;
    if (isObject(before) && isObject(value)) put(patch, key, withChanges(before, value, field?.schema));
    else if (Array.isArray(before) && Array.isArray(value) && field?.patch?.strategy.includes('merge')) {
      const items = field.schema.type === 'list' ? field.schema.items : undefined;
      const order = own(changes, `$setElementOrder/${key}`);
      put(
        patch,
        key,
        listWithChanges(before, value, Array.isArray(order) ? order : [], field.patch.mergeKey ?? '', items),
      );
    } else put(patch, key, value);
  }
  return patch;
}

function listWithChanges(
  deletions: readonly Json[],
  changes: readonly Json[],
  order: readonly Json[],
  mergeKey: string,
  items: Schema | undefined,
): Json[] {
  if (mergeKey === '') return [...new Set([...deletions, ...changes])];
  const merged = [...deletions];
  for (const change of changes) {
    const index = merged.findIndex((item) => idOf(item, mergeKey) === idOf(change, mergeKey));
    const before = merged[index];
    if (isObject(before) && isObject(change)) merged[index] = withChanges(before, change, items);
    else merged.push(change);
  }
  const isDeletion = (item: Json): boolean => isObject(item) && own(item, '$patch') === 'delete';
  const kept = merged.filter((item) => !isDeletion(item));
  return [...inOrderOf(order, kept, mergeKey), ...merged.filter(isDeletion)];
}

/**
 * The JSON merge patch that `kubectl apply` sends for a custom resource: objects are merged, and lists are replaced. A null in the modified
 * object deletes only fields of the original.
 */
export function threeWayMergePatch({ original, modified, current }: ThreeWay): JsonObject {
  const patch = deletionsOf(original, modified);
  return mergeInto(patch, changesOf(current, modified));
}

function changesOf(current: JsonObject, modified: JsonObject): JsonObject {
  const changes: JsonObject = {};
  for (const [key, value] of Object.entries(modified)) {
    if (value === null) continue;
    const now = own(current, key);
    if (isObject(now) && isObject(value)) {
      const inner = changesOf(now, value);
      if (Object.keys(inner).length > 0) put(changes, key, inner);
    } else if (now === undefined || !equalJson(now, value)) addValue(changes, key, value);
  }
  return changes;
}

/** An object with only nulls declares nothing; an empty one is a value. */
function addValue(changes: JsonObject, key: string, value: Json): void {
  if (!isObject(value) || Object.keys(value).length === 0) put(changes, key, value);
  else {
    const declared = changesOf({}, value);
    if (Object.keys(declared).length > 0) put(changes, key, declared);
  }
}

function deletionsOf(original: JsonObject, modified: JsonObject): JsonObject {
  const deletions: JsonObject = {};
  for (const [key, before] of Object.entries(original)) {
    const value = own(modified, key);
    if (value === undefined || value === null) {
      if (value === undefined || before !== null) put(deletions, key, null);
    } else if (isObject(before) && isObject(value)) {
      const inner = deletionsOf(before, value);
      if (Object.keys(inner).length > 0) put(deletions, key, inner);
    }
  }
  for (const [key, value] of Object.entries(modified)) {
    if (value === null && !Object.hasOwn(original, key)) put(deletions, key, null);
  }
  return deletions;
}

function mergeInto(patch: JsonObject, changes: JsonObject): JsonObject {
  for (const [key, value] of Object.entries(changes)) {
    const before = own(patch, key);
    put(patch, key, isObject(before) && isObject(value) ? mergeInto(before, value) : value);
  }
  return patch;
}
