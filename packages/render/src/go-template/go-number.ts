/** Parses numbers like Go's strconv. */

const underscoresFine = /^[-+]?(?:0[bBoOxX]_?)?(?:[\da-fA-F]+(?:_[\da-fA-F]+)*)$/;

/** ParseInt or ParseUint. With base 0 the prefix decides, and `_` may separate digits. Undefined on a syntax error; the size is not limited. */
export function parseInteger(text: string, base: 0 | 8 | 10 | 16 | 2 = 10): bigint | undefined {
  const match = /^([-+]?)([\da-zA-Z_]+)$/.exec(text);
  if (!match) return undefined;
  let digits = match[2] ?? '';
  let radix: number = base;
  if (base === 0) {
    if (digits.includes('_') && !underscoresFine.test(text)) return undefined;
    const prefix = /^0[xX]/.test(digits) ? 16 : /^0[oO]/.test(digits) ? 8 : /^0[bB]/.test(digits) ? 2 : undefined;
    if (prefix) [radix, digits] = [prefix, digits.slice(2)];
    else if (/^0./.test(digits)) [radix, digits] = [8, digits.slice(1)];
    else radix = 10;
    digits = digits.replaceAll('_', '');
  }
  const allowed = radix === 16 ? /^[\da-fA-F]+$/ : radix === 8 ? /^[0-7]+$/ : radix === 2 ? /^[01]+$/ : /^\d+$/;
  if (!allowed.test(digits)) return undefined;
  const value = BigInt(radix === 10 ? digits : `${radix === 16 ? '0x' : radix === 8 ? '0o' : '0b'}${digits}`);
  return match[1] === '-' ? -value : value;
}

const maxInt64 = 2n ** 63n - 1n;
export const fitsInt64 = (value: bigint): boolean => value >= -maxInt64 - 1n && value <= maxInt64;
/** The value of ParseInt in Go with a range error, for callers that ignore the error. */
export const clampInt64 = (value: bigint): bigint =>
  fitsInt64(value) ? value : value < 0n ? -maxInt64 - 1n : maxInt64;
export const fitsUint64 = (value: bigint): boolean => value >= 0n && value < 2n ** 64n;

/** ParseFloat. Undefined on a syntax error. A number that is too large is an infinity, for which Go has a range error. */
export function parseFloat64(text: string): number | undefined {
  const special = /^([-+]?)(?:inf(?:inity)?|(nan))$/i.exec(text);
  if (special) {
    if (special[2]) return special[1] ? undefined : Number.NaN;
    return special[1] === '-' ? -Infinity : Infinity;
  }
  if (text.includes('_')) {
    if (!/^0[xX]/.test(text.replace(/^[-+]/, '')) && !/^[-+]?[\d_.eE+-]+$/.test(text)) return undefined;
    if (/(?:^|[^\da-fA-FxX])_|_(?:[^\da-fA-F]|$)/.test(text)) return undefined;
  }
  const plain = text.replaceAll('_', '');
  if (/^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(plain)) return Number(plain);
  const hex = /^([-+]?)0[xX]([\da-fA-F]*)(?:\.([\da-fA-F]*))?[pP]([-+]?\d+)$/.exec(plain);
  if (!hex || `${hex[2]}${hex[3] ?? ''}` === '') return undefined;
  const fraction = hex[3] ?? '';
  const mantissa = Number(BigInt(`0x${hex[2]}${fraction}`));
  const value = mantissa * 2 ** (Number(hex[4]) - 4 * fraction.length);
  return hex[1] === '-' ? -value : value;
}
