import { type FieldError, fieldError } from '@fairlead/apimachinery';

/** One problem of a value, at a path within the validated object. Without a path it is about the whole object. */
export interface Finding {
  readonly path?: string;
  /** Findings with the same text count once. */
  readonly text: string;
  error(field: string): FieldError;
}

export const invalid = (path: string, value: unknown, text: string): Finding => ({
  path,
  text,
  error: (field) => fieldError.invalid(field, value, text),
});

/** About the whole object: kube-apiserver reports these without a path. */
export const overall = (text: string): Finding => ({ text, error: (field) => fieldError.invalid(field, '', text) });

/** The field path in the server's notation. */
export const named = (path: string): string => `${path} in body`;

/** Go treats a number without a fraction as an integer if it fits in 64 bits. */
export const isInteger = (value: number): boolean => Number.isInteger(value) && Math.abs(value) <= 2 ** 63;
