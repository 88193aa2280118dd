import { equalJson, type FieldError, fieldError, type Json, type JsonSchema, structural } from '@fairlead/apimachinery';
import { compileRules } from './cel/schema-rules.ts';
import { validateEmbedded } from './embedded-resources.ts';
import { prune } from './prune.ts';
import { validateValue } from './validate-value.ts';

/** Defaults must be valid for their schema, and have no unknown fields. */
export function validateDefaults(schema: JsonSchema, path: string): FieldError[] {
  const errors =
    schema.default === undefined || schema.default === null
      ? []
      : validateDefault(schema, schema.default, `${path}.default`);
  const { items } = schema;
  if (items && !Array.isArray(items)) errors.push(...validateDefaults(items, `${path}.items`));
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    errors.push(...validateDefaults(property, `${path}.properties[${name}]`));
  return errors;
}

function validateDefault(schema: JsonSchema, value: Json, path: string): FieldError[] {
  const compiled = structural(schema);
  const pruned = structuredClone(value);
  prune(pruned, compiled);
  const unknown = equalJson(pruned, value) ? [] : [fieldError.invalid(path, value, 'must not have unknown fields')];
  const embedded = validateEmbedded(value, compiled, path);
  if (embedded.length > 0) return [...unknown, ...embedded];
  const invalid = validateValue(value, compiled, path);
  if (invalid.length > 0) return [...unknown, ...invalid];
  const rules = compileRules(compiled, compiled.embedded);
  return [...unknown, ...(rules?.validate(value, undefined, { warn: () => {} }, path) ?? [])];
}
