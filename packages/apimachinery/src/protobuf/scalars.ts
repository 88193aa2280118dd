import type { Json } from '../json/json-value.ts';
import { apiError } from '../meta/api-error.ts';
import type { ScalarSchema, Schema } from '../schema/schema.ts';
import { decodeAny } from './any.ts';
import type { DecodeMessage } from './envelope.ts';
import { decodeTime } from './timestamp.ts';
import type { WireReader, WireType } from './wire-reader.ts';

const wireOf: Readonly<Record<ScalarSchema['type'], WireType>> = {
  string: 2,
  bytes: 2,
  int32: 0,
  int64: 0,
  boolean: 0,
  number: 1,
  quantity: 2,
  'int-or-string': 2,
  time: 2,
  'micro-time': 2,
  duration: 2,
  any: 2,
};

/** Numbers and booleans in a list may be separate or packed. */
export const readsPacked = (schema: Schema): schema is ScalarSchema =>
  schema.type === 'int32' || schema.type === 'int64' || schema.type === 'boolean';

/** One scalar; undefined if it is empty and has no zero value (a time, a raw value). */
export function decodeScalar(
  reader: WireReader,
  wire: WireType,
  schema: Exclude<Schema, { type: 'object' | 'list' | 'map' }>,
  depth: number,
  decode: DecodeMessage,
): Json | undefined {
  if (wire !== wireOf[schema.type]) {
    throw apiError(400, 'BadRequest', `the body is not valid protobuf: wire type ${wire} for a ${schema.type}`);
  }
  switch (schema.type) {
    case 'string':
      return reader.text();
    case 'bytes':
      return reader.bytes().toString('base64');
    case 'int32':
      return reader.int32();
    case 'int64':
      return Number(reader.int64());
    case 'boolean':
      return reader.int64() !== 0n;
    case 'number':
      return finite(reader.double());
    case 'quantity':
      return decodeQuantity(reader.message());
    case 'int-or-string':
      return decodeIntOrString(reader.message());
    case 'time':
    case 'micro-time':
      return decodeTime(reader.message(), schema.type);
    case 'any':
      return decodeAny(reader.message(), schema.name, depth, decode);
    case 'duration':
      throw new Error('no built-in type has a duration');
  }
}

/** Whether Go would omit the value of a field that is not a pointer. */
export function isZero(schema: ScalarSchema, value: Json): boolean {
  return schema.type !== 'any' && (value === '' || value === 0 || value === false);
}

function finite(value: number): number {
  if (Number.isFinite(value)) return value;
  throw apiError(400, 'BadRequest', `the body holds ${value}, which JSON cannot`);
}

function decodeQuantity(reader: WireReader): string {
  let text = '';
  while (!reader.done) {
    const { number, wire } = reader.tag();
    if (number === 1 && wire === 2) text = reader.text();
    else reader.skip(wire);
  }
  return text === '' ? '0' : text;
}

function decodeIntOrString(reader: WireReader): number | string {
  let isText = false;
  let int = 0;
  let text = '';
  while (!reader.done) {
    const { number, wire } = reader.tag();
    if (number === 1 && wire === 0) isText = reader.int64() === 1n;
    else if (number === 2 && wire === 0) int = reader.int32();
    else if (number === 3 && wire === 2) text = reader.text();
    else reader.skip(wire);
  }
  return isText ? text : int;
}
