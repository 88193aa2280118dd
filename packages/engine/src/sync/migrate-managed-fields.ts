import {
  at,
  isJsonObject,
  type JsonObject,
  type KubeObject,
  type ManagedFieldsEntry,
  type ResourceType,
} from '@fairlead/apimachinery';
import type { ApiClient } from '@fairlead/kube';
import { lastAppliedAnnotation } from '../diff/last-applied.ts';

/** The client-side field managers: kubectl, and ourselves. */
export const clientSideManagers: readonly string[] = ['kubectl-client-side-apply', 'argocd-controller'];

/**
 * The managed fields with client-side applied fields migrated to server-side apply: otherwise a field that leaves the manifest would stay
 * forever, owned by its former manager. Undefined if there is nothing to migrate.
 */
export function migratedFields(
  entries: readonly ManagedFieldsEntry[] | undefined,
  manager: string,
  from: readonly string[] = clientSideManagers,
): ManagedFieldsEntry[] | undefined {
  const isOld = (entry: ManagedFieldsEntry): boolean =>
    entry.operation === 'Update' && !entry.subresource && from.includes(entry.manager ?? '');
  const old = (entries ?? []).filter(isOld);
  if (!entries || old.length === 0) return undefined;
  const isOurs = (entry: ManagedFieldsEntry): boolean =>
    entry.operation === 'Apply' && !entry.subresource && entry.manager === manager;
  const ours = entries.find(isOurs);
  const base: ManagedFieldsEntry = ours ?? { ...old[0]!, manager, operation: 'Apply' };
  const fieldsV1 = [base, ...old].reduce<JsonObject>((fields, entry) => union(fields, entry.fieldsV1 ?? {}), {});
  return [{ ...base, fieldsV1 }, ...entries.filter((entry) => !isOld(entry) && !isOurs(entry))];
}

/** The managers that wrote the last-applied annotation, as a client-side apply does. */
export const lastAppliedOwners = ({ metadata }: KubeObject): string[] =>
  (metadata.managedFields ?? []).flatMap(({ operation, manager = '', fieldsV1 }) => {
    const owned = at(fieldsV1, 'f:metadata', 'f:annotations', `f:${lastAppliedAnnotation}`);
    return operation === 'Update' && owned !== undefined ? [manager] : [];
  });

/** Field sets are trees of names; their union is the union of the trees. */
function union(a: JsonObject, b: JsonObject): JsonObject {
  const result: JsonObject = { ...a };
  for (const [name, inner] of Object.entries(b)) {
    const known = result[name];
    result[name] = isJsonObject(known) && isJsonObject(inner) ? union(known, inner) : inner;
  }
  return result;
}

/** Migrates the fields of a live object, bound to the version that was read. */
export async function migrateManagedFields(
  client: ApiClient,
  type: ResourceType,
  live: KubeObject,
  manager: string,
  options: { readonly from?: readonly string[]; readonly signal?: AbortSignal } = {},
): Promise<void> {
  const fields = migratedFields(live.metadata.managedFields, manager, options.from);
  if (!fields) return;
  const { namespace, name, resourceVersion } = live.metadata;
  const patch = [
    { op: 'replace', path: '/metadata/managedFields', value: fields },
    { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion },
  ];
  await client.patch(type, namespace ? { namespace, name } : { name }, 'json', patch, {
    ...(options.signal ? { signal: options.signal } : {}),
  });
}
