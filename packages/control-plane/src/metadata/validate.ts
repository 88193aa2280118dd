import {
  type FieldError,
  fieldError,
  invalidEach,
  nameRules,
  validateAnnotations,
  validateLabels,
} from '@fairlead/apimachinery';
import type { Draft, KindRules, Resource } from '../resource.ts';
import { validateFinalizerDomains, validateFinalizers, validateNoNewFinalizers } from './finalizers.ts';
import { validateManagedFields } from './managed-fields.ts';
import { validateOwners } from './owners.ts';

const at = (field: string): string => `metadata.${field}`;

export interface MetadataRules {
  readonly namespaced: boolean;
  /** Absent: a DNS-1123 subdomain. */
  readonly validateName?: KindRules['validateName'];
  /** Most built-in kinds accept only finalizers with a domain, or one of three known names. */
  readonly anyFinalizer?: boolean;
}

/** The rules for the metadata of any object, once its name is generated. */
export function validateObjectMeta(draft: Draft, rules: MetadataRules): FieldError[] {
  const meta = draft.metadata;
  const validateName = rules.validateName ?? nameRules.subdomain;
  const errors: FieldError[] = [];
  if (meta.generateName) {
    errors.push(...invalidEach(at('generateName'), meta.generateName, validateName(meta.generateName, true)));
  }
  if (!meta.name) errors.push(fieldError.required(at('name'), 'name or generateName is required'));
  else errors.push(...invalidEach(at('name'), meta.name, validateName(meta.name, false)));
  if (rules.namespaced) {
    if (!meta.namespace) errors.push(fieldError.required(at('namespace')));
    else errors.push(...invalidEach(at('namespace'), meta.namespace, nameRules.label(meta.namespace, false)));
  } else if (meta.namespace) {
    errors.push(fieldError.forbidden(at('namespace'), 'not allowed on this type'));
  }
  if ((meta.generation ?? 0) < 0) {
    errors.push(fieldError.invalid(at('generation'), meta.generation, 'must be greater than or equal to 0'));
  }
  errors.push(...validateLabels(meta.labels, at('labels')));
  errors.push(...validateAnnotations(meta.annotations, at('annotations')));
  errors.push(...validateOwners(meta));
  errors.push(...validateFinalizers(meta));
  errors.push(...validateManagedFields(meta));
  if (!rules.anyFinalizer) errors.push(...validateFinalizerDomains(meta));
  return errors;
}

/** All errors of a new object: its metadata, and the findings of the rules of its kind. */
export function validateNew(
  draft: Draft,
  { namespaced, custom, rules }: Pick<Resource, 'namespaced' | 'custom' | 'rules'>,
  found: FieldError[],
): FieldError[] {
  if (rules.metadataLast && found.length > 0) return found;
  const { validateName, anyFinalizer = false } = rules;
  const metadata = { namespaced, anyFinalizer: custom || anyFinalizer, ...(validateName && { validateName }) };
  return [...validateObjectMeta(draft, metadata), ...found];
}

/** The rules for metadata on update. `draft` is the object to be stored. */
export function validateObjectMetaUpdate(
  draft: Draft,
  old: Draft,
  rules: Pick<MetadataRules, 'anyFinalizer'> = {},
): FieldError[] {
  const meta = draft.metadata;
  const before = old.metadata;
  const errors: FieldError[] = [];
  if (before.deletionTimestamp) errors.push(...validateNoNewFinalizers(meta, before));
  if (!meta.resourceVersion) {
    errors.push(fieldError.invalid(at('resourceVersion'), '', 'must be specified for an update'));
  }
  if ((meta.generation ?? 0) < (before.generation ?? 0)) {
    errors.push(fieldError.invalid(at('generation'), meta.generation ?? 0, 'must not be decremented'));
  }
  for (const field of ['name', 'namespace', 'uid'] as const) {
    if ((meta[field] ?? '') !== (before[field] ?? '')) {
      errors.push(fieldError.invalid(at(field), meta[field] ?? '', 'field is immutable'));
    }
  }
  for (const field of ['creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const) {
    if ((meta[field] ?? null) !== (before[field] ?? null)) {
      errors.push(fieldError.invalid(at(field), meta[field], 'field is immutable'));
    }
  }
  errors.push(...validateLabels(meta.labels, at('labels')));
  errors.push(...validateAnnotations(meta.annotations, at('annotations')));
  errors.push(...validateOwners(meta));
  errors.push(...validateManagedFields(meta));
  if (!rules.anyFinalizer) errors.push(...validateFinalizerDomains(meta));
  return errors;
}

/**
 * All metadata errors of an update in the order of kube-apiserver: its checks for any object, then those that the kind repeats. The server
 * does not remove duplicates, so neither do we.
 */
export function validateMetadataOnUpdate(
  draft: Draft,
  old: Draft,
  kind: { readonly namespaced: boolean; readonly rules: KindRules; readonly custom?: boolean },
  checks = kind.rules.metadataOnUpdate ?? ['update'],
): FieldError[] {
  const anyFinalizer = kind.custom === true || kind.rules.anyFinalizer === true;
  const { validateName } = kind.rules;
  const repeated = checks.flatMap((check) =>
    check === 'update'
      ? validateObjectMetaUpdate(draft, old, { anyFinalizer })
      : validateObjectMeta(draft, { namespaced: kind.namespaced, anyFinalizer, ...(validateName && { validateName }) }),
  );
  return [
    ...validateObjectMeta(draft, {
      namespaced: kind.namespaced,
      validateName: nameRules.pathSegment,
      anyFinalizer: true,
    }),
    ...validateObjectMetaUpdate(draft, old, { anyFinalizer: true }),
    ...repeated,
  ];
}

/** The same when only the status is updated. It is a hot path: metadata that passes a quick check is not checked again. */
export function validateMetadataOnStatus(
  draft: Draft,
  old: Draft,
  kind: Parameters<typeof validateMetadataOnUpdate>[2],
): FieldError[] {
  const isWell = !draft.metadata.finalizers?.length && validateObjectMetaUpdate(draft, old).length === 0;
  return isWell ? [] : validateMetadataOnUpdate(draft, old, kind, kind.rules.metadataOnStatus ?? ['update']);
}
