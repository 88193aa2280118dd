import { apiError, type JsonSchema, normalise, typeNamed } from '@fairlead/apimachinery';
import type { Draft } from '../resource.ts';

const schemaType = () => typeNamed('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps');

/**
 * Some parts of a schema may be a schema or something else (`items`, `additionalProperties` …), so that decoding leaves them as they
 * came. Here they become what they must be, in place: fields that no schema has go, and what is neither is refused.
 */
export function settleSchema(schema: JsonSchema): void {
  for (const map of [schema.properties, schema.definitions, schema.patternProperties])
    for (const part of Object.values(map ?? {})) settleSchema(part);
  for (const list of [schema.allOf, schema.anyOf, schema.oneOf]) for (const part of list ?? []) settleSchema(part);
  if (schema.not) settleSchema(schema.not);
  settleItems(schema);
  for (const name of ['additionalProperties', 'additionalItems'] as const) {
    const part = schema[name];
    if (part === null) delete schema[name];
    else if (part !== undefined && typeof part !== 'boolean') schema[name] = settled(part);
  }
  for (const [name, part] of Object.entries(schema.dependencies ?? {}))
    if (!Array.isArray(part)) schema.dependencies![name] = settled(part);
}

function settleItems(schema: JsonSchema): void {
  const { items } = schema;
  if (items === undefined) return;
  if (Array.isArray(items)) schema.items = items.map(settled);
  else if (typeof items === 'object' && items !== null) schema.items = settled(items);
  else delete schema.items;
}

function settled(part: unknown): JsonSchema {
  if (typeof part !== 'object' || part === null || Array.isArray(part))
    throw apiError(
      400,
      'BadRequest',
      'CustomResourceDefinition in version "v1" cannot be handled as a CustomResourceDefinition: boolean or JSON schema expected',
    );
  const schema = normalise(part as unknown as Draft, schemaType()) as unknown as JsonSchema;
  settleSchema(schema);
  return schema;
}
