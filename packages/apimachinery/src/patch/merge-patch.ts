import { isObject, type Json, type JsonObject, own, put } from '../json/json-value.ts';

/**
 * JSON Merge Patch (RFC 7386). One deviation from the RFC, as on a real server: if a list replaces something that is not an object, or is
 * new, nulls are dropped from the objects inside it.
 */
export function mergePatch(document: JsonObject, patch: JsonObject | Json[]): Json {
  return isObject(patch) ? mergeObjects(document, patch) : withoutNulls(patch);
}

function mergeObjects(document: JsonObject, patch: JsonObject): JsonObject {
  const merged: JsonObject = { ...document };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else put(merged, key, mergeValue(own(merged, key), value));
  }
  return merged;
}

function mergeValue(current: Json | undefined, patch: Json): Json {
  if (!isObject(current)) return withoutNulls(patch);
  return isObject(patch) ? mergeObjects(current, patch) : patch;
}

function withoutNulls(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutNulls);
  const kept: JsonObject = {};
  for (const [key, child] of Object.entries(value)) if (child !== null) put(kept, key, withoutNulls(child));
  return kept;
}
