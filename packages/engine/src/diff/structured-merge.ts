import {
  applyConfiguration,
  decodeValue,
  type JsonObject,
  type KubeObject,
  type ManagedFieldsEntry,
  type ObjectSchema,
  unstructured,
} from '@fairlead/apimachinery';
import { keepLiveParts } from './keep-live-parts.ts';
import { withoutNullFields } from './merge.ts';
import { declared, declaredMetadata } from './normalize.ts';

/** For a kind without a schema: maps merge, and everything else is one value. */
export const anySchema: ObjectSchema = { type: 'object', fields: new Map(), preserveUnknown: true };

export interface StructuredMerge {
  readonly schema?: ObjectSchema | undefined;
  readonly manager: string;
  /** The managed fields of the live object; without them, no field is known to be ours. */
  readonly managedFields?: readonly ManagedFieldsEntry[] | undefined;
}

/**
 * The result of a server-side apply, as the server computes it: what we applied before and no longer declare is removed, unless another
 * manager owns it too. Throws if the manifest does not match the schema of the kind.
 */
export function structuredMerge(desired: KubeObject, live: KubeObject, options: StructuredMerge): KubeObject {
  const { schema = anySchema, manager, managedFields } = options;
  const { object } = applyConfiguration({
    live: { ...live, metadata: { ...live.metadata, ...(managedFields ? { managedFields: [...managedFields] } : {}) } },
    config: { ...withoutNullFields(ownConfiguration(desired)), apiVersion: live.apiVersion },
    schema,
    manager,
    apiVersion: live.apiVersion,
    force: true,
    now: '1970-01-01T00:00:00Z',
  });
  const merged = unstructured(object);
  const stored = unstructured(asStored(merged, schema));
  const { managedFields: _, ...metadata } = stored.metadata;
  return unstructured(keepLiveParts(schema, unstructured({ ...stored, metadata }), merged, unstructured(live)));
}

/** What a manifest may declare; the rest of metadata is written by the server. */
function ownConfiguration(desired: KubeObject): JsonObject {
  const { name, namespace } = desired.metadata;
  return {
    ...declared(unstructured(desired)),
    metadata: { name, ...(namespace ? { namespace } : {}), ...declaredMetadata(desired) },
  };
}

/** An object of a built-in kind as the server stores it: without unknown fields and zero values. */
function asStored(object: JsonObject, schema: ObjectSchema): JsonObject {
  if (schema.name === undefined) return object;
  const decoded = decodeValue(object, schema, { fieldValidation: 'Ignore' });
  return 'draft' in decoded ? unstructured(decoded.draft) : object;
}
