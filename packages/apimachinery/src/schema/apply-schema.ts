import type { Field, ListSchema, ObjectSchema, ScalarSchema, Schema } from './schema.ts';
import type { Structural } from './structural.ts';

const any: ScalarSchema = { type: 'any' };

/**
 * The schema of a custom resource for decoding, server-side apply and OpenAPI. Lists are atomic by default, objects are granular, and
 * untyped values are atomic.
 */
export function applySchema(schema: Structural, metadata: ObjectSchema): ObjectSchema {
  const root = objectSchema(schema, metadata);
  return { ...root, fields: withResourceFields(root.fields, metadata) };
}

function toSchema(schema: Structural, metadata: ObjectSchema): Schema {
  if (schema.intOrString) return { type: 'int-or-string' };
  switch (schema.type) {
    case 'object':
      if (schema.properties.size > 0 || schema.embedded) return objectSchema(schema, metadata);
      if (typeof schema.additional === 'object')
        return { type: 'map', values: toSchema(schema.additional, metadata), ...atomicIf(schema) };
      if (schema.additional === true) return { type: 'map', values: any, ...atomicIf(schema) };
      return objectSchema(schema, metadata);
    case 'array':
      return listSchema(schema, metadata);
    case 'string':
      return { type: 'string' };
    case 'integer':
      return { type: schema.format === 'int32' ? 'int32' : 'int64' };
    case 'number':
      return { type: 'number' };
    case 'boolean':
      return { type: 'boolean' };
    default:
      return schema.properties.size > 0 ? objectSchema(schema, metadata) : any;
  }
}

const atomicIf = (schema: Structural): { atomic?: true } => (schema.mapType === 'atomic' ? { atomic: true } : {});

function listSchema(schema: Structural, metadata: ObjectSchema): ListSchema {
  const items = schema.items ? toSchema(schema.items, metadata) : any;
  if (schema.listType === 'map') return { type: 'list', items, listType: 'map', mapKeys: schema.mapKeys };
  return { type: 'list', items, listType: schema.listType === 'set' ? 'set' : 'atomic' };
}

function objectSchema(schema: Structural, metadata: ObjectSchema): ObjectSchema {
  const fields = new Map<string, Field>();
  for (const [name, property] of schema.properties) {
    fields.set(name, {
      name,
      schema: toSchema(property, metadata),
      ...(schema.required.includes(name) ? { required: true } : {}),
      ...(property.description ? { description: property.description } : {}),
      ...(property.default === undefined ? {} : { default: property.default }),
    });
  }
  return {
    type: 'object',
    fields: schema.embedded ? withResourceFields(fields, metadata) : fields,
    ...(schema.description ? { description: schema.description } : {}),
    ...atomicIf(schema),
    ...(schema.preserveUnknown ? { preserveUnknown: true } : {}),
    ...(schema.embedded ? { embedded: true } : {}),
  };
}

function withResourceFields(own: ReadonlyMap<string, Field>, metadata: ObjectSchema): ReadonlyMap<string, Field> {
  const string: ScalarSchema = { type: 'string' };
  const described = (name: string) => {
    const description = own.get(name)?.description;
    return description ? { description } : {};
  };
  return new Map<string, Field>([
    ['apiVersion', { name: 'apiVersion', schema: string, ...described('apiVersion') }],
    ['kind', { name: 'kind', schema: string, ...described('kind') }],
    ['metadata', { name: 'metadata', schema: metadata, ...described('metadata') }],
    ...[...own].filter(([name]) => name !== 'apiVersion' && name !== 'kind' && name !== 'metadata'),
  ]);
}
