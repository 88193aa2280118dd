import { type FieldError, fieldError, type JsonSchema } from '@fairlead/apimachinery';
import { validateSchemaRules } from './cel/validate-rules.ts';
import { validateDefaults } from './validate-defaults.ts';
import { validateKeywords } from './validate-keywords.ts';
import { validateStructural } from './validate-structural.ts';

export interface SchemaOptions {
  readonly hasStatus: boolean;
  /** Whether rules that may exceed the cost limit are rejected. */
  readonly checksCost: boolean;
}

/** Keywords that are kept if the status is validated separately. */
const allowedAtRoot: Readonly<Record<string, string>> = {
  description: 'Description',
  type: 'Type',
  format: 'Format',
  title: 'Title',
  maximum: 'Maximum',
  exclusiveMaximum: 'ExclusiveMaximum',
  minimum: 'Minimum',
  exclusiveMinimum: 'ExclusiveMinimum',
  maxLength: 'MaxLength',
  minLength: 'MinLength',
  pattern: 'Pattern',
  maxItems: 'MaxItems',
  minItems: 'MinItems',
  uniqueItems: 'UniqueItems',
  multipleOf: 'MultipleOf',
  required: 'Required',
  items: 'Items',
  properties: 'Properties',
  externalDocs: 'ExternalDocs',
  example: 'Example',
  'x-kubernetes-preserve-unknown-fields': 'XPreserveUnknownFields',
  'x-kubernetes-validations': 'XValidations',
};

/** All validations of the schema of a CRD, in the order of kube-apiserver: its structure, its defaults, its keywords, its rules. */
export function validateDefinitionSchema(schema: JsonSchema, path: string, options: SchemaOptions): FieldError[] {
  const errors = options.hasStatus ? validateRootWithStatus(schema, path) : [];
  if (schema.nullable) errors.push(fieldError.forbidden(`${path}.nullable`, 'nullable cannot be true at the root'));
  const formErrors = hasUnreadableParts(schema) ? undefined : validateStructural(schema, path);
  const defaultErrors = formErrors?.length === 0 ? validateDefaults(schema, path) : [];
  errors.push(...(formErrors ?? []), ...defaultErrors);
  const isSound = formErrors?.length === 0 && defaultErrors.length === 0;
  const keywordErrors = validateKeywords(schema, path);
  errors.push(...keywordErrors);
  if (isSound) errors.push(...validateSchemaRules(schema, path, keywordErrors, options.checksCost));
  // The only part without a structural form that is not a forbidden keyword.
  if (errors.length === 0 && formErrors === undefined)
    errors.push(fieldError.invalid(path, '', "OpenAPIV3Schema 'schema' is not supported"));
  return errors;
}

function validateRootWithStatus(schema: JsonSchema, path: string): FieldError[] {
  if (schema.type && schema.type !== 'object')
    return [
      fieldError.invalid(
        `${path}.type`,
        schema.type,
        'only "object" is allowed as the type at the root of the schema if the status subresource is enabled',
      ),
    ];
  const odd = Object.entries(schema).some(
    ([key, value]) => value !== undefined && value !== false && !(key in allowedAtRoot),
  );
  if (!odd) return [];
  const names = Object.values(allowedAtRoot).join(' ');
  return [
    fieldError.invalid(
      path,
      schema,
      `only [${names}] fields are allowed at the root of the schema if the status subresource is enabled`,
    ),
  ];
}

/** Parts without a structural form: they are rejected as keywords, and the structure of the schema is not validated further. */
function hasUnreadableParts(schema: JsonSchema): boolean {
  const own =
    schema.id ||
    schema.$schema ||
    schema.$ref ||
    schema.additionalItems !== undefined ||
    schema['x-kubernetes-preserve-unknown-fields'] === false ||
    Array.isArray(schema.items) ||
    [schema.patternProperties, schema.dependencies, schema.definitions].some(
      (map) => map && Object.keys(map).length > 0,
    );
  if (own) return true;
  const { items, not, additionalProperties: additional } = schema;
  const children = [
    ...(items && !Array.isArray(items) ? [items] : []),
    ...(not ? [not] : []),
    ...(typeof additional === 'object' ? [additional] : []),
    ...(schema.allOf ?? []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...Object.values(schema.properties ?? {}),
  ];
  return children.some(hasUnreadableParts);
}
