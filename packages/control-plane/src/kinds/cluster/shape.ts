import { type FieldError, fieldError } from '@fairlead/apimachinery';
import type { RuleContext } from '../../resource.ts';
import { same } from '../workloads/equality.ts';

export { same };

/** `shown` is how the server quotes the new value where it is not as in JSON. */
export function immutable(field: string, next: unknown, old: unknown, shown: unknown = next): FieldError[] {
  return same(next, old) ? [] : [fieldError.invalid(field, shown, 'field is immutable')];
}

/** Whether the main part is written, not a subresource. */
export const isMain = (context: RuleContext): boolean => context.subresource === '';

export const unknownValue = (field: string, value: unknown, supported: readonly string[]): FieldError[] =>
  typeof value === 'string' && supported.includes(value)
    ? []
    : [fieldError.notSupportedInOrder(field, value, supported)];

/** Maps are quoted with their keys in order. */
export const sortedMap = <T>(map: Readonly<Record<string, T>> | undefined): Record<string, T> | undefined =>
  map && Object.fromEntries(Object.entries(map).sort(([left], [right]) => (left < right ? -1 : 1)));

/** Main and status never change in one write, so a status that differs was written through its own path. */
export const isStatusWrite = <T extends { status?: unknown }>(draft: T, old: T | undefined): boolean =>
  old !== undefined && !same(draft.status, old.status);
