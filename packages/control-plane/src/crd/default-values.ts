import { childSchema, type Json, type Structural } from '@fairlead/apimachinery';
import { isObject } from './prune.ts';

/**
 * Fills in what the schema gives defaults for, in place. A null that is not allowed to be one is taken for absent: it gets the
 * default, or goes.
 */
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
      if (isForbiddenNull(item, schema.items) && schema.items?.default !== undefined)
        value[index] = copy(schema.items.default);
      fill(value[index]!, schema.items);
    }
  } else if (isObject(value)) {
    for (const [key, property] of schema.properties) {
      if (property.default === undefined) continue;
      if (!Object.hasOwn(value, key) || isForbiddenNull(value[key], property)) value[key] = copy(property.default);
    }
    for (const key of Object.keys(value)) {
      const child = childSchema(schema, key);
      if (isForbiddenNull(value[key], child) && child?.default !== undefined) value[key] = copy(child.default);
      fill(value[key]!, child);
    }
  }
}

const copy = (value: Json): Json => (typeof value === 'object' ? structuredClone(value) : value);
