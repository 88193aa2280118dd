import { fitsInt64, parseFloat64, parseInteger } from '../go-template/go-number.ts';
import { GoInt, type GoValue } from '../go-template/go-value.ts';

const overflow = -(2n ** 63n);

/** Truncates a float to an int64. Out of range, it is the smallest int64, as on amd64. */
function truncateToInt64(value: number): bigint {
  if (!Number.isFinite(value)) return overflow;
  const whole = BigInt(Math.trunc(value));
  return fitsInt64(whole) ? whole : overflow;
}

/** `1.00` is the integer `1`; `1.50` is not an integer. */
const withoutZeroDecimals = (text: string): string => text.replace(/\.0+$/, '');

/** Any value as an int64; 0 if it is not a number. */
export function toInt64(value: GoValue): bigint {
  if (value instanceof GoInt) return BigInt.asIntN(64, value.value);
  if (typeof value === 'number') return truncateToInt64(value);
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value !== 'string') return 0n;
  const parsed = parseInteger(withoutZeroDecimals(value), 0);
  return parsed !== undefined && fitsInt64(parsed) ? parsed : 0n;
}

/** Any value as a float64; 0 if it is not a number. */
export function toFloat64(value: GoValue): number {
  if (typeof value === 'number') return value;
  if (value instanceof GoInt) return Number(value.value);
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value !== 'string') return 0;
  const parsed = parseFloat64(value);
  const outOfRange = parsed !== undefined && !Number.isFinite(parsed) && /\d/.test(value);
  return parsed === undefined || outOfRange ? 0 : parsed;
}
