import {
  applyConfiguration,
  equalJson,
  type JsonObject,
  type KubeObject,
  type ManagedFieldsEntry,
  type ObjectSchema,
  schemaOf,
  unstructured,
} from '@fairlead/apimachinery';
import { groupOf, versionOf } from '../resource-id.ts';
import type { Prediction } from './diff.ts';
import { keepLiveLists } from './keep-live-lists.ts';
import { declared, declaredMetadata } from './normalize.ts';
import { defaultNulls } from './null-defaults.ts';
import { withoutNullFields } from './nulls.ts';
import { comparedType, throughType } from './through-type.ts';
import { withDefaults } from './with-defaults.ts';

/** For a kind without a schema: maps are merged, and everything else is atomic. */
export const anySchema: ObjectSchema = { type: 'object', fields: new Map(), preserveUnknown: true };

export interface StructuredMerge {
  readonly schema?: ObjectSchema | undefined;
  readonly manager: string;
  /** The managed fields of the live object; without them, no field is known to be ours. */
  readonly managedFields?: readonly ManagedFieldsEntry[] | undefined;
}

/**
 * The result of a server-side apply, as the server computes it: fields that we applied before and no longer declare are removed, unless
 * another manager owns them too. Throws if the manifest does not match the schema of the kind.
 */
export function structuredMerge(desired: KubeObject, live: KubeObject, options: StructuredMerge): Prediction {
  const { schema = anySchema, manager, managedFields } = options;
  const { object } = applyConfiguration({
    live: { ...live, metadata: { ...live.metadata, ...(managedFields ? { managedFields: [...managedFields] } : {}) } },
    config: { ...ownConfiguration(desired), apiVersion: live.apiVersion },
    schema,
    manager,
    apiVersion: live.apiVersion,
    force: true,
    now: '1970-01-01T00:00:00Z',
  });
  const { managedFields: _, ...metadata } = object.metadata;
  const merged: KubeObject = { ...object, metadata };
  if (equalJson(merged, live)) return { live, predicted: live };
  if (comparedType(live.apiVersion, live.kind)) return { live: withDefaults(live), predicted: withDefaults(merged) };
  const predicted = defaultNulls(unstructured(merged), unstructured(live), schema);
  return { live, predicted: unstructured(keepLiveLists(predicted, unstructured(live))) };
}

const isBuiltIn = ({ apiVersion, kind }: KubeObject): boolean =>
  schemaOf(groupOf(apiVersion), versionOf(apiVersion), kind) !== undefined;

/** The metadata that a manifest may declare; the rest is written by the server. */
function ownConfiguration(desired: KubeObject): JsonObject {
  const { name, namespace } = desired.metadata;
  const manifest = unstructured(desired);
  const written = throughType(manifest);
  const parts = declared(written);
  // The server stores the nulls of a custom kind, and those that Go writes for a built-in one, such as `rules: null` in a Role.
  const keepsNulls = written !== manifest || !isBuiltIn(desired);
  return {
    ...(keepsNulls ? parts : withoutNullFields(parts)),
    metadata: { name, ...(namespace ? { namespace } : {}), ...declaredMetadata(written) },
  };
}
