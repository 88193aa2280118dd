import type { Json, JsonObject } from '../json/json-value.ts';
import type { Field, ObjectSchema, Schema } from '../schema/schema.ts';

const alwaysOf = new WeakMap<ObjectSchema, readonly Field[]>();

/** The fields that are on the wire even if they are not set. */
export function alwaysFields(schema: ObjectSchema): readonly Field[] {
  let fields = alwaysOf.get(schema);
  if (!fields) alwaysOf.set(schema, (fields = [...schema.fields.values()].filter((field) => field.always)));
  return fields;
}

/** The value that Go writes for a field that is not set. */
export const zeroOfField = (field: Field): Json => (field.pointer ? null : zeroOf(field.schema));

export function zeroOf(schema: Schema): Json {
  switch (schema.type) {
    case 'object':
      return zeroObject(schema);
    case 'string':
      return '';
    case 'int32':
    case 'int64':
    case 'number':
    case 'int-or-string':
      return 0;
    case 'boolean':
      return false;
    case 'quantity':
      return '0';
    case 'duration':
      return '0s';
    default:
      return null;
  }
}

function zeroObject(schema: ObjectSchema): JsonObject {
  const object: JsonObject = {};
  for (const field of alwaysFields(schema)) object[field.name] = zeroOfField(field);
  return object;
}
