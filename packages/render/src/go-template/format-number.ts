import { type Flags, pad } from './format-flags.ts';
import { formatFloat } from './go-float.ts';

/** An integer in a base, with sign, prefix, precision and padding as `%d`, `%x`, … do. */
export function formatInteger(value: bigint, base: 2 | 8 | 10 | 16, verb: string, flags: Flags, upper = false): string {
  const negative = value < 0n;
  let digits = (negative ? -value : value).toString(base);
  if (upper) digits = digits.toUpperCase();
  let precision = 0;
  if (flags.precision !== undefined) {
    precision = flags.precision;
    if (precision === 0 && value === 0n) return pad('', { ...flags, zero: false });
  } else if (flags.zero && !flags.minus && flags.width !== undefined) {
    precision = flags.width;
    if (negative || flags.plus || flags.space) precision--;
  }
  digits = digits.padStart(precision, '0');
  if (flags.sharp) {
    if (base === 2) digits = `0b${digits}`;
    else if (base === 8 && !digits.startsWith('0')) digits = `0${digits}`;
    else if (base === 16) digits = (upper ? '0X' : '0x') + digits;
  }
  if (verb === 'O') digits = `0o${digits}`;
  const sign = negative ? '-' : flags.plus ? '+' : flags.space ? ' ' : '';
  return pad(sign + digits, { ...flags, zero: false });
}

/** `%U`: U+0041, and the character itself with `#`. */
export function formatUnicode(value: bigint, flags: Flags): string {
  const hex = value
    .toString(16)
    .toUpperCase()
    .padStart(Math.max(4, flags.precision ?? 0), '0');
  const code = Number(value);
  const shown = flags.sharp && code <= 0x10ffff && isPrintable(String.fromCodePoint(code));
  return pad(`U+${hex}${shown ? ` '${String.fromCodePoint(code)}'` : ''}`, { ...flags, zero: false });
}

export const isPrintable = (char: string): boolean => char === ' ' || /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(char);

export function formatFloatVerb(value: number, verb: string, defaultPrecision: number, flags: Flags): string {
  const precision = flags.precision ?? defaultPrecision;
  const text = formatFloat(value, verb === 'F' ? 'f' : verb, precision);
  let sign = /^[-+]/.test(text) ? text.charAt(0) : '+';
  let body = text.replace(/^[-+]/, '');
  if (flags.space && sign === '+' && !flags.plus) sign = ' ';
  if (!Number.isFinite(value)) {
    const bare = Number.isNaN(value) && !flags.space && !flags.plus;
    return pad(bare ? body : sign + body, { ...flags, zero: false });
  }
  if (flags.sharp && verb !== 'b') body = withPoint(body, verb, precision);
  if (!flags.plus && sign === '+') return pad(body, flags);
  if (flags.zero && !flags.minus && flags.width !== undefined && flags.width > body.length + 1)
    return sign + body.padStart(flags.width - 1, '0');
  return pad(sign + body, flags);
}

/** `#`: always a decimal point, and with g also trailing zeros. */
function withPoint(text: string, verb: string, precision: number): string {
  const exponentAt = text.search(verb === 'x' || verb === 'X' ? /[pP]/ : /[eE]/);
  const tail = exponentAt < 0 ? '' : text.slice(exponentAt);
  let body = exponentAt < 0 ? text : text.slice(0, exponentAt);
  let digits = 0;
  if (verb === 'g' || verb === 'G' || verb === 'v') digits = precision === -1 ? 6 : precision;
  if (verb === 'x' || verb === 'X') digits = precision === -1 ? 6 : 0;
  const significant = body.replace('.', '').replace(/^0+/, '').length;
  if (body === '0' || body.replace(/[0.]/g, '') === '') digits -= body.replace('.', '').length;
  else digits -= significant;
  if (!body.includes('.')) body += '.';
  return body + '0'.repeat(Math.max(digits, 0)) + tail;
}
