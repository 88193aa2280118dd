import { type FieldError, fieldError } from '@fairlead/apimachinery';
import { internalDifference } from '../../internal-form.ts';
import { claimSpec } from '../../workloads/pod-spec/claim-template.ts';
import { compare } from '../quantity.ts';
import { immutable, same } from '../shape.ts';
import { type Claim, type ClaimSpec, classAnnotation } from './claim-types.ts';

/** The specs for comparison: with mutable fields made equal. */
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

export function validateClaimUpdate(claim: Claim, old: Claim): FieldError[] {
  const errors = [...claimSpec(claim.spec ?? {}, 'spec')];
  if (!movesClassFromAnnotation(claim, old)) {
    const now = claim.metadata.annotations?.[classAnnotation] ?? '';
    const before = old.metadata.annotations?.[classAnnotation] ?? '';
    errors.push(...immutable(`metadata.annotations.${classAnnotation}`, now, before));
  }
  const [next, before] = comparable(claim, old);
  if (!same(next, before)) {
    const detail =
      'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
    errors.push(
      fieldError.forbidden(
        'spec',
        `${detail}\n${internalDifference(before, next, 'core.v1.PersistentVolumeClaimSpec')}`,
      ),
    );
  }
  const size = claim.spec?.resources?.requests?.['storage'] ?? '0';
  const shrinks = compare(size, old.spec?.resources?.requests?.['storage'] ?? '0') < 0;
  if (shrinks && compare(size, old.status?.capacity?.['storage'] ?? '0') <= 0) {
    errors.push(fieldError.forbidden('spec.resources.requests.storage', 'field can not be less than status.capacity'));
  }
  errors.push(...immutable('volumeMode', claim.spec?.volumeMode, old.spec?.volumeMode));
  return [...errors, ...validateAttributesClass(claim, old)];
}

/** A volume attributes class cannot be removed once it is set. */
function validateAttributesClass(claim: Claim, old: Claim): FieldError[] {
  const name = claim.spec?.volumeAttributesClassName;
  if (name || name === old.spec?.volumeAttributesClassName) return [];
  if (old.status?.currentVolumeAttributesClassName === undefined) return [];
  const what = name === undefined ? 'nil' : 'empty string';
  const detail = `update to ${what} is forbidden when status.currentVolumeAttributesClassName is not nil`;
  return [fieldError.forbidden('spec.volumeAttributesClassName', detail)];
}
