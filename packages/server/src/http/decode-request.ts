import {
  decodeTyped,
  describeSyntaxError,
  formatTime,
  goValue,
  isObject,
  type Json,
  type JsonObject,
  type ObjectSchema,
  own,
  put,
  type Schema,
  TypeMismatch,
} from '@fairlead/apimachinery';
import { parseBool } from '../accounts/account.ts';
import { messageNamed } from '../messages/message-types.ts';
import type { Route } from '../messages/routes.ts';
import { invalidArgument, RpcError } from '../rpc/rpc-error.ts';

export interface RawRequest {
  readonly pathValues: readonly (readonly [field: readonly string[], value: string])[];
  readonly query: URLSearchParams;
  readonly body: string;
}

/** The request message of a call, from path, query and body. The errors are those of Argo CD's gateway. */
export function decodeRequest(route: Route, { pathValues, query, body }: RawRequest): JsonObject {
  const schema = messageNamed(route.request);
  const message: JsonObject = {};
  if (route.body === '*') Object.assign(message, decodeBody(body, schema) ?? {});
  else if (route.body !== '') {
    const field = schema.fields.get(route.body)?.schema;
    const value = field && decodeBody(body, field);
    if (value !== undefined) message[route.body] = value;
  }
  for (const [path, value] of pathValues) {
    // The name of an Application is that in its metadata, whatever the path says.
    if (path.includes('metadata') && path[0] !== 'project') continue;
    setField(message, schema, path, [value], (problem) => {
      throw invalidArgument(`type mismatch, parameter: ${path.join('.')}, error: ${problem}`);
    });
  }
  if (route.body !== '*') readQuery(message, schema, query, route, pathValues);
  requireFields(message, schema);
  return message;
}

/** Fields of path and body are not read from the query. */
function readQuery(
  message: JsonObject,
  schema: ObjectSchema,
  query: URLSearchParams,
  { body }: Route,
  pathValues: RawRequest['pathValues'],
): void {
  for (const key of new Set(query.keys())) {
    const path = key.split('.');
    const isTaken = path[0] === body || pathValues.some(([field]) => field.join('.') === key);
    if (isTaken) continue;
    setField(message, schema, path, query.getAll(key), (problem) => {
      throw invalidArgument(problem);
    });
  }
}

/** Undefined for an empty body. */
function decodeBody(text: string, schema: Schema): Json | undefined {
  if (text.trim() === '') return undefined;
  const value = parseJson(text);
  if (value === null) return undefined;
  if (schema.type === 'string') {
    if (typeof value === 'string') return value;
    throw invalidArgument(`json: cannot unmarshal ${goValue(value)} into Go value of type string`);
  }
  if (schema.type !== 'object') return value;
  if (!isObject(value)) {
    const type = schema.name?.split('.').slice(-2).join('.') ?? '';
    throw invalidArgument(`json: cannot unmarshal ${goValue(value)} into Go value of type ${type}`);
  }
  readHugeNumbers(text, value, schema);
  try {
    return decodeTyped(value, schema).object;
  } catch (error) {
    if (error instanceof TypeMismatch) throw invalidArgument(error.message);
    throw error;
  }
}

function parseJson(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    const problem = describeSyntaxError(text);
    throw invalidArgument(problem === 'unexpected end of JSON input' ? 'unexpected EOF' : problem);
  }
}

/** The largest number that fits in 64 bits and that JavaScript can represent. */
const largest = 2 ** 63 - 1024;

/** JavaScript rounds numbers that do not fit in 53 bits; Go reads those of 64 bits, and refuses others. */
function readHugeNumbers(text: string, value: JsonObject, { name = '', fields }: ObjectSchema): void {
  for (const [key, field] of fields) {
    const number = value[key];
    if (field.schema.type !== 'int64' || typeof number !== 'number' || Number.isSafeInteger(number)) continue;
    const digits = new RegExp(`"${key}"\\s*:\\s*(-?\\d+)`, 'u').exec(text)?.[1] ?? '';
    if (digits === '') continue;
    if (!isInt64(digits)) {
      throw invalidArgument(
        `json: cannot unmarshal number ${digits} into Go struct field ${name.split('.').at(-1)}.${key} of type int64`,
      );
    }
    put(value, key, Math.max(-largest, Math.min(largest, number)));
  }
}

const isInt64 = (digits: string): boolean => BigInt.asIntN(64, BigInt(digits)) === BigInt(digits);

/** Sets a field to what a text says. Fields that do not exist are ignored. */
function setField(
  message: JsonObject,
  schema: ObjectSchema,
  path: readonly string[],
  texts: readonly string[],
  refuse: (problem: string) => never,
): void {
  let target = message;
  let type: Schema = schema;
  for (const name of path.slice(0, -1)) {
    const field: Schema | undefined = type.type === 'object' ? type.fields.get(name)?.schema : undefined;
    if (field?.type === 'time') return setSeconds(target, name, path.at(-1) ?? '', texts[0] ?? '', refuse);
    if (field?.type === 'list') refuse(`unexpected repeated field in ${path.join('.')}`);
    if (field?.type !== 'object') return;
    const child = own(target, name);
    const next = isObject(child) ? child : {};
    put(target, name, next);
    [target, type] = [next, field];
  }
  const last = path.at(-1) ?? '';
  const field = type.type === 'object' ? type.fields.get(last)?.schema : undefined;
  if (!field || field.type === 'map') return;
  if (field.type === 'object') refuse(`field type *${field.name} is not supported in query parameters`);
  if (field.type !== 'list') return void put(target, last, readText(texts[0] ?? '', field, refuse));
  const { items } = field;
  if (items.type === 'object') refuse(`unsupported field type *${items.name}`);
  put(
    target,
    last,
    texts.map((text) => readText(text, items, refuse)),
  );
}

/** `sinceTime.seconds`: a time is a message of seconds and nanoseconds in protobuf. Kubernetes reads whole seconds. */
function setSeconds(
  target: JsonObject,
  name: string,
  part: string,
  text: string,
  refuse: (problem: string) => never,
): void {
  if (part !== 'seconds') return;
  const time = Number(readText(text, { type: 'int64' }, refuse)) * 1_000;
  // Beyond what a Date can represent.
  if (Math.abs(time) > 8.64e15) refuse(`${name}: the time is out of range`);
  put(target, name, formatTime(time));
}

function readText(text: string, schema: Schema, refuse: (problem: string) => never): Json {
  switch (schema.type) {
    case 'boolean':
      return parseBool(text) ?? refuse(`strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`);
    case 'int32':
    case 'int64': {
      if (!/^[+-]?\d+$/u.test(text)) return refuse(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
      const bits = schema.type === 'int32' ? 32 : 64;
      if (BigInt.asIntN(bits, BigInt(text.replace('+', ''))) !== BigInt(text.replace('+', ''))) {
        return refuse(`strconv.ParseInt: parsing ${JSON.stringify(text)}: value out of range`);
      }
      return Number(text);
    }
    default:
      return text;
  }
}

/** A message without a required field cannot be sent. It is written from its end, so the last one that is missing is named. */
function requireFields(message: JsonObject, schema: ObjectSchema): void {
  const fields = [...schema.fields].sort(([, a], [, b]) => (b.number ?? 0) - (a.number ?? 0));
  for (const [name, field] of fields) {
    if (!field.required || own(message, name) !== undefined) continue;
    throw new RpcError(
      'Internal',
      `grpc: error while marshaling: proto: required field ${JSON.stringify(name)} not set`,
    );
  }
}
