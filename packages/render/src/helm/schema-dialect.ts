import type { AnySchemaObject } from 'ajv';

export type Dialect = 'draft-04' | 'draft-06' | 'draft-07' | '2019-09' | '2020-12';

/** The dialect that a schema declares; the newest if it declares none. */
export function dialectOf({ $schema }: AnySchemaObject): Dialect {
  const named = String($schema ?? '');
  if (named.includes('draft-04')) return 'draft-04';
  if (named.includes('draft-06')) return 'draft-06';
  if (named.includes('draft-07')) return 'draft-07';
  return named.includes('2019-09') ? '2019-09' : '2020-12';
}

const mapsOfSchemas = ['properties', 'patternProperties', 'definitions', '$defs', 'dependentSchemas', 'dependencies'];
const listsOfSchemas = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'];
const schemas = [
  ...['items', 'additionalItems', 'additionalProperties', 'contains', 'not', 'if', 'then', 'else'],
  ...['propertyNames', 'unevaluatedItems', 'unevaluatedProperties', 'contentSchema'],
];

type Change = (schema: AnySchemaObject) => AnySchemaObject;

const isObject = (value: unknown): value is AnySchemaObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Applies a change to a schema and all its subschemas, but not to the names of properties. */
function throughout(schema: AnySchemaObject, change: Change): AnySchemaObject {
  const inner = (value: unknown): unknown => (isObject(value) ? throughout(value, change) : value);
  const changed: AnySchemaObject = { ...change(schema) };
  for (const [name, value] of Object.entries(changed)) {
    if (mapsOfSchemas.includes(name) && isObject(value))
      changed[name] = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inner(one)]));
    else if (listsOfSchemas.includes(name) && Array.isArray(value)) changed[name] = value.map(inner);
    else if (schemas.includes(name)) changed[name] = inner(value);
  }
  return changed;
}

/** Converts keywords of draft 4 to those of later drafts. */
const fromDraft04: Change = ({ id, exclusiveMinimum, exclusiveMaximum, ...rest }) => {
  const { minimum, maximum, ...others } = rest;
  return {
    ...others,
    ...(typeof id === 'string' ? { $id: id } : {}),
    ...(minimum === undefined ? {} : { [exclusiveMinimum === true ? 'exclusiveMinimum' : 'minimum']: minimum }),
    ...(maximum === undefined ? {} : { [exclusiveMaximum === true ? 'exclusiveMaximum' : 'maximum']: maximum }),
  };
};

/** Remote references are not fetched: they permit everything. */
const withoutElsewhere =
  (here: ReadonlySet<string>): Change =>
  (schema) => {
    const { $ref, ...rest } = schema;
    if (typeof $ref !== 'string' || $ref.startsWith('#')) return schema;
    const [place = ''] = $ref.split('#');
    return [...here].some((id) => id === place || id.endsWith(`/${place}`)) ? schema : rest;
  };

/** Keywords that the validator knows, and a draft does not. */
const laterKeywords: Partial<Record<Dialect, readonly string[]>> = {
  'draft-04': ['const', 'contains', 'propertyNames', 'if', 'then', 'else'],
  'draft-06': ['if', 'then', 'else'],
};

const without =
  (keywords: readonly string[]): Change =>
  (schema) =>
    Object.fromEntries(Object.entries(schema).filter(([name]) => !keywords.includes(name)));

/** The validator checks the type next to a reference even where it ignores the other keywords. */
const withoutTypeAtReference: Change = (schema) =>
  typeof schema['$ref'] === 'string' ? without(['type', 'nullable'])(schema) : schema;

/** Prepares a schema for the validator of its dialect. */
export function prepared(schema: AnySchemaObject, dialect: Dialect): AnySchemaObject {
  const { $schema: _, ...body } = schema;
  let result: AnySchemaObject = dialect === 'draft-04' ? throughout(body, fromDraft04) : body;
  const here = new Set<string>();
  throughout(result, (one) => {
    if (typeof one['$id'] === 'string') here.add(one['$id'].replace(/#.*$/su, ''));
    return one;
  });
  const later = laterKeywords[dialect];
  if (later) result = throughout(result, without(later));
  if (dialect.startsWith('draft-')) result = throughout(result, withoutTypeAtReference);
  return throughout(result, withoutElsewhere(here));
}
