import {
  equalJson,
  type Field,
  isJsonObject,
  type Json,
  type JsonObject,
  type ListSchema,
  own,
  type Schema,
} from '@fairlead/apimachinery';
import { sameScalar } from './scalar.ts';

/**
 * Three-way merge: what `desired` declares is set, what was applied before and is no longer declared is removed, and what others wrote
 * stays. Unchanged parts are the live ones themselves: a result that is `===` live means that nothing would change.
 *
 * The schema defines how lists merge and which values are equal. Without a schema (custom resources), maps merge and a list is one value,
 * as in a JSON merge patch.
 */
export function merge(
  schema: Schema | undefined,
  applied: Json | undefined,
  desired: Json,
  live: Json | undefined,
): Json {
  if (live === undefined) return withoutNulls(desired);
  if (isJsonObject(desired) && isJsonObject(live)) {
    return mergeFields(schema, isJsonObject(applied) ? applied : {}, desired, live);
  }
  if (Array.isArray(desired) && Array.isArray(live)) {
    return mergeWhole(listOf(schema), Array.isArray(applied) ? applied : [], desired, live);
  }
  return sameScalar(schema, desired, live) ? live : withoutNulls(desired);
}

/** A known type of a custom kind may describe the items of a list without mentioning the list. */
const listOf = (schema: Schema | undefined): ListSchema | undefined => {
  if (schema?.type === 'list') return schema;
  const isOpen = schema?.type === 'object' && schema.preserveUnknown;
  return isOpen ? { type: 'list', listType: 'atomic', items: schema } : undefined;
};

/** A field that is declared null must not exist. */
export function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNulls);
  return isJsonObject(value) ? withoutNullFields(value) : value;
}

export function withoutNullFields(object: JsonObject): JsonObject {
  const fields = Object.entries(object).filter(([, value]) => value !== null);
  return Object.fromEntries(fields.map(([name, value]) => [name, withoutNulls(value)]));
}

function mergeFields(
  schema: Schema | undefined,
  applied: JsonObject,
  desired: JsonObject,
  live: JsonObject,
): JsonObject {
  let result = live;
  const put = (name: string, value: Json | undefined): void => {
    if (value === own(live, name)) return;
    if (result === live) result = { ...live };
    if (value === undefined) delete result[name];
    else Object.defineProperty(result, name, { value, enumerable: true, configurable: true, writable: true });
  };
  for (const [name, value] of Object.entries(desired)) {
    const field = schema?.type === 'object' ? schema.fields.get(name) : undefined;
    const [before, now] = [own(applied, name), own(live, name)];
    if (value === null) {
      if (now !== null) put(name, undefined);
    } else if (now === null && isEmptyValue(value)) continue;
    else if (now === undefined && (isZeroValue(schema, field, value) || wasDropped(schema, field, value, before)))
      continue;
    else put(name, mergeField(schema, field, before, value, now));
  }
  for (const name of Object.keys(applied)) {
    if (!Object.hasOwn(desired, name)) put(name, undefined);
  }
  return result;
}

/** An empty list or object, which a server may write as null. */
const isEmptyValue = (value: Json): boolean =>
  value !== null && typeof value === 'object' && Object.keys(value).length === 0;

function mergeField(
  schema: Schema | undefined,
  field: Field | undefined,
  applied: Json | undefined,
  desired: Json,
  live: Json | undefined,
): Json {
  const inner = schema?.type === 'map' ? schema.values : field?.schema;
  if (
    Array.isArray(desired) &&
    Array.isArray(live) &&
    field?.patch?.strategy.includes('merge') &&
    inner?.type === 'list'
  ) {
    return mergeItems(inner, field, Array.isArray(applied) ? applied : [], desired, live);
  }
  const merged = merge(inner, applied, desired, live);
  // A union: choosing another member drops the fields of the old one, which the server filled in.
  if (
    merged !== live &&
    field?.patch?.strategy.includes('retainKeys') &&
    isJsonObject(merged) &&
    isJsonObject(desired)
  ) {
    return Object.fromEntries(Object.entries(merged).filter(([name]) => Object.hasOwn(desired, name)));
  }
  return merged;
}

/**
 * A list that is replaced as a whole. The server may have filled in defaults inside its items: the list is unchanged if each desired item
 * declares nothing that its live counterpart lacks.
 */
function mergeWhole(schema: ListSchema | undefined, applied: readonly Json[], desired: Json[], live: Json[]): Json[] {
  if (desired.length !== live.length) return desired.map(withoutNulls);
  const comparable = applied.length === live.length;
  const same = desired.every(
    (item, i) => merge(schema?.items, comparable ? applied[i] : undefined, item, live[i]) === live[i],
  );
  return same ? live : desired.map(withoutNulls);
}

/** A list whose items have an identity: declared items are set, items applied before and no longer declared are removed, others stay. */
function mergeItems(schema: ListSchema, field: Field, applied: readonly Json[], desired: Json[], live: Json[]): Json[] {
  const identity = identityOf(schema, field);
  const [before, declared, present] = [index(applied, identity), index(desired, identity), index(live, identity)];
  if (!before || !declared || !present) return mergeWhole(schema, applied, desired, live);
  const keyed = (items: readonly Json[]): [string, Json][] =>
    items.flatMap((item): [string, Json][] => {
      const key = identity(item);
      return key === undefined ? [] : [[key, item]];
    });
  const kept = keyed(live).filter(([key]) => declared.has(key) || !before.has(key));
  const merged = ([key, item]: [string, Json]): Json => {
    const target = declared.get(key);
    return target === undefined ? item : merge(schema.items, before.get(key), target, item);
  };
  const added = keyed(desired).filter(([key]) => !present.has(key));
  const keptOurs = kept.filter(([key]) => declared.has(key));
  const desiredOrder = keyed(desired).filter(([key]) => present.has(key));
  const inOrder = keptOurs.every(([key], i) => key === desiredOrder[i]?.[0]);
  const result = inOrder
    ? [...kept.map(merged), ...added.map(([, item]) => withoutNulls(item))]
    : [
        ...keyed(desired).map(([key, item]) => merged([key, present.get(key) ?? withoutNulls(item)])),
        ...kept.filter(([key]) => !declared.has(key)).map(([, item]) => item),
      ];
  return result.length === live.length && result.every((item, i) => item === live[i]) ? live : result;
}

type Identity = (item: Json) => string | undefined;

function identityOf(schema: ListSchema, field: Field): Identity {
  const { mergeKey } = field.patch ?? {};
  if (mergeKey === undefined) return (item) => (isJsonObject(item) ? undefined : JSON.stringify(item));
  const keys = schema.mapKeys?.includes(mergeKey) ? schema.mapKeys : [mergeKey];
  const items = schema.items.type === 'object' ? schema.items : undefined;
  return (item) => {
    if (!isJsonObject(item)) return undefined;
    const values = keys.map((key) => item[key] ?? items?.fields.get(key)?.default);
    return values.includes(undefined) && item[mergeKey] === undefined ? undefined : JSON.stringify(values);
  };
}

/** Undefined when an item has no identity or two have the same: such a list merges as a whole. */
function index(items: readonly Json[], identity: Identity): Map<string, Json> | undefined {
  const found = new Map<string, Json>();
  for (const item of items) {
    const key = identity(item);
    if (key === undefined || found.has(key)) return undefined;
    found.set(key, item);
  }
  return found;
}

/** Whether the server does not store this value, so that declaring it has no effect. */
export function isZeroValue(schema: Schema | undefined, field: Field | undefined, value: Json): boolean {
  if (schema?.type !== 'object' || !field || field.always) return false;
  if (Array.isArray(value)) return value.length === 0;
  const type = field.schema.type;
  if (isJsonObject(value)) return Object.keys(value).length === 0 && (type === 'map' || !field.pointer);
  return !field.pointer && (value === false || value === 0 || value === '');
}

/** A built-in kind has no such field: the server dropped it when it was applied, and always will. */
function wasDropped(
  schema: Schema | undefined,
  field: Field | undefined,
  value: Json,
  applied: Json | undefined,
): boolean {
  const closed = schema?.type === 'object' && !schema.preserveUnknown;
  return closed && !field && applied !== undefined && equalJson(applied, value);
}
