import { type FieldError, fieldError } from '@fairlead/apimachinery';

/** One thing wrong with a value, at a path within what is validated. Without a path it is about the whole, and shows as such. */
export interface Finding {
  readonly path?: string;
  /** Findings with one text count once. */
  readonly text: string;
  error(field: string): FieldError;
}

export const invalid = (path: string, value: unknown, text: string): Finding => ({
  path,
  text,
  error: (field) => fieldError.invalid(field, value, text),
});

/** About the whole: the server reports these without a place. */
export const overall = (text: string): Finding => ({ text, error: (field) => fieldError.invalid(field, '', text) });

/** The field path in the server's notation. */
export const named = (path: string): string => `${path} in body`;

/** Go keeps a number without a fraction as an integer as long as it fits 64 bits. */
export const isInteger = (value: number): boolean => Number.isInteger(value) && Math.abs(value) <= 2 ** 63;
