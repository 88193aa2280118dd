import { type FieldError, fieldError, type JsonSchema } from '@fairlead/apimachinery';
import { compilePattern } from './patterns.ts';

type Level = 'root' | 'items' | 'field';

/**
 * Whether a schema is structural: every value has a type, and fields within `allOf`, `anyOf`, `oneOf` and `not` are also declared outside
 * of them. The errors are sorted, as in kube-apiserver.
 */
export function validateStructural(schema: JsonSchema, path: string): FieldError[] {
  const errors = [...validateSpine(schema, 'root', path), ...validateCompleteness(schema, schema, path, path)];
  const text = (error: FieldError) => `${error.field}: ${error.message}`;
  return errors.sort((a, b) => (text(a) < text(b) ? -1 : 1));
}

const itemsOf = (schema: JsonSchema): JsonSchema | undefined =>
  schema.items && !Array.isArray(schema.items) ? schema.items : undefined;

const propertiesOf = (schema: JsonSchema): [string, JsonSchema][] => Object.entries(schema.properties ?? {});

function validateSpine(schema: JsonSchema, level: Level, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const items = itemsOf(schema);
  if (schema.type === 'array' && !schema.items) errors.push(fieldError.required(`${path}.items`, 'must be specified'));
  if (items) errors.push(...validateSpine(items, 'items', `${path}.items`));
  for (const [name, property] of propertiesOf(schema))
    errors.push(...validateSpine(property, 'field', `${path}.properties[${name}]`));
  const { additionalProperties: additional } = schema;
  if (additional !== undefined && level === 'root')
    errors.push(fieldError.forbidden(`${path}.additionalProperties`, 'must not be used at the root'));
  if (typeof additional === 'object')
    errors.push(...validateSpine(additional, 'field', `${path}.additionalProperties`));
  errors.push(...validateExtensions(schema, path), ...validateValues(schema, path, isIntOrString(schema)));
  errors.push(...validateType(schema, level, path));
  if (level === 'root' || schema['x-kubernetes-embedded-resource'])
    errors.push(...validateResourceFields(schema, path));
  if (level === 'root' && schema.properties?.metadata)
    errors.push(...validateRootMetadata(schema.properties.metadata, `${path}.properties[metadata]`));
  return errors;
}

function validateExtensions(schema: JsonSchema, path: string): FieldError[] {
  if (!schema['x-kubernetes-int-or-string']) return [];
  const clash = (name: 'x-kubernetes-preserve-unknown-fields' | 'x-kubernetes-embedded-resource') =>
    schema[name]
      ? [fieldError.invalid(`${path}.${name}`, true, 'must be false if x-kubernetes-int-or-string is true')]
      : [];
  return [...clash('x-kubernetes-preserve-unknown-fields'), ...clash('x-kubernetes-embedded-resource')];
}

const missingType: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  items: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

function validateType(schema: JsonSchema, level: Level, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const { type } = schema;
  const at = `${path}.type`;
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  if (embedded && type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true';
    errors.push(type ? fieldError.invalid(at, type, detail) : fieldError.required(at, detail));
  } else if (!type && !schema['x-kubernetes-int-or-string'] && !schema['x-kubernetes-preserve-unknown-fields'])
    errors.push(fieldError.required(at, missingType[level]));
  if (embedded && schema.additionalProperties !== undefined)
    errors.push(
      fieldError.forbidden(`${path}.additionalProperties`, 'must not be used if x-kubernetes-embedded-resource is set'),
    );
  if (level === 'root' && type && type !== 'object')
    errors.push(fieldError.invalid(at, type, 'must be object at the root'));
  if (embedded && !schema['x-kubernetes-preserve-unknown-fields'] && propertiesOf(schema).length === 0)
    errors.push(
      fieldError.required(
        `${path}.properties`,
        'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
      ),
    );
  return errors;
}

function validateResourceFields({ properties }: JsonSchema, path: string): FieldError[] {
  const check = (name: string, type: string) => {
    const own = properties?.[name];
    if (!own || own.type === type) return [];
    return [fieldError.invalid(`${path}.properties[${name}].type`, own.type ?? '', `must be ${type}`)];
  };
  return [...check('kind', 'string'), ...check('apiVersion', 'string'), ...check('metadata', 'object')];
}

/** A CRD may restrict only the name in its metadata. */
function validateRootMetadata(metadata: JsonSchema, path: string): FieldError[] {
  const { type: _, description, properties, default: __, ...rest } = metadata;
  const names = Object.keys(properties ?? {});
  const onlyNames = names.every((name) => name === 'name' || name === 'generateName');
  const others = Object.values(rest).some((value) => value !== undefined);
  if (onlyNames && !others && description === undefined) return [];
  return [
    fieldError.forbidden(
      path,
      'must not specify anything other than name and generateName, but metadata is implicitly specified',
    ),
  ];
}

/** The two forms of int-or-string: alone, or first in `allOf`. */
const isIntOrString = (schema: JsonSchema): boolean =>
  schema.anyOf?.length === 2 && JSON.stringify(schema.anyOf) === '[{"type":"integer"},{"type":"string"}]';

function validateValues(schema: JsonSchema, path: string, skipAnyOf: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const each = (name: 'anyOf' | 'allOf' | 'oneOf') => {
    for (const [index, nested] of (schema[name] ?? []).entries())
      errors.push(
        ...validateNested(
          nested,
          `${path}.${name}[${index}]`,
          name === 'allOf' && index === 0 && isIntOrString(nested),
        ),
      );
  };
  if (!skipAnyOf) each('anyOf');
  each('allOf');
  each('oneOf');
  if (schema.not) errors.push(...validateNested(schema.not, `${path}.not`, false));
  if (schema.pattern) {
    const pattern = compilePattern(schema.pattern);
    if (pattern instanceof Error)
      errors.push(
        fieldError.invalid(
          `${path}.pattern`,
          schema.pattern,
          `must be a valid regular expression, but isn't: ${pattern.message}`,
        ),
      );
  }
  return errors;
}

/** Keywords of the structure, and the errors of kube-apiserver elsewhere. */
const spineOnly: readonly [keyof JsonSchema, string][] = [
  ['type', 'must be empty to be structural'],
  ['additionalProperties', 'must be undefined to be structural'],
  ['default', 'must be undefined to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['x-kubernetes-int-or-string', 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
];

/** For these the empty string is a value, too. */
const evenIfEmpty: readonly (keyof JsonSchema)[] = ['x-kubernetes-list-type', 'x-kubernetes-map-type'];

const isSet = (keyword: keyof JsonSchema, value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  (value !== '' || evenIfEmpty.includes(keyword)) &&
  value !== false &&
  !(Array.isArray(value) && value.length === 0);

function validateNested(schema: JsonSchema, path: string, skipAnyOf: boolean): FieldError[] {
  const errors = validateValues(schema, path, skipAnyOf);
  const items = itemsOf(schema);
  if (items) errors.push(...validateNested(items, `${path}.items`, false));
  for (const [name, property] of propertiesOf(schema))
    errors.push(...validateNested(property, `${path}.properties[${name}]`, false));
  for (const [keyword, detail] of spineOnly)
    if (isSet(keyword, schema[keyword])) errors.push(fieldError.forbidden(`${path}.${keyword}`, detail));
  if (schema.properties?.metadata)
    errors.push(fieldError.forbidden(`${path}.properties[metadata]`, 'must not be specified in a nested context'));
  return errors;
}

/** Every field that nested parts mention must be declared in the structural part. */
function validateCompleteness(
  nested: JsonSchema,
  spine: JsonSchema | undefined,
  spinePath: string,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const visit = (part: JsonSchema, at: string) =>
    errors.push(...validateNestedCompleteness(part, spine, spinePath, at));
  if (nested.not) visit(nested.not, `${path}.not`);
  for (const name of ['allOf', 'anyOf', 'oneOf'] as const)
    for (const [index, part] of (nested[name] ?? []).entries()) visit(part, `${path}.${name}[${index}]`);
  return errors;
}

function validateNestedCompleteness(
  nested: JsonSchema,
  spine: JsonSchema | undefined,
  spinePath: string,
  path: string,
): FieldError[] {
  if (!spine) return [fieldError.required(spinePath, `because it is defined in ${path}`)];
  const errors = validateCompleteness(nested, spine, spinePath, path);
  const items = itemsOf(nested);
  if (items) errors.push(...validateNestedCompleteness(items, itemsOf(spine), `${spinePath}.items`, `${path}.items`));
  for (const [name, property] of propertiesOf(nested)) {
    const own = spine.properties && Object.hasOwn(spine.properties, name) ? spine.properties[name] : undefined;
    errors.push(
      ...validateNestedCompleteness(property, own, `${spinePath}.properties[${name}]`, `${path}.properties[${name}]`),
    );
  }
  return errors;
}
