import { zeroOf } from '../decode/zero-values.ts';
import type { Json, JsonObject } from '../json/json-value.ts';
import { apiError } from '../meta/api-error.ts';
import type { Field, ObjectSchema, Schema } from '../schema/schema.ts';
import { decodeEnvelope, type ExpectedKind } from './envelope.ts';
import { decodeScalar, isZero, readsPacked } from './scalars.ts';
import type { WireReader, WireType } from './wire-reader.ts';

/** A body of `application/vnd.kubernetes.protobuf` as the object that it would be in JSON. */
export const decodeProtobuf = (bytes: Buffer, expected?: ExpectedKind): JsonObject =>
  decodeEnvelope(bytes, decodeMessage, expected);

/** Deeper than any real object, and far below the stack limit. */
const deepest = 200;

/**
 * Decodes a message into the JSON form of its type. Unknown fields are skipped, as in Go. A zero that Go does not distinguish from absent
 * is omitted, so that the result equals the same object in JSON.
 */
export function decodeMessage(reader: WireReader, schema: ObjectSchema, depth = 0): JsonObject {
  const target: JsonObject = {};
  decodeInto(target, reader, schema, depth);
  return target;
}

type Part = Field | ObjectSchema;
const plans = new WeakMap<ObjectSchema, ReadonlyMap<number, Part>>();

/** Field number → field, or the inlined struct whose fields are those of the object. */
function planOf(schema: ObjectSchema): ReadonlyMap<number, Part> {
  let plan = plans.get(schema);
  if (!plan) {
    const made = new Map<number, Part>();
    for (const field of schema.fields.values()) if (field.number !== undefined) made.set(field.number, field);
    for (const part of schema.inlined ?? []) made.set(part.number, part.schema);
    plans.set(schema, (plan = made));
  }
  return plan;
}

function decodeInto(target: JsonObject, reader: WireReader, schema: ObjectSchema, depth: number): void {
  if (depth > deepest) throw apiError(400, 'BadRequest', 'the body is nested too deeply');
  const plan = planOf(schema);
  while (!reader.done) {
    const { number, wire } = reader.tag();
    const part = plan.get(number);
    if (!part) reader.skip(wire);
    else if ('fields' in part) decodeInto(target, messageIn(reader, wire, number), part, depth + 1);
    else decodeField(target, reader, wire, part, depth);
  }
}

function listIn(target: JsonObject, name: string): Json[] {
  const present = target[name];
  if (Array.isArray(present)) return present;
  const list: Json[] = [];
  target[name] = list;
  return list;
}

function decodeField(target: JsonObject, reader: WireReader, wire: WireType, field: Field, depth: number): void {
  const { name, schema } = field;
  if (schema.type === 'list' && !schema.wrapped) {
    const { items } = schema;
    if (wire !== 2 || !readsPacked(items)) {
      listIn(target, name).push(decodeValue(reader, wire, items, depth) ?? null);
      return;
    }
    // An empty list and none are the same in protobuf.
    for (const packed = reader.message(); !packed.done; )
      listIn(target, name).push(decodeScalar(packed, 0, items, 0, decodeMessage) ?? null);
    return;
  }
  if (schema.type === 'map') {
    const entry = decodeEntry(messageIn(reader, wire, field.number ?? 0), schema.values, depth + 1);
    put((target[name] ??= {}) as JsonObject, entry.key, entry.value);
    return;
  }
  if (schema.type === 'object') {
    const present = target[name];
    const into = present === undefined ? {} : (present as JsonObject);
    target[name] = into;
    decodeInto(into, messageIn(reader, wire, field.number ?? 0), schema, depth + 1);
    return;
  }
  const value = decodeValue(reader, wire, schema, depth);
  const omitted = !field.pointer && !field.always && schema.type !== 'list' && isZero(schema, value ?? null);
  if (value === undefined || omitted) delete target[name];
  else target[name] = value;
}

function decodeValue(reader: WireReader, wire: WireType, schema: Schema, depth: number): Json | undefined {
  switch (schema.type) {
    case 'object':
      return decodeMessage(messageIn(reader, wire, 0), schema, depth + 1);
    case 'list': {
      const list: Json[] = [];
      for (const inner = messageIn(reader, wire, 0); !inner.done; ) {
        const tag = inner.tag();
        if (tag.number === 1) list.push(decodeValue(inner, tag.wire, schema.items, depth + 1) ?? null);
        else inner.skip(tag.wire);
      }
      return list;
    }
    case 'map':
      throw new Error('protobuf has no map of maps');
    default:
      return decodeScalar(reader, wire, schema, depth, decodeMessage);
  }
}

function decodeEntry(reader: WireReader, values: Schema, depth: number): { key: string; value: Json } {
  let key = '';
  let value: Json | undefined;
  while (!reader.done) {
    const { number, wire } = reader.tag();
    if (number === 1 && wire === 2) key = reader.text();
    else if (number === 2) value = decodeValue(reader, wire, values, depth);
    else reader.skip(wire);
  }
  return { key, value: value ?? emptyValue(values) };
}

function emptyValue(schema: Schema): Json {
  if (schema.type === 'object') return {};
  if (schema.type === 'list') return [];
  return schema.type === 'bytes' ? '' : zeroOf(schema);
}

function messageIn(reader: WireReader, wire: WireType, number: number): WireReader {
  if (wire !== 2) throw apiError(400, 'BadRequest', `the body is not valid protobuf: field ${number} is not a message`);
  return reader.message();
}

/** Keys are external input: `__proto__` is an ordinary key. */
function put(target: JsonObject, key: string, value: Json): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[key] = value;
  }
}
