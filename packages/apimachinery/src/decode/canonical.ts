import { isObject, type Json, type JsonObject } from '../json/json-value.ts';
import type { ObjectSchema, Schema } from '../schema/schema.ts';
import { decodeScalar } from './scalars.ts';
import { isEmpty } from './typed.ts';

/**
 * Whether decoding an object by its type only adds fields to it: all of its fields are known, none is null or empty, and quantities, times
 * and the like are in canonical form. It saves the copies of `decodeTyped` for most manifests. Returns false in cases of doubt, such as for
 * values of any type.
 */
export function isCanonical(object: JsonObject, schema: ObjectSchema): boolean {
  for (const key of Object.keys(object)) {
    const field = schema.fields.get(key);
    const value = object[key] ?? null;
    if (!field || !isCanonicalValue(value, field.schema)) return false;
    if (!field.pointer && isEmpty(value, field.schema)) return false;
  }
  return true;
}

function isCanonicalValue(value: Json, schema: Schema): boolean {
  switch (schema.type) {
    case 'object':
      return isObject(value) && isCanonical(value, schema);
    case 'list':
      return Array.isArray(value) && value.every((item) => isCanonicalValue(item, schema.items));
    case 'map':
      return isObject(value) && Object.keys(value).every((key) => isCanonicalValue(value[key] ?? null, schema.values));
    default:
      return value !== null && decodeScalar(value, schema.type) === value;
  }
}
