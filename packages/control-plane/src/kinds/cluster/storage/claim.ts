import { type FieldError, fieldError } from '../../../field-error.ts';
import { invalidEach, qualifiedName } from '../../../metadata/names.ts';
import type { KindRules } from '../../../resource.ts';
import { claimSpec } from '../../workloads/pod-spec/claim-template.ts';
import { isNative } from '../../workloads/resources/names.ts';
import { compare, isNegative, isWhole, wholeUnits } from '../quantity.ts';
import { fieldsOf, immutable, isMain, isStatusWrite, part, same, unknownValue } from '../shape.ts';
import { giveDefaultClass, refuseBadResize, refuseBeyondLimits } from './claim-admission.ts';
import { settleSources } from './claim-sources.ts';
import { type Claim, type ClaimSpec, classAnnotation } from './claim-types.ts';
import { addFinalizer } from './protection.ts';

const resizeStates = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
].sort();

/** The specs as they are compared: with what may change in them made equal. */
function comparable(claim: Claim, old: Claim): [ClaimSpec, ClaimSpec] {
  const next = structuredClone(claim.spec ?? {});
  const before = structuredClone(old.spec ?? {});
  if (!before.volumeName) copyField(next, before, 'volumeName');
  if (movesClassFromAnnotation(claim, old)) delete next.storageClassName;
  else if (setsClass(claim, old)) delete next.storageClassName;
  if (claim.status?.phase === 'Bound') {
    const size = before.resources?.requests?.['storage'];
    if (next.resources?.requests && size !== undefined) next.resources.requests['storage'] = size;
    copyField(before, next, 'volumeAttributesClassName');
  }
  return [next, before];
}

function copyField<K extends keyof ClaimSpec>(from: ClaimSpec, to: ClaimSpec, field: K): void {
  if (from[field] === undefined) delete to[field];
  else to[field] = from[field];
}

function movesClassFromAnnotation(claim: Claim, old: Claim): boolean {
  const before = old.metadata.annotations?.[classAnnotation];
  const now = claim.metadata.annotations?.[classAnnotation];
  return (
    before !== undefined &&
    old.spec?.storageClassName === undefined &&
    claim.spec?.storageClassName === before &&
    (now === undefined || now === before)
  );
}

function setsClass(claim: Claim, old: Claim): boolean {
  const annotation = old.metadata.annotations?.[classAnnotation];
  const name = claim.spec?.storageClassName;
  return name !== undefined && old.spec?.storageClassName === undefined && (annotation ?? name) === name;
}

function validateClaimUpdate(claim: Claim, old: Claim): FieldError[] {
  const errors = [...claimSpec(claim.spec ?? {}, 'spec')];
  if (!movesClassFromAnnotation(claim, old)) {
    const now = claim.metadata.annotations?.[classAnnotation] ?? '';
    const before = old.metadata.annotations?.[classAnnotation] ?? '';
    errors.push(...immutable(`metadata.annotations.${classAnnotation}`, now, before));
  }
  if (!same(...comparable(claim, old))) {
    const detail =
      'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
    errors.push(fieldError.forbidden('spec', detail));
  }
  const size = claim.spec?.resources?.requests?.['storage'] ?? '0';
  const shrinks = compare(size, old.spec?.resources?.requests?.['storage'] ?? '0') < 0;
  if (shrinks && compare(size, old.status?.capacity?.['storage'] ?? '0') <= 0) {
    errors.push(fieldError.forbidden('spec.resources.requests.storage', 'field can not be less than status.capacity'));
  }
  errors.push(...immutable('volumeMode', claim.spec?.volumeMode, old.spec?.volumeMode));
  return [...errors, ...validateAttributesClass(claim, old)];
}

/** Once a class of attributes is applied there is no way back to none. */
function validateAttributesClass(claim: Claim, old: Claim): FieldError[] {
  const name = claim.spec?.volumeAttributesClassName;
  if (name || name === old.spec?.volumeAttributesClassName) return [];
  if (old.status?.currentVolumeAttributesClassName === undefined) return [];
  const what = name === undefined ? 'nil' : 'empty string';
  const detail = `update to ${what} is forbidden when status.currentVolumeAttributesClassName is not nil`;
  return [fieldError.forbidden('spec.volumeAttributesClassName', detail)];
}

function validateClaimStatus({ spec, status = {} }: Claim): FieldError[] {
  const errors: FieldError[] = spec?.accessModes?.length ? [] : [fieldError.required('Spec.accessModes')];
  const basic = (size: string, field: string): FieldError[] =>
    isNegative(size) ? [fieldError.invalid(field, Number(wholeUnits(size)), 'must be a valid resource quantity')] : [];
  for (const [name, size] of Object.entries(status.capacity ?? {}))
    errors.push(...basic(size, `status.capacity[${name}]`));
  for (const [name, state] of Object.entries(status.allocatedResourceStatuses ?? {})) {
    const field = 'status.allocatedResourceStatuses';
    errors.push(...validateAllocatedName(name, field));
    if (!resizeStates.includes(state)) errors.push(fieldError.notSupportedInOrder(field, name, resizeStates));
  }
  for (const [name, size] of Object.entries(status.allocatedResources ?? {})) {
    const nameErrors = validateAllocatedName(name, 'status.allocatedResources');
    errors.push(...nameErrors, ...(nameErrors.length > 0 ? [] : basic(size, `status.allocatedResources[${name}]`)));
  }
  return errors;
}

function validateAllocatedName(name: string, field: string): FieldError[] {
  const errors = invalidEach(field, name, qualifiedName(name));
  return errors.length > 0 || !isNative(name) ? errors : unknownValue(field, name, ['storage']);
}

function fractionalWarnings({ spec }: Claim): string[] {
  return (['requests', 'limits'] as const).flatMap((list) => {
    const size = spec?.resources?.[list]?.['storage'];
    if (size === undefined || isWhole(size)) return [];
    return [`spec.resources.${list}[storage]: fractional byte value "${size}" is invalid, must be an integer`];
  });
}

export const claimRules: KindRules = {
  default(draft) {
    part<{ phase?: string }>(draft, 'status').phase ||= 'Pending';
    part<ClaimSpec>(draft, 'spec').volumeMode ??= 'Filesystem';
  },
  prepareCreate(draft) {
    draft['status'] = { phase: 'Pending' };
    settleSources(part<ClaimSpec>(draft, 'spec'), undefined);
  },
  prepareUpdate(draft, old, context) {
    if (isMain(context)) settleSources(part<ClaimSpec>(draft, 'spec'), fieldsOf<Claim>(old).spec);
  },
  admit(draft, old, context) {
    if (old) return;
    giveDefaultClass(draft, context);
    addFinalizer(draft, 'kubernetes.io/pvc-protection');
  },
  validate(draft, context) {
    if (context.operation !== 'create') return [];
    const errors = [...claimSpec(fieldsOf<Claim>(draft).spec ?? {}, 'spec')];
    if (errors.length === 0) refuseBeyondLimits(draft, context);
    return errors;
  },
  validateUpdate(draft, old, context) {
    const errors = validateClaimUpdate(fieldsOf(draft), fieldsOf(old));
    if (errors.length === 0) {
      refuseBeyondLimits(draft, context);
      refuseBadResize(draft, old, context);
    }
    return errors;
  },
  validateStatusUpdate: (draft) => validateClaimStatus(fieldsOf(draft)),
  warnings(draft, old) {
    if (isStatusWrite(draft, old)) return [];
    const deprecated = draft.metadata.annotations?.[classAnnotation] !== undefined;
    return [
      ...(deprecated
        ? [`metadata.annotations[${classAnnotation}]: deprecated since v1.8; use "storageClassName" attribute instead`]
        : []),
      ...fractionalWarnings(fieldsOf(draft)),
    ];
  },
  metadataOnUpdate: ['update', 'create'],
};
