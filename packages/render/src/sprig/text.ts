import { fromBytes } from '../go-template/go-string.ts';
import { byteSliceType } from '../go-template/go-type.ts';
import { GoInt, GoSlice, type GoValue, itemsOf } from '../go-template/go-value.ts';
import { display } from '../go-template/printf.ts';

/** A value as text: bytes are decoded, everything else is formatted as `%v`. */
export function textOf(value: GoValue): string {
  if (typeof value === 'string') return value;
  if (value instanceof GoSlice && value.type === byteSliceType) return fromBytes(bytesOf(value));
  return display(value);
}

export const bytesOf = (slice: GoSlice): Uint8Array =>
  Uint8Array.from(slice.items, (item) => (item instanceof GoInt ? Number(item.value) : 0));

/** The elements of a list as text, without nils. Any other value is a list of one. */
export function textsOf(value: GoValue): string[] {
  const items = itemsOf(value);
  if (items) return items.filter((item) => item !== null && item !== undefined).map(textOf);
  return value === null || value === undefined ? [] : [textOf(value)];
}
