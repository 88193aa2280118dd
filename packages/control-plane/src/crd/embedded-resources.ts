import {
  childSchema,
  dns1035Label,
  type FieldError,
  fieldError,
  isObject,
  type Json,
  type JsonObject,
  nameRules,
  type Structural,
} from '@fairlead/apimachinery';
import { validateObjectMeta } from '../metadata/validate.ts';
import type { Draft } from '../resource.ts';

/** Validates the type and metadata of embedded resources (`x-kubernetes-embedded-resource`). */
export function validateEmbedded(value: Json, schema: Structural | undefined, path = ''): FieldError[] {
  if (!schema) return [];
  if (Array.isArray(value)) return value.flatMap((item, i) => validateEmbedded(item, schema.items, `${path}[${i}]`));
  if (!isObject(value)) return [];
  const own = schema.embedded ? validateResource(value, path) : [];
  const within = Object.entries(value).flatMap(([key, field]) =>
    validateEmbedded(field, childSchema(schema, key), schema.properties.has(key) ? join(path, key) : `${path}[${key}]`),
  );
  return [...own, ...within];
}

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

function validateResource(value: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const required = ['apiVersion', 'kind'].filter((key) => !Object.hasOwn(value, key));
  errors.push(...required.map((key) => fieldError.required(join(path, key))));
  for (const key of ['apiVersion', 'kind'] as const) {
    const text = value[key];
    if (text === undefined) continue;
    const problem =
      typeof text === 'string' ? (key === 'kind' ? kindProblem(text) : versionProblem(text)) : 'must be a string';
    if (problem) errors.push(fieldError.invalid(join(path, key), text, problem));
  }
  if (isObject(value.metadata)) errors.push(...validateMetadata(value.metadata, join(path, 'metadata')));
  return errors;
}

function kindProblem(kind: string): string | undefined {
  if (kind === '') return 'must not be empty';
  const problems = dns1035Label(kind.toLowerCase());
  return problems.length > 0 ? `may have mixed case, but should otherwise match: ${problems.join(',')}` : undefined;
}

function versionProblem(apiVersion: string): string | undefined {
  if (apiVersion === '') return 'must not be empty';
  return apiVersion.split('/').length > 2 ? `unexpected GroupVersion string: ${apiVersion}` : undefined;
}

/** Any path segment is a valid name; the name may also be missing. */
function validateMetadata(metadata: JsonObject, path: string): FieldError[] {
  const draft = { metadata: { ...metadata, name: metadata.name || 'any' } } as unknown as Draft;
  return validateObjectMeta(draft, {
    namespaced: Boolean(metadata.namespace),
    validateName: nameRules.pathSegment,
    anyFinalizer: true,
  }).map((error) => ({ ...error, field: error.field.replace(/^metadata/, path) }));
}
