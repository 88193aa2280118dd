import {
  decodeValue,
  type KubeObject,
  type ObjectSchema,
  schemaOf,
  textAt,
  unstructured,
} from '@fairlead/apimachinery';
import { groupOf, versionOf } from '../resource-id.ts';
import { customSchema } from './custom-schema.ts';

/**
 * The fields of a manifest that its kind does not have, such as `spec.replica`. The API server drops them, so the object stays OutOfSync.
 * `definition` is the CustomResourceDefinition of a custom kind. Empty for a kind whose schema is not known, and for a manifest that does
 * not match its schema at all: the server rejects that with its own message.
 */
export function unknownFields(object: KubeObject, definition?: KubeObject): readonly string[] {
  const builtIn = schemaOf(groupOf(object.apiVersion), versionOf(object.apiVersion), object.kind);
  if (builtIn?.type === 'object') return fieldsBeside(object, builtIn, false);
  const schema = definition && customSchema(definition, versionOf(object.apiVersion));
  return schema ? fieldsBeside(object, schema, true) : [];
}

function fieldsBeside(object: KubeObject, schema: ObjectSchema, custom: boolean): readonly string[] {
  const decoded = decodeValue(unstructured(object), schema, { fieldValidation: 'Warn', custom });
  if ('problem' in decoded) return [];
  return decoded.warnings.flatMap((warning) => /^unknown field "(.*)"$/u.exec(warning)?.[1] ?? []);
}

/** Whether a CustomResourceDefinition defines the kind of an object. */
export const defines = (definition: KubeObject, { apiVersion, kind }: KubeObject): boolean =>
  textAt(definition, 'spec', 'group') === groupOf(apiVersion) && textAt(definition, 'spec', 'names', 'kind') === kind;
