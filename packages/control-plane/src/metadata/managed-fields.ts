import { type FieldError, fieldError, type ManagedFieldsEntry, type ObjectMeta } from '@fairlead/apimachinery';

export function validateManagedFields(meta: ObjectMeta): FieldError[] {
  return (meta.managedFields ?? []).flatMap((entry, index) =>
    validateManagedFieldsEntry(entry, `metadata.managedFields[${index}]`),
  );
}

function validateManagedFieldsEntry(entry: ManagedFieldsEntry, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const operation = entry.operation ?? '';
  if (operation !== 'Apply' && operation !== 'Update') {
    errors.push(fieldError.invalid(`${path}.operation`, operation, 'must be `Apply` or `Update`'));
  }
  if (entry.fieldsType && entry.fieldsType !== 'FieldsV1') {
    errors.push(fieldError.invalid(`${path}.fieldsType`, entry.fieldsType, 'must be `FieldsV1`'));
  }
  if (Buffer.byteLength(entry.manager ?? '') > 128) errors.push(fieldError.tooLong(`${path}.manager`, 128));
  if (Buffer.byteLength(entry.subresource ?? '') > 256) errors.push(fieldError.tooLong(`${path}.subresource`, 256));
  return errors;
}
