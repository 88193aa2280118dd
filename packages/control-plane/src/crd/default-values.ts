import { childSchema, isObject, type Json, type Structural } from '@fairlead/apimachinery';

/** Fills in the defaults of the schema, in place. A null that is not nullable counts as absent: it gets the default, or is removed. */
export function applyDefaults(value: Json, schema: Structural): void {
  dropNulls(value, schema);
  fill(value, schema);
}

const isForbiddenNull = (value: Json | undefined, schema: Structural | undefined): boolean =>
  value === null && schema !== undefined && !schema.nullable;

function dropNulls(value: Json, schema: Structural | undefined): void {
  if (Array.isArray(value)) for (const item of value) dropNulls(item, schema?.items);
  else if (isObject(value)) {
    for (const [key, field] of Object.entries(value)) {
      const child = childSchema(schema, key);
      if (isForbiddenNull(field, child) && child?.default === undefined) delete value[key];
      else dropNulls(field, child);
    }
  }
}

function fill(value: Json, schema: Structural | undefined): void {
  if (!schema) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const filled = defaulted(item, schema.items);
      if (filled !== item) value[index] = filled;
      fill(filled, schema.items);
    }
  } else if (isObject(value)) {
    for (const [key, property] of schema.properties) {
      if (property.default === undefined) continue;
      if (!Object.hasOwn(value, key) || isForbiddenNull(value[key], property)) value[key] = copy(property.default);
    }
    for (const [key, field] of Object.entries(value)) {
      const child = childSchema(schema, key);
      const filled = defaulted(field, child);
      if (filled !== field) value[key] = filled;
      fill(filled, child);
    }
  }
}

const defaulted = (value: Json, schema: Structural | undefined): Json =>
  isForbiddenNull(value, schema) && schema?.default !== undefined ? copy(schema.default) : value;

const copy = (value: Json): Json => (typeof value === 'object' ? structuredClone(value) : value);
