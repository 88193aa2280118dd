import { escapeHtml } from '../json/escape-html.ts';
import type { Json } from '../json/json-value.ts';
import type { StatusCause } from '../meta/status.ts';

export type FieldErrorReason =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid'
  | 'InternalError';

/** One error of one field, with the message of kube-apiserver: `message` follows `field: ` in the summary. */
export interface FieldError {
  readonly reason: FieldErrorReason;
  readonly field: string;
  readonly message: string;
}

/** A value in the format of Go field errors: strings in quotes, numbers and booleans bare, the rest as JSON that is safe within HTML. */
export function quoteValue(value: unknown): string {
  if (value === undefined || value === null) return 'null';
  if (typeof value !== 'object') return JSON.stringify(value);
  return escapeHtml(JSON.stringify(value));
}

const build = (reason: FieldErrorReason, field: string, message: string): FieldError => ({ reason, field, message });
const withDetail = (head: string, detail: string): string => (detail === '' ? head : `${head}: ${detail}`);

export const fieldError = {
  required: (field: string, detail = '') => build('FieldValueRequired', field, withDetail('Required value', detail)),
  invalid: (field: string, value: unknown, detail: string) =>
    build('FieldValueInvalid', field, withDetail(`Invalid value: ${quoteValue(value)}`, detail)),
  /** `supported` is listed sorted, as by kube-apiserver. */
  notSupported: (field: string, value: unknown, supported: readonly string[]) =>
    build(
      'FieldValueNotSupported',
      field,
      `Unsupported value: ${quoteValue(value)}${
        supported.length
          ? `: supported values: ${[...supported]
              .sort()
              .map((v) => JSON.stringify(v))
              .join(', ')}`
          : ''
      }`,
    ),
  /** The same with the values in the given order: kube-apiserver sorts them only in some places. */
  notSupportedInOrder: (field: string, value: unknown, supported: readonly string[]) =>
    build(
      'FieldValueNotSupported',
      field,
      `Unsupported value: ${quoteValue(value)}: supported values: ${supported.map((v) => JSON.stringify(v)).join(', ')}`,
    ),
  duplicate: (field: string, value: unknown, detail = '') =>
    build('FieldValueDuplicate', field, withDetail(`Duplicate value: ${quoteValue(value)}`, detail)),
  forbidden: (field: string, detail: string) => build('FieldValueForbidden', field, withDetail('Forbidden', detail)),
  notFound: (field: string, value: unknown) => build('FieldValueNotFound', field, `Not found: ${quoteValue(value)}`),
  tooLong: (field: string, max: number) =>
    build('FieldValueTooLong', field, `Too long: may not be more than ${max} ${max === 1 ? 'byte' : 'bytes'}`),
  tooMany: (field: string, actual: number, max: number) =>
    build('FieldValueTooMany', field, `Too many: ${actual}: must have at most ${max} ${max === 1 ? 'item' : 'items'}`),
  typeInvalid: (field: string, value: unknown, detail: string) =>
    build('FieldValueTypeInvalid', field, withDetail(`Invalid value: ${quoteValue(value)}`, detail)),
  internal: (field: string, detail: string) => build('InternalError', field, `Internal error: ${detail}`),
};

export const toCause = (error: FieldError): StatusCause => ({
  reason: error.reason,
  message: error.message,
  field: error.field,
});

/** Several messages in the format of a Go aggregate error: without duplicates, in brackets unless there is only one. */
export function aggregateMessages(messages: Iterable<string>): string {
  const distinct = new Set(messages);
  const listed = [...distinct].join(', ');
  return distinct.size === 1 ? listed : `[${listed}]`;
}

export const describe = (errors: readonly FieldError[]): string =>
  aggregateMessages(errors.map((e) => `${e.field}: ${e.message}`));

export type JsonValue = Json;
