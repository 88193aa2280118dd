import type { Field, Json, JsonObject, ObjectSchema, ScalarSchema, Schema } from '@fairlead/apimachinery';
import { encodeAny } from './any-encode.ts';
import { encodeTime } from './timestamp.ts';
import type { WireWriter } from './wire-writer.ts';

/**
 * Encodes the JSON form of a type as its message. Absent and null values are omitted: for a reader they equal the zeros that Go writes.
 * Fields without a number (and unknown fields) do not exist in protobuf and are omitted.
 */
export function encodeMessage(writer: WireWriter, value: JsonObject, schema: ObjectSchema): void {
  for (const field of schema.fields.values()) {
    const present = value[field.name];
    if (field.number !== undefined && present !== undefined && present !== null) {
      encodeField(writer, field, field.number, present);
    }
  }
  for (const part of schema.inlined ?? []) {
    writer.message(part.number, (inner) => encodeMessage(inner, value, part.schema));
  }
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
