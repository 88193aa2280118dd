import { stringify } from 'yaml';

/** As kubectl prints it, without the fields that only servers read. */
export function yamlText(object: unknown): string {
  return stringify(withoutManagedFields(object), { lineWidth: 0, aliasDuplicateObjects: false });
}

function withoutManagedFields(object: unknown): unknown {
  if (typeof object !== 'object' || object === null || !('metadata' in object)) return object;
  const { metadata } = object;
  if (typeof metadata !== 'object' || metadata === null || !('managedFields' in metadata)) return object;
  const { managedFields: _, ...rest } = metadata;
  return { ...object, metadata: rest };
}
