import { type FieldError, fieldError, invalidEach, type ObjectMeta, qualifiedName } from '@fairlead/apimachinery';

const standard = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);
const path = 'metadata.finalizers';

export function validateFinalizers(meta: ObjectMeta): FieldError[] {
  const finalizers = meta.finalizers ?? [];
  const errors = finalizers.flatMap((finalizer) => invalidEach(path, finalizer, qualifiedName(finalizer)));
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    const detail = 'finalizer orphan and foregroundDeletion cannot be both set';
    errors.push(fieldError.invalid(path, finalizers, detail));
  }
  return errors;
}

export function validateFinalizerDomains(meta: ObjectMeta): FieldError[] {
  return (meta.finalizers ?? []).flatMap((finalizer, index) => validateDomain(finalizer, `${path}[${index}]`));
}

/** The finalizers of a namespace's spec. */
export const validateFinalizerName = (finalizer: string, field: string): FieldError[] => [
  ...invalidEach(field, finalizer, qualifiedName(finalizer)),
  ...validateDomain(finalizer, field),
];

function validateDomain(finalizer: string, field: string): FieldError[] {
  if (finalizer.includes('/') || standard.has(finalizer)) return [];
  const detail = 'name is neither a standard finalizer name nor is it fully qualified';
  return [fieldError.invalid(field, finalizer, detail)];
}

export function validateNoNewFinalizers(meta: ObjectMeta, before: ObjectMeta): FieldError[] {
  const known = new Set(before.finalizers ?? []);
  const added = [...new Set(meta.finalizers ?? [])].filter((finalizer) => !known.has(finalizer)).sort();
  if (added.length === 0) return [];
  const listed = `[]string{${added.map((finalizer) => JSON.stringify(finalizer)).join(', ')}}`;
  const detail = `no new finalizers can be added if the object is being deleted, found new finalizers ${listed}`;
  return [fieldError.forbidden(path, detail)];
}
