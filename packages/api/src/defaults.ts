import type { Json } from '@fairlead/apimachinery';
import type { StructuralSchema } from './schema.ts';

/**
 * The value with the schema's defaults filled in, as by an API server: a default applies if its parent object is present and the field is
 * not. Unchanged parts are shared with the input, which is not changed.
 */
export function applyDefaults<T>(schema: StructuralSchema, value: T): T {
  return fill(schema, value as Json) as T;
}

function fill(schema: StructuralSchema, value: Json): Json {
  if (Array.isArray(value)) {
    const items = schema.items;
    if (!items) return value;
    const filled = value.map((item) => fill(items, item));
    return filled.every((item, i) => item === value[i]) ? value : filled;
  }
  if (value === null || typeof value !== 'object') return value;
  let filled = value;
  const put = (name: string, child: Json): void => {
    if (filled === value) filled = { ...value };
    filled[name] = child;
  };
  for (const [name, child] of Object.entries(value)) {
    const schemaOfChild = schema.properties?.[name] ?? schema.additionalProperties;
    if (!schemaOfChild) continue;
    const next = fill(schemaOfChild, child);
    if (next !== child) put(name, next);
  }
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    if (child.default !== undefined && value[name] === undefined)
      put(name, fill(child, structuredClone(child.default)));
  }
  return filled;
}
