import { type FieldError, fieldError, type JsonSchema } from '@fairlead/apimachinery';
import { validateListKeywords } from './validate-list-keywords.ts';
import { validateRuleFields } from './validate-rule-fields.ts';

const knownTypes = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

/** The position in a schema, which determines what is forbidden. */
interface SchemaLocation {
  readonly isRoot: boolean;
  /** Within apiVersion, kind or metadata of a resource. */
  readonly insideMeta: boolean;
  /** Why there may be no defaults, if so. */
  readonly noDefaults: string | undefined;
}

const resourceFields = ['metadata', 'kind', 'apiVersion'];

/** Keywords that CRDs may not use, and those that exclude each other. */
export function validateKeywords(schema: JsonSchema, path: string): FieldError[] {
  return visit(schema, path, { isRoot: true, insideMeta: false, noDefaults: undefined });
}

function visit(schema: JsonSchema, path: string, location: SchemaLocation): FieldError[] {
  const errors = validateForbidden(schema, path, location);
  const inner: SchemaLocation = { ...location, isRoot: false };
  const { additionalProperties: additional, properties, items } = schema;

  if (additional !== undefined) {
    const hasProperties = Object.keys(properties ?? {}).length > 0;
    if (hasProperties && additional !== true)
      errors.push(
        fieldError.forbidden(
          `${path}.additionalProperties`,
          'additionalProperties and properties are mutual exclusive',
        ),
      );
    if (typeof additional === 'object')
      errors.push(
        ...visit(additional, `${path}.additionalProperties`, {
          ...inner,
          noDefaults: location.insideMeta
            ? 'inside additionalProperties applying to object metadata'
            : location.noDefaults,
        }),
      );
  }
  for (const [name, property] of Object.entries(properties ?? {})) {
    const isMeta =
      (location.isRoot || schema['x-kubernetes-embedded-resource'] === true) && resourceFields.includes(name);
    errors.push(
      ...visit(property, `${path}.properties[${name}]`, {
        isRoot: false,
        insideMeta: location.insideMeta || isMeta,
        noDefaults: isMeta && location.isRoot ? `in top-level ${name}` : location.noDefaults,
      }),
    );
  }
  if (schema.not) errors.push(...visit(schema.not, `${path}.not`, inner));
  for (const name of ['allOf', 'oneOf', 'anyOf'] as const)
    for (const [index, part] of (schema[name] ?? []).entries())
      errors.push(...visit(part, `${path}.${name}[${index}]`, inner));
  for (const [name, part] of Object.entries(schema.definitions ?? {}))
    errors.push(...visit(part, `${path}.definitions[${name}]`, inner));
  if (Array.isArray(items))
    for (const [index, part] of items.entries()) errors.push(...visit(part, `${path}.items[${index}]`, inner));
  else if (items) errors.push(...visit(items, `${path}.items`, inner));

  if (schema['x-kubernetes-preserve-unknown-fields'] === false)
    errors.push(fieldError.invalid(`${path}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined'));
  errors.push(...validateListKeywords(schema, path), ...validateRuleFields(schema, path));
  return errors;
}

function validateForbidden(schema: JsonSchema, path: string, location: SchemaLocation): FieldError[] {
  const errors: FieldError[] = [];
  const forbid = (field: string, detail: string) => errors.push(fieldError.forbidden(`${path}.${field}`, detail));
  const unsupported = (field: string) => forbid(field, `${field} is not supported`);
  if (schema.type && !knownTypes.includes(schema.type))
    errors.push(fieldError.notSupported(`${path}.type`, schema.type, knownTypes));
  if (schema.default !== undefined && location.noDefaults !== undefined)
    forbid('default', `must not be set ${location.noDefaults}`);
  if (schema.id) unsupported('id');
  if (schema.additionalItems !== undefined) unsupported('additionalItems');
  for (const name of ['patternProperties', 'definitions'] as const)
    if (Object.keys(schema[name] ?? {}).length > 0) unsupported(name);
  if (schema.dependencies !== undefined) unsupported('dependencies');
  if (schema.$ref !== undefined) unsupported('$ref');
  if (schema.type === 'null') forbid('type', 'type cannot be set to null, use nullable as an alternative');
  if (Array.isArray(schema.items)) forbid('items', 'items must be a schema object and not an array');
  if (location.insideMeta && schema['x-kubernetes-embedded-resource'])
    forbid('x-kubernetes-embedded-resource', 'must not be used inside of resource meta');
  if (schema.uniqueItems)
    forbid('uniqueItems', 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic');
  return errors;
}
