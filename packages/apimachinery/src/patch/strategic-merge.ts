import { elementAt } from '../collections.ts';
import { isObject, type Json, type JsonObject, own, put } from '../json/json-value.ts';
import type { ObjectSchema, Schema } from '../schema/schema.ts';
import { goType } from './go-format.ts';
import { strategicError } from './strategic-errors.ts';
import { arrange, deleteFromList, elementsAreMaps, identity, liveOrderAfter, mergeLists } from './strategic-list.ts';
import { goKind, patchedField, patchedList } from './strategic-schema.ts';

const marker = '$patch';
const retainKeys = '$retainKeys';
const deletion = '$deleteFromPrimitiveList';
const setOrder = '$setElementOrder';

/**
 * Strategic merge patch, for built-in kinds only. Objects are merged; lists are replaced, or merged by the key in the schema of the field.
 * Directives (`$patch`, `$retainKeys`, `$deleteFromPrimitiveList/x`, `$setElementOrder/x`) are among the fields of the object that they
 * apply to. A misplaced directive stays in the result, where decoding reports it as an unknown field.
 */
export function strategicMerge(document: JsonObject, patch: JsonObject, schema: ObjectSchema): JsonObject {
  return mergeObject(document, patch, schema);
}

function mergeObject(original: JsonObject, patch: JsonObject, schema: Schema): JsonObject {
  const directive = own(patch, marker);
  if (directive !== undefined) return applyDirective(directive, patch);
  const merged = { ...original };
  const rest = { ...patch };
  retain(merged, rest);
  mergeOrderedLists(merged, rest, schema);
  for (const [key, value] of Object.entries(rest)) mergeField(merged, key, value, schema);
  return merged;
}

function applyDirective(directive: Json, patch: JsonObject): JsonObject {
  if (directive === 'delete') return {};
  if (directive !== 'replace') throw strategicError.directive(directive, patch);
  const { [marker]: _, ...replacement } = patch;
  return replacement;
}

/** Removes from `merged` all keys that `$retainKeys` does not list, and removes the directive from `patch`. */
function retain(merged: JsonObject, patch: JsonObject): void {
  const names = own(patch, retainKeys);
  if (names === undefined) return;
  delete patch[retainKeys];
  if (!Array.isArray(names)) throw strategicError.retainKeys();
  const retained = new Set<Json>(names);
  for (const [key, value] of Object.entries(patch)) {
    const exempt = value === null || key.startsWith(deletion) || key.startsWith(setOrder);
    if (!exempt && !retained.has(key)) throw strategicError.retainKeys();
  }
  for (const key of Object.keys(merged)) if (!retained.has(key)) delete merged[key];
}

function mergeField(merged: JsonObject, key: string, value: Json, schema: Schema): void {
  const isDeletion = key.startsWith(deletion);
  const name = (isDeletion && nameAfter(key, deletion)) || key;
  if (value === null) {
    delete merged[name];
    return;
  }
  const current = own(merged, name);
  if (current === undefined || goType(current) !== goType(value)) {
    if (!isDeletion) take(merged, name, withoutNulls(value));
  } else if (isObject(current) && isObject(value)) {
    const field = patchedField(schema, name);
    put(merged, name, field.strategy === 'replace' ? value : mergeObject(current, value, field.schema));
  } else if (Array.isArray(current) && Array.isArray(value)) {
    put(merged, name, mergeListField(current, value, schema, name, isDeletion));
  } else {
    put(merged, name, value);
  }
}

function mergeListField(original: Json[], patch: Json[], schema: Schema, name: string, isDeletion: boolean): Json[] {
  const field = patchedList(schema, name);
  if (!isDeletion && field.strategy !== 'merge') return patch;
  const { items } = field.schema;
  return (isDeletion ? deleteFromList : mergeLists)({
    original,
    patch,
    mergeKey: field.mergeKey,
    itemKind: goKind(items),
    mergeItem: (live, item) => mergeObject(live, item, items),
  });
}

/** Each `$setElementOrder/x` with the list `x` of the patch, if there is one. Both are removed from `patch`. */
function mergeOrderedLists(merged: JsonObject, patch: JsonObject, schema: Schema): void {
  for (const key of Object.keys(patch).filter((name) => name.startsWith(setOrder))) {
    const order = listOf(own(patch, key)) ?? [];
    delete patch[key];
    const name = nameAfter(key, setOrder) ?? '';
    const live = listOf(own(merged, name));
    const patched = listOf(own(patch, name));
    const { mergeKey, strategy } = patchedList(schema, name);
    checkOrder(patched ?? [], order, mergeKey);
    if (!live && !patched) continue;
    const list =
      live && patched
        ? mergeListField(live, patched, schema, name, false)
        : (live ?? listWithoutDirectives(patched ?? []));
    const isMaps = elementsAreMaps(live ?? [], patched ?? []);
    if (isMaps && mergeKey === '') throw strategicError.setElementOrder();
    const merges = live && patched && isMaps && strategy === 'merge';
    put(merged, name, arrange(list, order, merges ? liveOrderAfter(live, patched, mergeKey) : (live ?? []), mergeKey));
    delete patch[name];
  }
}

function listOf(value: Json | undefined): Json[] | undefined {
  if (value === undefined || Array.isArray(value)) return value;
  throw strategicError.wrongType([], value);
}

/** The patch may only contain items of the order list, in that order, except for deletions. */
function checkOrder(patch: readonly Json[], order: readonly Json[], mergeKey: string): void {
  if (patch.length === 0 || order.length === 0) return;
  const directiveOf = (item: Json) => (isObject(item) ? own(item, marker) : undefined);
  const named = mergeKey === '' ? patch : patch.filter((item) => directiveOf(item) === undefined);
  let at = 0;
  for (const item of named) {
    const id = identity(item, mergeKey);
    while (at < order.length && identity(elementAt(order, at), mergeKey) !== id) at++;
    if (at === order.length) throw strategicError.order(patch, order);
    at++;
  }
}

function nameAfter(key: string, prefix: string): string | undefined {
  if (key.startsWith(`${prefix}/`)) return key.slice(prefix.length + 1);
  throw prefix === deletion ? strategicError.primitiveList() : strategicError.setElementOrder();
}

/** A new value in the document has no directives: an object with `$patch` is not added at all. */
function take(merged: JsonObject, name: string, value: Json): void {
  if (hasMarker(value)) delete merged[name];
  else put(merged, name, withoutDirectives(value));
}

const hasMarker = (value: Json): boolean => isObject(value) && Object.hasOwn(value, marker);

const listWithoutDirectives = (list: readonly Json[]): Json[] =>
  list.filter((item) => !hasMarker(item)).map(withoutDirectives);

function withoutDirectives(value: Json): Json {
  if (Array.isArray(value)) return listWithoutDirectives(value);
  return isObject(value) ? objectWithoutDirectives(value) : value;
}

function objectWithoutDirectives(value: JsonObject): JsonObject {
  const kept: JsonObject = {};
  for (const [key, child] of Object.entries(value)) if (!hasMarker(child)) put(kept, key, withoutDirectives(child));
  return kept;
}

function withoutNulls(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutNulls);
  const kept: JsonObject = {};
  for (const [key, child] of Object.entries(value)) if (child !== null) put(kept, key, withoutNulls(child));
  return kept;
}
