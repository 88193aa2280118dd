import { isObject, type Json, type JsonObject, type Structural } from '@fairlead/apimachinery';

const resourceFields = new Set(['apiVersion', 'kind', 'metadata']);

/** Removes the fields that the schema of a custom resource does not have. The fixed fields at its root are kept. */
export function pruneResource(object: JsonObject, schema: Structural): void {
  prune(object, { ...schema, embedded: true });
}

export function prune(value: Json | undefined, schema: Structural | undefined): void {
  if (schema?.preserveUnknown) pruneBelowPreserved(value, schema);
  else if (Array.isArray(value)) for (const item of value) prune(item, schema?.items);
  else if (isObject(value)) {
    for (const [key, field] of Object.entries(value)) {
      if (schema?.embedded && resourceFields.has(key)) continue;
      const property = schema?.properties.get(key);
      if (property) prune(field, property);
      else if (schema?.additional !== undefined)
        prune(field, typeof schema.additional === 'object' ? schema.additional : undefined);
      else delete value[key];
    }
  }
}

/** If unknown fields are preserved, known ones are still pruned within. */
function pruneBelowPreserved(value: Json | undefined, schema: Structural | undefined): void {
  if (!schema) return;
  if (Array.isArray(value)) for (const item of value) pruneBelowPreserved(item, schema.items);
  else if (isObject(value)) {
    for (const [key, field] of Object.entries(value)) {
      if (schema.embedded && resourceFields.has(key)) continue;
      const property = schema.properties.get(key);
      if (property) prune(field, property);
      else if (schema.additional !== undefined)
        prune(field, typeof schema.additional === 'object' ? schema.additional : undefined);
    }
  }
}
