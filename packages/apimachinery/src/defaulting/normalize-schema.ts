import { normalize } from '../decode/normalize.ts';
import { badRequest } from '../meta/api-error.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { typeNamed } from '../schema/type-table.ts';

const schemaType = () => typeNamed('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps');

/**
 * Normalizes, in place, the parts of a JSON schema that may be a schema or something else (`items`, `additionalProperties` …), which
 * decoding does not change: unknown fields are dropped. Throws BadRequest for a part that is neither a boolean nor a schema.
 */
export function normalizeSchema(schema: JsonSchema): void {
  for (const map of [schema.properties, schema.definitions, schema.patternProperties])
    for (const part of Object.values(map ?? {})) normalizeSchema(part);
  for (const list of [schema.allOf, schema.anyOf, schema.oneOf]) for (const part of list ?? []) normalizeSchema(part);
  if (schema.not) normalizeSchema(schema.not);
  normalizeItems(schema);
  for (const name of ['additionalProperties', 'additionalItems'] as const) {
    const part = schema[name];
    if (part === null) delete schema[name];
    else if (part !== undefined && typeof part !== 'boolean') schema[name] = normalized(part);
  }
  const { dependencies = {} } = schema;
  for (const [name, part] of Object.entries(dependencies))
    if (!Array.isArray(part)) dependencies[name] = normalized(part);
}

function normalizeItems(schema: JsonSchema): void {
  const { items } = schema;
  if (items === undefined) return;
  if (Array.isArray(items)) schema.items = items.map(normalized);
  else if (typeof items === 'object' && items !== null) schema.items = normalized(items);
  else delete schema.items;
}

function normalized(part: unknown): JsonSchema {
  if (typeof part !== 'object' || part === null || Array.isArray(part))
    throw badRequest(
      'CustomResourceDefinition in version "v1" cannot be handled as a CustomResourceDefinition: boolean or JSON schema expected',
    );
  const schema = normalize<JsonSchema>(part, schemaType());
  normalizeSchema(schema);
  return schema;
}
