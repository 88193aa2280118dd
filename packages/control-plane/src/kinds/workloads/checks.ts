import { type FieldError, fieldError, invalidEach } from '@fairlead/apimachinery';
import { same } from './equality.ts';

/** The findings of a rule, in order. */
export type Findings = Iterable<FieldError>;

export const notNegative = 'must be greater than or equal to 0';
export const isImmutable = 'field is immutable';
export const between = (low: number, high: number): string => `must be between ${low} and ${high}, inclusive`;
export const maxInt32 = 2147483647;

export function* nonNegative(value: number | null | undefined, path: string): Findings {
  if (value != null && value < 0) yield fieldError.invalid(path, value, notNegative);
}

export function* positive(value: number | undefined, path: string): Findings {
  if ((value ?? 0) <= 0) yield fieldError.invalid(path, value ?? 0, 'must be greater than zero');
}

export function* inRange(value: number | null | undefined, low: number, high: number, path: string): Findings {
  if (value != null && (value < low || value > high)) yield fieldError.invalid(path, value, between(low, high));
}

/** User and group ids. */
export const idNumber = (value: number | null | undefined, path: string): Findings => inRange(value, 0, maxInt32, path);

export function* immutable(value: unknown, old: unknown, path: string): Findings {
  if (!same(value, old)) yield fieldError.invalid(path, value, isImmutable);
}

export const invalid = (path: string, value: unknown, messages: readonly string[]): Findings =>
  invalidEach(path, value, messages);

/** An enumerated value. `supported` is listed in the given order: the server sorts only some of its lists. */
export const unsupported = (path: string, value: unknown, supported: readonly string[]): FieldError =>
  fieldError.notSupportedInOrder(path, value ?? '', supported);

/** A value that must be in a list; it may be absent. */
export function* oneOf(value: string | null | undefined, supported: readonly string[], path: string): Findings {
  if (value != null && !supported.includes(value)) yield unsupported(path, value, supported);
}

/** A required value that must be in a list. */
export function* requiredOneOf(value: string | undefined, supported: readonly string[], path: string): Findings {
  if (!value) yield fieldError.required(path);
  else yield* oneOf(value, supported, path);
}

/** An error about an object as a whole, without its value. */
export const invalidWhole = (path: string, detail: string): FieldError => ({
  reason: 'FieldValueInvalid',
  field: path,
  message: `Invalid value: ${detail}`,
});

export const all = (...parts: Findings[]): FieldError[] => parts.flatMap((part) => [...part]);
