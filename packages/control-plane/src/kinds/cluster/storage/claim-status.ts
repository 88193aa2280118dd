import { type FieldError, fieldError, invalidEach, isNative, qualifiedName } from '@fairlead/apimachinery';
import { isNegative, wholeUnits } from '../quantity.ts';
import { unknownValue } from '../shape.ts';
import type { Claim } from './claim-types.ts';

const resizeStates = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
].sort();

export function validateClaimStatus({ spec, status = {} }: Claim): FieldError[] {
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
