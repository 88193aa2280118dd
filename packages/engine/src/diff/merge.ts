import {
  equalJson,
  type Field,
  isJsonObject,
  type Json,
  type JsonObject,
  type ListSchema,
  type ObjectSchema,
  type Schema,
} from '@fairlead/apimachinery';
import { sameScalar } from './scalar.ts';

/**
 * What a live value becomes when `desired` is applied to it, three ways: what desired declares is set, what was applied before and is
 * no longer declared goes, and what others wrote stays. Parts that stay are the live ones themselves, so that a result that is
 * `===` live means that nothing would change.
 *
 * The schema says how lists merge and which values mean the same. Where there is none (custom resources), maps merge and a list is one
 * value, as in a JSON merge patch.
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

/** What is known of a custom kind may leave out that there is a list: then it is told of the items. */
const listOf = (schema: Schema | undefined): ListSchema | undefined => {
  if (schema?.type === 'list') return schema;
  const isOpen = schema?.type === 'object' && schema.preserveUnknown;
  return isOpen ? { type: 'list', listType: 'atomic', items: schema } : undefined;
};

/** A field that is declared null is one that shall not be there. */
export function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(fields.map(([name, inner]) => [name, withoutNulls(inner)]));
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
    } else if (now === null && isNothing(value)) continue;
    else if (now === undefined && (meansNothing(schema, field, value) || wasDropped(schema, field, value, before)))
      continue;
    else put(name, mergeField(schema, field, before, value, now));
  }
  for (const name of Object.keys(applied)) {
    if (!Object.hasOwn(desired, name)) put(name, undefined);
  }
  return result;
}

/** What a server may write as null. */
const isNothing = (value: Json): boolean =>
  value !== null && typeof value === 'object' && Object.keys(value).length === 0;

/** Names come from users: `toString` and `__proto__` are names like any other. */
export const own = (object: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

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
  // The members of a union: choosing another one drops the old one's settings, which nobody declared and the server filled in.
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
 * A list that is replaced as one. The server may have filled in defaults inside its items; if each desired item says nothing that its
 * live counterpart does not say, the list is as desired.
 */
function mergeWhole(schema: ListSchema | undefined, applied: readonly Json[], desired: Json[], live: Json[]): Json[] {
  if (desired.length !== live.length) return desired.map(withoutNulls);
  const comparable = applied.length === live.length;
  const same = desired.every(
    (item, i) => merge(schema?.items, comparable ? applied[i] : undefined, item, live[i]) === live[i],
  );
  return same ? live : desired.map(withoutNulls);
}

/** A list whose items have an identity: ours are set, those we applied before and dropped go, others' stay. */
function mergeItems(schema: ListSchema, field: Field, applied: readonly Json[], desired: Json[], live: Json[]): Json[] {
  const identity = identityOf(schema, field);
  const [before, wanted, present] = [index(applied, identity), index(desired, identity), index(live, identity)];
  if (!before || !wanted || !present) return mergeWhole(schema, applied, desired, live);
  const kept = live.filter((item) => wanted.has(identity(item)!) || !before.has(identity(item)!));
  const merged = (item: Json): Json => {
    const key = identity(item)!;
    return wanted.has(key) ? merge(schema.items, before.get(key), wanted.get(key)!, item) : item;
  };
  const added = desired.filter((item) => !present.has(identity(item)!)).map(withoutNulls);
  const keptOurs = kept.map((item) => identity(item)!).filter((key) => wanted.has(key));
  const desiredOrder = desired.map((item) => identity(item)!).filter((key) => present.has(key));
  const inOrder = keptOurs.every((key, i) => key === desiredOrder[i]);
  const result = inOrder
    ? [...kept.map(merged), ...added]
    : [
        ...desired.map((item) => merged(present.get(identity(item)!) ?? withoutNulls(item))),
        ...kept.filter((item) => !wanted.has(identity(item)!)),
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

/** Undefined when an item has no identity or two have the same: such a list can only be taken as a whole. */
function index(items: readonly Json[], identity: Identity): Map<string, Json> | undefined {
  const found = new Map<string, Json>();
  for (const item of items) {
    const key = identity(item);
    if (key === undefined || found.has(key)) return undefined;
    found.set(key, item);
  }
  return found;
}

/** Whether declaring this value is the same as declaring nothing: the server does not keep it. */
export function meansNothing(schema: Schema | undefined, field: Field | undefined, value: Json): boolean {
  if (schema?.type !== 'object' || !field || field.always) return false;
  if (Array.isArray(value)) return value.length === 0;
  const type = field.schema.type;
  if (isJsonObject(value)) return Object.keys(value).length === 0 && (type === 'map' || !field.pointer);
  return !field.pointer && (value === false || value === 0 || value === '');
}

/** A built-in kind has no such field, and the server did not keep it when it was applied: it never will. */
function wasDropped(
  schema: Schema | undefined,
  field: Field | undefined,
  value: Json,
  applied: Json | undefined,
): boolean {
  const closed = schema?.type === 'object' && !(schema as ObjectSchema).preserveUnknown;
  return closed && !field && applied !== undefined && equalJson(applied, value);
}
