import type { JsonObject } from '../json/json-value.ts';
import { badRequest } from '../meta/api-error.ts';
import type { ObjectSchema } from '../schema/schema.ts';
import { TypeMismatch } from './type-mismatch.ts';
import { decodeTyped } from './typed.ts';

/**
 * Returns the object as a Go server writes it: nulls and zero values of optional fields are dropped, fields that Go always writes are added
 * with their zero value, unknown fields are dropped, and quantities, times and the like are in canonical form. The argument is not changed.
 * Throws BadRequest for a value of the wrong type.
 */
export function normalize<T extends object>(object: T, schema: ObjectSchema): T {
  try {
    return decodeTyped(object as JsonObject, schema).object as T;
  } catch (error) {
    if (error instanceof TypeMismatch) throw badRequest(error.message);
    throw error;
  }
}
