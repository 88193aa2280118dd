import type { ObjectSchema, Schema } from '@fairlead/apimachinery';
import { fromJSON, type MethodDefinition } from '@grpc/proto-loader';
import { messageNamed } from '../../src/messages/message-types.ts';

/** The messages with a fixed shape that scalars of the tables are. */
const known = {
  Time: { fields: { seconds: { type: 'int64', id: 1 }, nanos: { type: 'int32', id: 2 } } },
  IntOrString: {
    fields: { type: { type: 'int64', id: 1 }, intVal: { type: 'int32', id: 2 }, strVal: { type: 'string', id: 3 } },
  },
  Quantity: { fields: { string: { type: 'string', id: 1 } } },
  Raw: { fields: { raw: { type: 'bytes', id: 1 } } },
};

const scalars: Readonly<Record<string, string>> = {
  string: 'string',
  bytes: 'bytes',
  int32: 'int32',
  int64: 'int64',
  boolean: 'bool',
  number: 'double',
  quantity: 'Quantity',
  'int-or-string': 'IntOrString',
  time: 'Time',
  'micro-time': 'Time',
  any: 'Raw',
};

/** Decodes a message and encodes it again with `protobufjs`, which the server does not use. Fields that it does not know are lost. */
export function reencoder(name: string): (bytes: Buffer) => Buffer {
  const types: Record<string, object> = { ...known };
  const type = declare(messageNamed(name), types);
  const echo = { requestType: type, responseType: type, comment: '' };
  const root = fromJSON({ nested: { ...types, Test: { methods: { Echo: echo } } } }, { keepCase: true, longs: String });
  const service = root['Test'];
  const method = service && 'Echo' in service ? service['Echo'] : undefined;
  if (!isMethod(method)) throw new Error('no method Echo');
  return (bytes) => method.requestSerialize(method.requestDeserialize(bytes));
}

const isMethod = (value: unknown): value is MethodDefinition<object, object> =>
  typeof value === 'object' && value !== null && 'requestSerialize' in value;

/** Adds a type and those that it refers to; returns its name. */
function declare(schema: ObjectSchema, types: Record<string, object>): string {
  const name = (schema.name ?? '').replaceAll(/\W/gu, '_');
  if (types[name]) return name;
  const fields: Record<string, object> = {};
  types[name] = { fields };
  for (const field of schema.fields.values()) {
    if (field.number === undefined) continue;
    const { schema: type } = field;
    const id = field.number;
    const key = field.name.replaceAll(/\W/gu, '_');
    if (type.type === 'list' && !type.wrapped) fields[key] = { rule: 'repeated', type: typeOf(type.items, types), id };
    else if (type.type === 'map') fields[key] = { keyType: 'string', type: typeOf(type.values, types), id };
    else fields[key] = { ...(field.mandatory ? { rule: 'required' } : {}), type: typeOf(type, types), id };
  }
  for (const part of schema.inlined ?? []) {
    fields[`part${part.number}`] = { type: declare(part.schema, types), id: part.number };
  }
  return name;
}

function typeOf(schema: Schema, types: Record<string, object>): string {
  if (schema.type === 'object') return declare(schema, types);
  const scalar = scalars[schema.type];
  if (scalar === undefined) throw new Error(`no type for ${schema.type}`);
  return scalar;
}
