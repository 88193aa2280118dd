import { at, isJsonObject, type Json, type JsonObject } from '@fairlead/apimachinery';

/** A copy of the object with a value at a path. Objects on the way are created; a value of another type there is replaced. */
export function withValue(object: JsonObject, [name, ...rest]: readonly string[], value: Json): JsonObject {
  if (name === undefined) return object;
  const before = object[name];
  const inner = rest.length === 0 ? value : withValue(isJsonObject(before) ? before : {}, rest, value);
  return { ...object, [name]: inner };
}

/** A copy of the object without the value at a path. */
export function withoutValue(object: JsonObject, path: readonly string[]): JsonObject {
  const [name, ...rest] = path;
  if (name === undefined || at(object, ...path) === undefined) return object;
  if (rest.length > 0) {
    const inner = object[name];
    return isJsonObject(inner) ? { ...object, [name]: withoutValue(inner, rest) } : object;
  }
  const { [name]: _, ...others } = object;
  return others;
}

export const withAnnotation = (object: JsonObject, name: string, value: string): JsonObject =>
  withValue(object, ['metadata', 'annotations', name], value);

export const withoutAnnotation = (object: JsonObject, name: string): JsonObject =>
  withoutValue(object, ['metadata', 'annotations', name]);
