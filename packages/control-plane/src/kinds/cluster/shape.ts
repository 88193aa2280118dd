import { type FieldError, fieldError } from '@fairlead/apimachinery';
import type { RuleContext } from '../../resource.ts';
import { same } from '../workloads/equality.ts';

export { same };

/** `shown` is the quoted form of the new value if it is not JSON. */
export function immutable(field: string, next: unknown, old: unknown, shown: unknown = next): FieldError[] {
  return same(next, old) ? [] : [fieldError.invalid(field, shown, 'field is immutable')];
}

/** Whether the main resource is written, not a subresource. */
export const isMain = (context: RuleContext): boolean => context.subresource === '';

export const unknownValue = (field: string, value: unknown, supported: readonly string[]): FieldError[] =>
  typeof value === 'string' && supported.includes(value)
    ? []
    : [fieldError.notSupportedInOrder(field, value, supported)];

/** Maps are quoted with sorted keys. */
export const sortedMap = <T>(map: Readonly<Record<string, T>> | undefined): Record<string, T> | undefined =>
  map && Object.fromEntries(Object.entries(map).sort(([left], [right]) => (left < right ? -1 : 1)));

/** Main resource and status never change in one write, so a different status was written through its subresource. */
export const isStatusWrite = <T extends { status?: unknown }>(draft: T, old: T | undefined): boolean =>
  old !== undefined && !same(draft.status, old.status);
