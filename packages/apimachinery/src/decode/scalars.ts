import type { Json } from '../json/json-value.ts';
import { readQuantity } from '../quantity.ts';
import type { ScalarSchema, Schema } from '../schema/schema.ts';
import { readBase64 } from './base64.ts';
import { readTime } from './time.ts';
import { goType, goValue } from './type-mismatch.ts';

/** A scalar in its canonical form, or undefined for one that equals absence; or the error. */
export type DecodedScalar =
  | string
  | number
  | boolean
  | undefined
  | { readonly value: Json }
  /** Of another JSON type: `wrong` is the actual type, `type` the type that Go expects. */
  | { readonly wrong: string; readonly type: string }
  /** Of the right type, but with an invalid value. */
  | { readonly problem: string };

const bounds = { int32: 2 ** 31, int64: 2 ** 63 } as const;

export function decodeScalar(value: Json, type: ScalarSchema['type']): DecodedScalar {
  switch (type) {
    case 'string':
    case 'duration':
      return typeof value === 'string' ? value : wrong(value, type);
    case 'boolean':
      return typeof value === 'boolean' ? value : wrong(value, type);
    case 'int32':
    case 'int64':
      return integer(value, type);
    case 'number':
      return typeof value === 'number' ? value : wrong(value, type);
    case 'int-or-string':
      return typeof value === 'string' ? value : integer(value, 'int32');
    case 'time':
    case 'micro-time':
      return typeof value === 'string' ? textOf(readTime(value, type)) : wrong(value, 'string');
    case 'bytes':
      return Array.isArray(value)
        ? byteList(value)
        : typeof value === 'string'
          ? textOf(readBase64(value))
          : wrong(value, type);
    case 'quantity':
      return quantity(value);
    case 'any':
      return { value };
  }
}

/** Bytes may also be a list of numbers. */
function byteList(values: readonly Json[]): DecodedScalar {
  const bad = values.find((value) => value !== null && !isByte(value));
  if (bad !== undefined) return { wrong: typeof bad === 'number' ? `number ${bad}` : goValue(bad), type: 'uint8' };
  return Buffer.from(values.map(Number)).toString('base64');
}

const isByte = (value: Json): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255;

function integer(value: Json, type: 'int32' | 'int64'): DecodedScalar {
  if (typeof value !== 'number') return wrong(value, type);
  const fits = Number.isInteger(value) && value < bounds[type] && value >= -bounds[type];
  // Minus zero is an integer that JSON would not write back.
  return fits ? value + 0 : { wrong: `number ${value}`, type };
}

function quantity(value: Json): DecodedScalar {
  return textOf(readQuantity(typeof value === 'string' ? value : JSON.stringify(value)));
}

const textOf = (read: { readonly text: string | undefined } | { readonly problem: string }): DecodedScalar =>
  'problem' in read ? { problem: read.problem } : read.text;

const wrong = (value: Json, type: ScalarSchema['type']): DecodedScalar => ({
  wrong: goValue(value),
  type: goType({ type }),
});

/** Whether Go would omit the value of a field that is not a pointer. Quantities and times of such fields are always written. */
export function isZero(value: Json, type: Schema['type']): boolean {
  if (type === 'quantity' || type === 'any') return false;
  return value === '' || value === 0 || value === false || value === null;
}
