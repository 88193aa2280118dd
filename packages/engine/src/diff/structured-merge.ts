import {
  applyConfiguration,
  decodeValue,
  type JsonObject,
  type KubeObject,
  type ManagedFieldsEntry,
  type ObjectSchema,
} from '@fairlead/apimachinery';
import { withoutNulls } from './merge.ts';
import { declared, declaredMetadata } from './normalize.ts';
import { settle } from './settle.ts';

/** A kind that nobody has described: maps merge, and everything else is one value. */
export const anySchema: ObjectSchema = { type: 'object', fields: new Map(), preserveUnknown: true };

export interface StructuredMerge {
  readonly schema?: ObjectSchema | undefined;
  readonly manager: string;
  /** Who manages what of the live object; without it, nothing is known to have been ours. */
  readonly managedFields?: readonly ManagedFieldsEntry[] | undefined;
}

/**
 * What a live object becomes when `desired` is applied server-side, as the server would compute it: what we applied before and no
 * longer declare goes, unless somebody else owns it too. Throws where the declaration does not fit the kind's schema.
 */
export function structuredMerge(desired: KubeObject, live: KubeObject, options: StructuredMerge): KubeObject {
  const { schema = anySchema, manager, managedFields } = options;
  const config = withoutNulls(ownConfiguration(desired)) as JsonObject;
  const { object } = applyConfiguration({
    live: { ...live, metadata: { ...live.metadata, ...(managedFields ? { managedFields: [...managedFields] } : {}) } },
    config: config['apiVersion'] === live.apiVersion ? config : { ...config, apiVersion: live.apiVersion },
    schema,
    manager,
    apiVersion: live.apiVersion,
    force: true,
    now: '1970-01-01T00:00:00Z',
  });
  const stored = asStored(object as unknown as JsonObject, schema) as unknown as KubeObject;
  const { managedFields: _, ...metadata } = stored.metadata;
  const predicted = { ...stored, metadata } as unknown as JsonObject;
  return settle(
    schema,
    predicted,
    object as unknown as JsonObject,
    live as unknown as JsonObject,
  ) as unknown as KubeObject;
}

/** What a manifest may say: the rest of metadata is the server's. */
function ownConfiguration(desired: KubeObject): JsonObject {
  const { name, namespace } = desired.metadata;
  return {
    ...declared(desired as unknown as JsonObject),
    metadata: { name, ...(namespace ? { namespace } : {}), ...declaredMetadata(desired) },
  };
}

/** An object of a built-in kind as the server writes it: without what its type does not know, and without what means nothing. */
function asStored(object: JsonObject, schema: ObjectSchema): JsonObject {
  if (schema.name === undefined) return object;
  const decoded = decodeValue(object, schema, { fieldValidation: 'Ignore' });
  return 'draft' in decoded ? (decoded.draft as unknown as JsonObject) : object;
}
