import { isObject, type Json, own, parseGoDuration, type Structural, structural } from '@fairlead/apimachinery';
import { escapeName } from './escape.ts';
import { parseTimestamp } from './library/time.ts';
import { type Type, types } from './types.ts';
import { CelError, Duration, List, type ListKind, MapValue, ObjectValue, type Value } from './values.ts';

const known = new WeakMap<Structural, Map<boolean, Type | undefined>>();

/** The CEL type of a schema, or undefined if a schema is too unspecific. */
export function typeOfSchema(schema: Structural, isResource: boolean): Type | undefined {
  const perSchema = known.get(schema) ?? new Map<boolean, Type | undefined>();
  if (!perSchema.has(isResource)) perSchema.set(isResource, deriveType(schema, isResource));
  known.set(schema, perSchema);
  return perSchema.get(isResource);
}

function deriveType(schema: Structural, isResource: boolean): Type | undefined {
  if (schema.intOrString) return types.dyn;
  switch (schema.type) {
    case 'array': {
      const item = schema.items && typeOfSchema(schema.items, schema.items.embedded);
      return item && types.list(item);
    }
    case 'object': {
      if (typeof schema.additional === 'object') {
        const value = typeOfSchema(schema.additional, schema.additional.embedded);
        return value && types.map(types.string, value);
      }
      const fields = new Map<string, Type>();
      for (const [name, property] of propertiesOf(schema, isResource)) {
        const type = typeOfSchema(property, property.embedded);
        const escaped = escapeName(name);
        if (type && escaped !== undefined) fields.set(escaped, type);
      }
      return { kind: 'object', fields };
    }
    case 'string':
      return textType(schema.format);
    case 'boolean':
      return types.bool;
    case 'number':
      return types.double;
    case 'integer':
      return types.int;
    default:
      return undefined;
  }
}

function textType(format: string): Type {
  switch (format) {
    case 'byte':
      return types.bytes;
    case 'duration':
      return types.duration;
    case 'date':
    case 'date-time':
      return types.timestamp;
    default:
      return types.string;
  }
}

const text = structural({ type: 'string' });
const metadata = structural({
  type: 'object',
  properties: { name: { type: 'string' }, generateName: { type: 'string' } },
});

/** The root of a resource always has its type, and the name of its metadata. */
function propertiesOf(schema: Structural, isResource: boolean): ReadonlyMap<string, Structural> {
  if (!isResource) return schema.properties;
  return new Map([...schema.properties, ['apiVersion', text], ['kind', text], ['metadata', metadata]]);
}

/** A JSON value as a CEL value. */
export function celValue(json: Json, schema: Structural, isResource: boolean): Value {
  if (json === null) return null;
  if (schema.intOrString) return typeof json === 'number' ? integerOf(json) : plain(json);
  switch (schema.type) {
    case 'array': {
      const { items } = schema;
      if (!Array.isArray(json) || !items) throw mismatch(schema.type);
      return new List(json.length, (i) => celValue(json[i] ?? null, items, items.embedded), listKind(schema));
    }
    case 'object':
      return objectOf(json, schema, isResource);
    case 'string':
      return textOf(json, schema.format);
    case 'boolean':
      if (typeof json !== 'boolean') throw mismatch(schema.type);
      return json;
    case 'number':
      if (typeof json !== 'number') throw mismatch(schema.type);
      return json;
    case 'integer':
      if (typeof json !== 'number') throw mismatch(schema.type);
      return integerOf(json);
    default:
      return plain(json);
  }
}

const mismatch = (type: string): CelError => new CelError(`invalid data, expected a value of type ${type}`);
const integerOf = (json: number): Value => (Number.isInteger(json) ? BigInt(json) : json);

/** A value without a schema. */
export function plain(json: Json): Value {
  if (typeof json === 'number') return integerOf(json);
  if (Array.isArray(json)) return new List(json.length, (i) => plain(json[i] ?? null));
  if (!isObject(json)) return json;
  return new MapValue(
    new Map(Object.entries(json).map(([key, value]) => [`s${key}`, { key, value: () => plain(value) }])),
  );
}

function objectOf(json: Json, schema: Structural, isResource: boolean): Value {
  if (!isObject(json)) throw mismatch('object');
  const { additional } = schema;
  if (typeof additional === 'object')
    return new MapValue(
      new Map(
        Object.entries(json).map(([key, value]) => [
          `s${key}`,
          { key, value: () => celValue(value, additional, additional.embedded) },
        ]),
      ),
    );
  const properties = propertiesOf(schema, isResource);
  const fields = new Map<string, { value: Json; schema: Structural }>();
  for (const [name, property] of properties) {
    const value = own(json, name);
    const escaped = value === undefined ? undefined : escapeName(name);
    if (value !== undefined && escaped !== undefined) fields.set(escaped, { value, schema: property });
  }
  return new ObjectValue({
    get(field) {
      const found = fields.get(field);
      return found && celValue(found.value, found.schema, found.schema.embedded);
    },
    fields: () => fields.keys(),
  });
}

function textOf(json: Json, format: string): Value {
  if (typeof json !== 'string') throw mismatch('string');
  switch (format) {
    case 'byte':
      return new Uint8Array(Buffer.from(json, 'base64'));
    case 'duration': {
      const nanos = parseGoDuration(json);
      if (nanos === undefined) throw new CelError(`Invalid duration ${json}`);
      return new Duration(nanos);
    }
    case 'date':
      return parseTimestamp(`${json}T00:00:00Z`);
    case 'date-time':
      return parseTimestamp(json);
    default:
      return json;
  }
}

function listKind(schema: Structural): ListKind | undefined {
  if (schema.listType === 'set') return { type: 'set', keyOf: identityOf };
  if (schema.listType !== 'map') return undefined;
  const keys = schema.mapKeys.map((key) => escapeName(key) ?? key);
  return {
    type: 'map',
    keyOf: (item) =>
      item instanceof ObjectValue
        ? keys.map((key) => identityOf(item.source.get(key) ?? null)).join('\0')
        : identityOf(item),
  };
}

/** A text that is equal for equal values. */
export function identityOf(value: Value): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value === null || typeof value !== 'object') return String(value);
  if (value instanceof List) return `[${[...value].map(identityOf).join()}]`;
  if (value instanceof MapValue)
    return `{${[...value.entries()]
      .map(([k, v]) => `${identityOf(k)}:${identityOf(v)}`)
      .sort()
      .join()}}`;
  if (value instanceof ObjectValue)
    return `{${[...value.source.fields()]
      .sort()
      .map((f) => `${f}:${identityOf(value.source.get(f) ?? null)}`)
      .join()}}`;
  if (value instanceof Uint8Array) return `b${Buffer.from(value).toString('hex')}`;
  return 'nanos' in value ? `t${value.nanos}` : JSON.stringify(value, (_, v) => (typeof v === 'bigint' ? `${v}` : v));
}
