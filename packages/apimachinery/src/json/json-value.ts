/** JSON as Kubernetes uses it. `unknown` at the boundaries becomes this once parsed. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

/** The value as JSON: without undefined fields, with dates as text. */
export const toJson = (value: unknown): Json => JSON.parse(JSON.stringify(value ?? null));

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value of a key that a client chose: `constructor` and `__proto__` are ordinary names. */
export const own = (object: JsonObject, key: string): Json | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined;

/** Sets a key that a client chose. Plain assignment would set the prototype for `__proto__`. */
export function put(object: JsonObject, key: string, value: Json): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else object[key] = value;
}

/** Whether two values are equal as JSON. The order of keys does not matter. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => equalJson(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && equalJson(a[key], b[key]));
}

/** A deep copy. Several times as fast as `structuredClone`, which supports more than JSON. */
export function copyJson<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = new Array<unknown>(value.length);
    for (let at = 0; at < value.length; at += 1) items[at] = copyJson(value[at] as unknown);
    return items as T;
  }
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) {
    const child = copyJson((value as JsonObject)[key]) as Json;
    if (key === '__proto__') put(copy, key, child);
    else copy[key] = child;
  }
  return copy as T;
}

/**
 * The maximum nesting depth of a document. A Go server stops at 10,000; the functions here are recursive, and a stack of a megabyte is not
 * enough for that. Real objects are far below either limit.
 */
export const maxDepth = 1000;

export function isTooDeep(value: Json, limit = maxDepth): boolean {
  let level: Json[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    const next: Json[] = [];
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue;
      for (const child of Array.isArray(item) ? item : Object.values(item)) {
        if (typeof child === 'object' && child !== null) next.push(child);
      }
    }
    level = next;
  }
  return false;
}
