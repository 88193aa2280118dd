import type { KubeObject, ManagedFieldsEntry } from '@fairlead/apimachinery';
import { withoutManagedFields } from '@fairlead/kube';

/** What was kept of an object's managedFields: JSON, which takes a fifth of the space of what it says. */
const kept = new WeakMap<KubeObject, string>();

/**
 * The object as it is kept: without managedFields, which are often half of it. Where somebody has applied it server-side, they decide
 * what differs, and are kept aside.
 */
export function compacted(object: KubeObject): KubeObject {
  const { managedFields } = object.metadata;
  const result = withoutManagedFields(object);
  if (managedFields?.some(({ operation }) => operation === 'Apply')) kept.set(result, JSON.stringify(managedFields));
  return result;
}

/** Who manages which fields of a live object; undefined when that was not kept. */
export function managedFieldsOf(object: KubeObject): readonly ManagedFieldsEntry[] | undefined {
  if (object.metadata.managedFields) return object.metadata.managedFields;
  const text = kept.get(object);
  return text === undefined ? undefined : (JSON.parse(text) as ManagedFieldsEntry[]);
}
