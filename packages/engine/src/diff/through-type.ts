import {
  decodeValue,
  isCanonical,
  isJsonObject,
  type Json,
  type JsonObject,
  type ObjectSchema,
  own,
  put,
  schemaOf,
  unstructured,
} from '@fairlead/apimachinery';
import { groupOf, versionOf } from '../resource-id.ts';

/** Argo CD has no types for these groups and compares their kinds as custom resources. */
const untypedGroups = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

/** The type by which objects of a built-in kind are compared; undefined for kinds that are compared as JSON. */
export function comparedType(apiVersion: string, kind: string): ObjectSchema | undefined {
  const group = groupOf(apiVersion);
  if (untypedGroups.has(group)) return undefined;
  const schema = schemaOf(group, versionOf(apiVersion), kind);
  return schema?.type === 'object' ? schema : undefined;
}

const typed = new WeakMap<JsonObject, JsonObject>();

/**
 * A manifest of a built-in kind as a server stores it: without nulls and zero values, quantities and times in canonical form. No field is
 * added. A manifest that does not match the type, or has unknown fields, is returned unchanged.
 */
export function throughType(object: JsonObject): JsonObject {
  let result = typed.get(object);
  if (!result) typed.set(object, (result = storedForm(object)));
  return result;
}

function storedForm(object: JsonObject): JsonObject {
  const schema = comparedType(String(object['apiVersion'] ?? ''), String(object['kind'] ?? ''));
  if (!schema || isCanonical(object, schema)) return object;
  const decoded = decodeValue(object, schema, { fieldValidation: 'Strict' });
  return 'draft' in decoded ? onlyFieldsOf(object, unstructured(decoded.draft)) : object;
}

/** The value without the fields that the manifest does not declare. */
export function onlyFieldsOf(manifest: JsonObject, value: JsonObject): JsonObject {
  const kept: JsonObject = {};
  for (const [name, declared] of Object.entries(manifest)) {
    const inner = own(value, name);
    if (inner !== undefined) put(kept, name, stripped(declared, inner));
  }
  return kept;
}

/** Items of a list are matched by position. Additional items were added by others, like additional fields. */
function stripped(declared: Json, value: Json): Json {
  if (isJsonObject(declared) && isJsonObject(value)) return onlyFieldsOf(declared, value);
  return Array.isArray(declared) && Array.isArray(value) ? onlyItemsOf(declared, value) : value;
}

export const onlyItemsOf = (declared: readonly Json[], value: readonly Json[]): Json[] =>
  value.slice(0, declared.length).map((item, i) => stripped(declared[i] ?? null, item));
