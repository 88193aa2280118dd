import { zeroOf } from '../decode/zero-values.ts';
import { type Json, type JsonObject, own } from '../json/json-value.ts';
import type { Field, ObjectSchema, ScalarSchema, Schema } from '../schema/schema.ts';
import { encodeAny } from './any-encode.ts';
import { encodeTime } from './timestamp.ts';
import type { WireWriter } from './wire-writer.ts';

/**
 * Writes the JSON form of a type as its message. What is absent or null stays absent: to a reader that is the same as the zeros that
 * Go writes out. Only mandatory fields are written with their zero: readers refuse a message without them. Fields without a number (and all that the table does not know) have no place in protobuf and are left out.
 */
export function encodeMessage(writer: WireWriter, value: JsonObject, schema: ObjectSchema): void {
  for (const field of schema.fields.values()) {
    if (field.number === undefined) continue;
    const present = own(value, field.name) ?? null;
    if (present !== null) encodeField(writer, field, field.number, present);
    else if (field.mandatory) encodeValue(writer, field.number, field.schema, zeroOf(field.schema));
  }
  for (const part of schema.inlined ?? []) {
    if (!hasAny(value, part.schema)) continue;
    writer.message(part.number, (inner) => encodeMessage(inner, value, part.schema));
  }
}

/** A part is a pointer in some types: an empty message would be another value than none. */
function hasAny(value: JsonObject, { fields }: ObjectSchema): boolean {
  for (const name of fields.keys()) if ((own(value, name) ?? null) !== null) return true;
  return false;
}

function encodeField(writer: WireWriter, { schema }: Field, number: number, value: Json): void {
  if (schema.type === 'list' && !schema.wrapped) {
    for (const item of value as Json[]) encodeValue(writer, number, schema.items, item);
  } else if (schema.type === 'map') {
    // Sorted, as in Go: the same object always gives the same bytes.
    for (const key of Object.keys(value as JsonObject).sort()) {
      writer.message(number, (entry) => {
        entry.text(1, key);
        encodeValue(entry, 2, schema.values, (value as JsonObject)[key]!);
      });
    }
  } else {
    encodeValue(writer, number, schema, value);
  }
}

function encodeValue(writer: WireWriter, number: number, schema: Schema, value: Json): void {
  if (schema.type === 'object') {
    writer.message(number, (inner) => encodeMessage(inner, (value ?? {}) as JsonObject, schema));
  } else if (schema.type === 'list') {
    writer.message(number, (inner) => {
      for (const item of (value ?? []) as Json[]) encodeValue(inner, 1, schema.items, item);
    });
  } else if (schema.type === 'map') {
    throw new Error('protobuf has no map of maps');
  } else {
    encodeScalar(writer, number, schema, value);
  }
}

function encodeScalar(writer: WireWriter, number: number, schema: ScalarSchema, value: Json): void {
  switch (schema.type) {
    case 'string':
      writer.text(number, String(value ?? ''));
      break;
    case 'bytes':
      writer.bytes(number, Buffer.from(String(value ?? ''), 'base64'));
      break;
    case 'int32':
    case 'int64':
      writer.int(number, Math.trunc(Number(value)));
      break;
    case 'boolean':
      writer.int(number, value === true ? 1 : 0);
      break;
    case 'number':
      writer.double(number, Number(value));
      break;
    case 'quantity':
      writer.message(number, (inner) => inner.text(1, String(value)));
      break;
    case 'int-or-string':
      writer.message(number, (inner) => {
        inner.int(1, typeof value === 'string' ? 1 : 0);
        inner.int(2, typeof value === 'number' ? value : 0);
        inner.text(3, typeof value === 'string' ? value : '');
      });
      break;
    case 'time':
    case 'micro-time':
      writer.message(number, (inner) => encodeTime(inner, String(value)));
      break;
    case 'any':
      writer.message(number, (inner) => encodeAny(inner, schema.name, value, encodeMessage));
      break;
    case 'duration':
      throw new Error('no built-in type has a duration');
  }
}
