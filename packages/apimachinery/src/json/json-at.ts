import { isObject, type Json, type JsonObject } from './json-value.ts';

export type { JsonObject };

/** Readers for objects of unknown structure. A missing value or one of another type is undefined, never an exception. */
export function at(value: unknown, ...path: readonly (string | number)[]): Json | undefined {
  let here = value as Json | undefined;
  for (const step of path) {
    if (here === null || typeof here !== 'object') return undefined;
    here = (here as Record<string | number, Json | undefined>)[step];
  }
  return here;
}

/** Empty if missing, as in Go. */
export function textAt(value: unknown, ...path: readonly string[]): string {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : '';
}

/** 0 if missing, as in Go. */
export function numberAt(value: unknown, ...path: readonly string[]): number {
  const found = at(value, ...path);
  return typeof found === 'number' ? found : 0;
}

export function listAt(value: unknown, ...path: readonly string[]): readonly Json[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** The objects of a list, without other items. */
export const objectsAt = (value: unknown, ...path: readonly string[]): JsonObject[] =>
  listAt(value, ...path).filter(isObject);

export function objectAt(value: unknown, ...path: readonly string[]): JsonObject | undefined {
  const found = at(value, ...path);
  return isObject(found) ? found : undefined;
}

/** The string values of an object, without other values. */
export function stringsAt(value: unknown, ...path: readonly string[]): Record<string, string> {
  const entries = Object.entries(objectAt(value, ...path) ?? {});
  return Object.fromEntries(entries.flatMap(([key, item]) => (typeof item === 'string' ? [[key, item]] : [])));
}

export const isJsonObject: (value: unknown) => value is JsonObject = isObject;
