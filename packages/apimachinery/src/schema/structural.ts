import type { Json } from '../json/json-value.ts';
import type { JsonSchema, ValidationRule } from './json-schema.ts';

/**
 * A schema in the internal form of the server: maps instead of objects (a property may be called `__proto__`), absent keywords filled in.
 * Properties, items and additional define the structure of a value; the rest constrains it.
 */
export interface Structural {
  readonly type: string;
  readonly format: string;
  readonly nullable: boolean;
  readonly default: Json | undefined;
  readonly description: string;
  readonly properties: ReadonlyMap<string, Structural>;
  /** `true`: any additional properties; `false`: none. */
  readonly additional: Structural | boolean | undefined;
  readonly items: Structural | undefined;
  readonly preserveUnknown: boolean;
  readonly embedded: boolean;
  readonly intOrString: boolean;
  readonly listType: string | undefined;
  readonly mapKeys: readonly string[];
  readonly mapType: string | undefined;
  readonly rules: readonly ValidationRule[];
  readonly required: readonly string[];
  readonly enum: readonly Json[] | undefined;
  readonly maximum: number | undefined;
  readonly exclusiveMaximum: boolean;
  readonly minimum: number | undefined;
  readonly exclusiveMinimum: boolean;
  readonly multipleOf: number | undefined;
  readonly maxLength: number | undefined;
  readonly minLength: number | undefined;
  readonly pattern: string;
  readonly maxItems: number | undefined;
  readonly minItems: number | undefined;
  readonly maxProperties: number | undefined;
  readonly minProperties: number | undefined;
  readonly allOf: readonly Structural[];
  readonly anyOf: readonly Structural[];
  readonly oneOf: readonly Structural[];
  readonly not: Structural | undefined;
}

const each = (list: readonly JsonSchema[] | undefined): Structural[] => (list ?? []).map(structural);

export function structural(schema: JsonSchema): Structural {
  const { items, additionalProperties: additional, not } = schema;
  return {
    type: schema.type ?? '',
    format: schema.format ?? '',
    nullable: schema.nullable === true,
    // A null default is ignored.
    default: schema.default ?? undefined,
    description: schema.description ?? '',
    properties: new Map(
      Object.entries(schema.properties ?? {}).map(([name, property]) => [name, structural(property)]),
    ),
    additional: typeof additional === 'object' ? structural(additional) : additional,
    items: items && !Array.isArray(items) ? structural(items) : undefined,
    preserveUnknown: schema['x-kubernetes-preserve-unknown-fields'] === true,
    embedded: schema['x-kubernetes-embedded-resource'] === true,
    intOrString: schema['x-kubernetes-int-or-string'] === true,
    listType: schema['x-kubernetes-list-type'],
    mapKeys: schema['x-kubernetes-list-map-keys'] ?? [],
    mapType: schema['x-kubernetes-map-type'],
    rules: schema['x-kubernetes-validations'] ?? [],
    required: schema.required ?? [],
    enum: schema.enum,
    maximum: schema.maximum,
    exclusiveMaximum: schema.exclusiveMaximum === true,
    minimum: schema.minimum,
    exclusiveMinimum: schema.exclusiveMinimum === true,
    multipleOf: schema.multipleOf,
    maxLength: schema.maxLength,
    minLength: schema.minLength,
    pattern: schema.pattern ?? '',
    maxItems: schema.maxItems,
    minItems: schema.minItems,
    maxProperties: schema.maxProperties,
    minProperties: schema.minProperties,
    allOf: each(schema.allOf),
    anyOf: each(schema.anyOf),
    oneOf: each(schema.oneOf),
    not: not && structural(not),
  };
}

/** The schema of the values under a key: the property's own, or that of additional properties. */
export function childSchema(schema: Structural | undefined, key: string): Structural | undefined {
  const property = schema?.properties.get(key);
  if (property) return property;
  return typeof schema?.additional === 'object' ? schema.additional : undefined;
}

/** Whether any part of the structure satisfies the test. */
export function spineHas(schema: Structural, test: (schema: Structural) => boolean): boolean {
  if (test(schema)) return true;
  if (schema.items && spineHas(schema.items, test)) return true;
  if (typeof schema.additional === 'object' && spineHas(schema.additional, test)) return true;
  for (const property of schema.properties.values()) if (spineHas(property, test)) return true;
  return false;
}
