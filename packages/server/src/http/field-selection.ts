import { isObject, type Json, type JsonObject } from '@fairlead/apimachinery';

/** Keeps the fields that `fields` lists (`items.metadata.name,items.spec`), or drops them if it begins with `-`. All fields if it is empty. */
export function selectFields(value: JsonObject, fields: string): JsonObject {
  if (fields === '') return value;
  const isExclusion = fields.startsWith('-');
  const paths = fields
    .slice(isExclusion ? 1 : 0)
    .split(',')
    .map((path) => path.split('.'));
  const selected = isExclusion ? without(value, paths) : only(value, paths);
  return isObject(selected) ? selected : {};
}

function only(value: Json, paths: readonly (readonly string[])[]): Json {
  if (paths.some((path) => path.length === 0)) return value;
  if (Array.isArray(value)) return value.map((item) => only(item, paths));
  if (!isObject(value)) return value;
  const kept: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    const below = paths.filter(([first]) => first === key).map((path) => path.slice(1));
    if (below.length > 0) kept[key] = only(item, below);
  }
  return kept;
}

function without(value: Json, paths: readonly (readonly string[])[]): Json {
  if (Array.isArray(value)) return value.map((item) => without(item, paths));
  if (!isObject(value)) return value;
  const kept: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    const below = paths.filter(([first]) => first === key).map((path) => path.slice(1));
    if (!below.some((path) => path.length === 0)) kept[key] = without(item, below);
  }
  return kept;
}
