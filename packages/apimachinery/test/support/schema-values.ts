import fc from 'fast-check';
import type { Json, JsonObject } from '../../src/json/json-value.ts';
import type { Field, ObjectSchema, Schema } from '../../src/schema/schema.ts';

/** Objects as a Go client would write them: no zero that a non-pointer field would drop, no empty list or map. */
export function objectOf(schema: ObjectSchema, depth: number): fc.Arbitrary<JsonObject> {
  const parts = [...schema.fields.values()].flatMap((field) => {
    const value = arbitraryOf(field.schema, depth - 1);
    return value && inProtobuf(schema, field) ? [[field.name, value.filter((each) => kept(field, each))] as const] : [];
  });
  const requiredKeys = parts.map(([name]) => name).filter((name) => schema.fields.get(name)?.mandatory);
  return fc.record(Object.fromEntries(parts), { requiredKeys, noNullPrototype: true }) as fc.Arbitrary<JsonObject>;
}

const inProtobuf = (schema: ObjectSchema, field: Field): boolean =>
  field.number !== undefined || (schema.inlined ?? []).some((part) => part.schema.fields.has(field.name));

function kept(field: Field, value: Json): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (field.schema.type === 'map') return Object.keys(value as JsonObject).length > 0;
  return field.pointer || field.always || (value !== '' && value !== 0 && value !== false);
}

function arbitraryOf(schema: Schema, depth: number): fc.Arbitrary<Json> | undefined {
  switch (schema.type) {
    case 'object':
      return depth < 0 ? undefined : objectOf(schema, depth);
    case 'list':
    case 'map': {
      const inner = arbitraryOf(schema.type === 'list' ? schema.items : schema.values, depth - 1);
      if (!inner) return undefined;
      if (schema.type === 'list') return fc.array(inner, { maxLength: 2 });
      return fc.dictionary(fc.string(), inner, { maxKeys: 2, noNullPrototype: true });
    }
    case 'bytes':
      return fc.uint8Array({ maxLength: 5 }).map((bytes) => Buffer.from(bytes).toString('base64'));
    case 'int32':
      return fc.integer();
    case 'int64':
      return fc.maxSafeInteger();
    case 'boolean':
      return fc.boolean();
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'quantity':
      return fc.constantFrom('1', '250m', '1Gi');
    case 'int-or-string':
      return fc.oneof(fc.integer(), fc.string());
    case 'time':
      return fc.constantFrom('2020-01-02T03:04:05Z', '1950-01-02T03:04:05Z');
    case 'micro-time':
      return fc.constantFrom('2020-01-02T03:04:05.000006Z');
    case 'any':
      return schema.name?.includes('PropsOr') ? undefined : fc.constantFrom<Json>({ a: [1, null] }, 'text', 5);
    default:
      return fc.string();
  }
}
