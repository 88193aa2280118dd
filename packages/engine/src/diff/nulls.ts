import { isJsonObject, type Json, type JsonObject, own, put } from '@fairlead/apimachinery';

/** A client-side apply never sends a null for a new field: a field that is declared null must not exist. */
export function withoutNullFields(object: JsonObject): JsonObject {
  const kept: JsonObject = {};
  for (const [name, value] of Object.entries(object)) if (value !== null) put(kept, name, withoutNulls(value));
  return kept;
}

function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNulls);
  return isJsonObject(value) ? withoutNullFields(value) : value;
}

/**
 * A typed manifest with the entries of its maps that the manifest declares null, such as `data: {a: null}`. Their type would make them
 * empty, but a client-side apply removes them. A null struct, such as `resources: null` of a container, is written as `{}` again.
 */
export function withNullEntries(manifest: JsonObject, typed: JsonObject): JsonObject {
  if (typed === manifest) return typed;
  let result = typed;
  for (const [name, declared] of Object.entries(manifest)) {
    const value = own(typed, name);
    if (value === undefined || value === null) continue;
    const isStruct = typeof value === 'object';
    const inner = declared === null && !isStruct ? null : nullEntriesOf(declared, value);
    if (inner === value) continue;
    if (result === typed) result = { ...typed };
    put(result, name, inner);
  }
  return result;
}

function nullEntriesOf(declared: Json, value: Json): Json {
  if (isJsonObject(declared) && isJsonObject(value)) return withNullEntries(declared, value);
  if (!Array.isArray(declared) || !Array.isArray(value)) return value;
  const items = value.map((item, i) => (declared[i] === undefined ? item : nullEntriesOf(declared[i], item)));
  return items.every((item, i) => item === value[i]) ? value : items;
}
