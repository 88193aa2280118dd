import { type FieldError, fieldError, type Json } from '@fairlead/apimachinery';
import type { Draft, RuleContext } from '../../resource.ts';
import { same } from '../workloads/equality.ts';

export { same };

/** A draft as the fields that rules look at. Decoding has checked the types; absent means unset, and no list or map is empty. */
export const fieldsOf = <T>(draft: object): T => draft as unknown as T;

/** A part of a draft that is always there on a real server, created where it is not. */
export function part<T extends object>(draft: Draft, name: string): T {
  const record = draft as Record<string, Json | undefined>;
  record[name] ??= {};
  return record[name] as unknown as T;
}

/** `shown` is how the server quotes the new value where it is not as in JSON. */
export function immutable(field: string, next: unknown, old: unknown, shown: unknown = next): FieldError[] {
  return same(next, old) ? [] : [fieldError.invalid(field, shown, 'field is immutable')];
}

/** Whether the main part is written, not a subresource. */
export const isMain = (context: RuleContext): boolean => context.subresource === '';

export const unknownValue = (field: string, value: unknown, supported: readonly string[]): FieldError[] =>
  supported.includes(value as string) ? [] : [fieldError.notSupportedInOrder(field, value, supported)];

/** Maps are quoted with their keys in order. */
export const sortedMap = <T>(map: Readonly<Record<string, T>> | undefined): Record<string, T> | undefined =>
  map && Object.fromEntries(Object.entries(map).sort(([left], [right]) => (left < right ? -1 : 1)));

/** Main and status never change in one write, so a status that differs was written through its own path. */
export const isStatusWrite = (draft: Draft, old: Draft | undefined): boolean =>
  old !== undefined && !same(draft['status'], old['status']);
