import {
  type Field,
  type JsonObject,
  type ObjectSchema,
  objectAt,
  type ScalarSchema,
  type Schema,
} from '@fairlead/apimachinery';
import { closedValues } from './closed-values.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** Scalars with a named definition in OpenAPI. */
const namedScalars: Readonly<Partial<Record<ScalarSchema['type'], string>>> = {
  quantity: 'io.k8s.apimachinery.pkg.api.resource.Quantity',
  'int-or-string': 'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
  time: `${meta}.Time`,
  'micro-time': `${meta}.MicroTime`,
  duration: `${meta}.Duration`,
};

const plainScalars: Readonly<Partial<Record<ScalarSchema['type'], JsonObject>>> = {
  string: { type: 'string' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  number: { type: 'number', format: 'double' },
  boolean: { type: 'boolean' },
  bytes: { type: 'string', format: 'byte' },
};

/** The definitions of those names, and of types with any JSON. */
export const scalarDefinitions: Readonly<Record<string, JsonObject>> = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': { oneOf: [{ type: 'string' }, { type: 'number' }] },
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': {
    format: 'int-or-string',
    oneOf: [{ type: 'integer' }, { type: 'string' }],
  },
  [`${meta}.Time`]: { type: 'string', format: 'date-time' },
  [`${meta}.MicroTime`]: { type: 'string', format: 'date-time' },
  [`${meta}.Duration`]: { type: 'string' },
  [`${meta}.FieldsV1`]: { type: 'object' },
  [`${meta}.Patch`]: { type: 'object' },
  'io.k8s.apimachinery.pkg.runtime.RawExtension': { type: 'object' },
};

export const refTo = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/** The definition of a type. `refer` is called with each referenced name. */
export function definitionOf(schema: ObjectSchema, refer: (schema: Schema, name: string) => void): JsonObject {
  const properties: JsonObject = {};
  const required: string[] = [];
  for (const field of schema.fields.values()) {
    properties[field.name] = limited(propertyOf(field, refer), closedValues(schema.name ?? '', field.name));
    if (field.required) required.push(field.name);
  }
  return {
    type: 'object',
    ...(schema.description ? { description: schema.description } : {}),
    ...(schema.fields.size ? { properties } : {}),
    ...(required.length ? { required } : {}),
    ...(schema.atomic ? { 'x-kubernetes-map-type': 'atomic' } : {}),
    ...(schema.preserveUnknown ? { 'x-kubernetes-preserve-unknown-fields': true } : {}),
    ...(schema.embedded ? { 'x-kubernetes-embedded-resource': true } : {}),
  };
}

/** In a list, each item is one of the values. */
function limited(property: JsonObject, words: readonly string[] | undefined): JsonObject {
  if (!words) return property;
  if (property['type'] !== 'array') return { ...property, enum: [...words] };
  return { ...property, items: { ...objectAt(property, 'items'), enum: [...words] } };
}

type Refer = (schema: Schema, name: string) => void;

function propertyOf(field: Field, refer: Refer): JsonObject {
  const { schema, patch } = field;
  const valueObject = schema.type === 'object' && field.always && !field.pointer;
  const fallback = field.default ?? (valueObject ? {} : undefined);
  const extras: JsonObject = {
    ...(fallback === undefined ? {} : { default: fallback }),
    ...(field.description ? { description: field.description } : {}),
    ...(patch ? { 'x-kubernetes-patch-strategy': patch.strategy.join(',') } : {}),
    ...(patch?.mergeKey ? { 'x-kubernetes-patch-merge-key': patch.mergeKey } : {}),
    ...mapTypeOf(schema),
  };
  return withExtras(shapeOf(schema, refer), extras);
}

/** Set at the field if it differs from the description of its type. */
function mapTypeOf(schema: Schema): JsonObject {
  if (schema.type === 'map') return schema.atomic ? { 'x-kubernetes-map-type': 'atomic' } : {};
  if (schema.type !== 'object' || schema.name === undefined || schema.atomic === undefined) return {};
  return schema.atomic ? {} : { 'x-kubernetes-map-type': 'granular' };
}

/** In OpenAPI 3.0 siblings of a `$ref` are ignored: additions of a field wrap it. */
const withExtras = (shape: JsonObject, extras: JsonObject): JsonObject =>
  shape['$ref'] !== undefined && Object.keys(extras).length ? { allOf: [shape], ...extras } : { ...shape, ...extras };

function shapeOf(schema: Schema, refer: Refer): JsonObject {
  switch (schema.type) {
    case 'object':
      if (schema.name === undefined) return definitionOf(schema, refer);
      refer(schema, schema.name);
      return refTo(schema.name);
    case 'list':
      return {
        type: 'array',
        items: elementOf(schema.items, refer),
        'x-kubernetes-list-type': schema.listType,
        ...(schema.mapKeys ? { 'x-kubernetes-list-map-keys': [...schema.mapKeys] } : {}),
      };
    case 'map':
      return { type: 'object', additionalProperties: elementOf(schema.values, refer) };
    case 'any':
      if (schema.name === undefined) return { 'x-kubernetes-preserve-unknown-fields': true };
      refer(schema, schema.name);
      return refTo(schema.name);
    default: {
      const name = namedScalars[schema.type];
      if (name === undefined) return { ...plainScalars[schema.type] };
      refer(schema, name);
      return refTo(name);
    }
  }
}

/** Elements of lists and maps are values, never pointers: their zero is their default. */
function elementOf(schema: Schema, refer: Refer): JsonObject {
  const zero = schema.type === 'object' ? {} : zeroes[schema.type];
  return withExtras(shapeOf(schema, refer), zero === undefined ? {} : { default: zero });
}

const zeroes: Readonly<Record<string, string | number | boolean>> = {
  string: '',
  int32: 0,
  int64: 0,
  number: 0,
  boolean: false,
};
