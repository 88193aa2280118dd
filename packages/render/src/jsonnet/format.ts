import type { Evaluator } from './evaluate.ts';
import { JsonnetError } from './jsonnet-error.ts';
import { toText } from './manifest.ts';
import { exponentText, general } from './number-text.ts';
import { characters, JsonnetArray, JsonnetObject, typeOf, type Value } from './value.ts';

const directive = /%(?:\(([^)]*)\))?([#0\- +]*)(\*|\d+)?(?:\.(\*|\d+))?[hlL]?([diouxXeEfFgGcs%])?/g;
const maxWidth = 10_000;

/** Python's `%` for strings. The values are an array, an object for `%(name)s`, or a single value. */
export function format(evaluator: Evaluator, text: string, values: Value): string {
  const array = values instanceof JsonnetArray ? values.items : undefined;
  let next = 0;
  const take = (): Value => {
    if (values instanceof JsonnetObject && !array) {
      if (next++ > 0) throw new JsonnetError('not enough values to format');
      return values;
    }
    const found = array ? array[next]?.force() : next === 0 ? values : undefined;
    next++;
    if (found === undefined) throw new JsonnetError(`not enough values to format, expected more than ${next - 1}`);
    return found;
  };
  const count = (written: string | undefined): number | undefined => {
    if (written === undefined) return undefined;
    const value = written === '*' ? take() : Number(written);
    if (typeof value !== 'number' || value > maxWidth)
      throw new JsonnetError(`a width must be a number, at most ${maxWidth}`);
    return value;
  };
  let named = false;
  const out = text.replace(
    directive,
    (_, key: string | undefined, flags: string, width?: string, precision?: string, conversion?: string) => {
      if (conversion === undefined) throw new JsonnetError('truncated or unknown format code');
      const [columns = 0, digits] = [count(width), count(precision)];
      if (conversion === '%') return padded('%', columns, flags, 's');
      let value: Value;
      if (key === undefined) value = take();
      else {
        if (!(values instanceof JsonnetObject)) throw new JsonnetError('format requires an object');
        named = true;
        value = evaluator.field(values, key);
      }
      return padded(one(evaluator, value, conversion, flags, digits), columns, flags, conversion);
    },
  );
  const given = array ? array.length : values instanceof JsonnetObject ? next : 1;
  if (!named && next < given) throw new JsonnetError(`too many values to format: ${given}, expected ${next}`);
  evaluator.checkSize(out.length);
  return out;
}

function one(
  evaluator: Evaluator,
  value: Value,
  conversion: string,
  flags: string,
  digits: number | undefined,
): string {
  if (conversion === 's') {
    const text = toText(evaluator, value);
    return digits === undefined ? text : Array.from(text).slice(0, digits).join('');
  }
  if (conversion === 'c') {
    if (typeof value === 'number') return String.fromCodePoint(value);
    if (typeof value === 'string' && characters(value).length === 1) return value;
    throw new JsonnetError('%c expected 1-sized string or a number');
  }
  if (typeof value !== 'number') throw new JsonnetError(`format required number, got ${typeOf(value)}`);
  const isWhole = 'diouxX'.includes(conversion);
  const sign = (isWhole ? Math.trunc(value) < 0 : value < 0 || Object.is(value, -0))
    ? '-'
    : flags.includes('+')
      ? '+'
      : flags.includes(' ')
        ? ' '
        : '';
  const text = magnitude(Math.abs(value), conversion, flags.includes('#'), digits);
  return sign + (conversion === conversion.toUpperCase() ? text.toUpperCase() : text);
}

function magnitude(value: number, conversion: string, alternative: boolean, digits: number | undefined): string {
  const whole = (radix: number, prefix: string): string =>
    (alternative ? prefix : '') +
    BigInt(Math.floor(value))
      .toString(radix)
      .padStart(digits ?? 0, '0');
  switch (conversion.toLowerCase()) {
    case 'o':
      return whole(8, '').replace(/^(?!0)/, alternative ? '0' : '');
    case 'x':
      return whole(16, '0x');
    case 'e': {
      const [mantissa = '', power = '0'] = value.toExponential(Math.min(digits ?? 6, 100)).split('e');
      return mantissa + exponentText(Number(power));
    }
    case 'f':
      return fixed(value, digits ?? 6) + (alternative && digits === 0 ? '.' : '');
    case 'g':
      return general(value, digits ?? 6, alternative);
    default:
      return whole(10, '');
  }
}

const fixed = (value: number, digits: number): string =>
  value < 1e21
    ? value.toFixed(Math.min(digits, 100))
    : `${BigInt(Math.floor(value))}${digits > 0 ? `.${'0'.repeat(digits)}` : ''}`;

function padded(text: string, columns: number, flags: string, conversion: string): string {
  const missing = columns - characters(text).length;
  if (missing <= 0) return text;
  if (flags.includes('-')) return text + ' '.repeat(missing);
  if (!flags.includes('0') || conversion === 's' || conversion === 'c') return ' '.repeat(missing) + text;
  const [, sign = '', rest = ''] = /^([-+ ]?(?:0[xX](?=[\da-fA-F]))?)(.*)$/s.exec(text) ?? [];
  return sign + '0'.repeat(missing) + rest;
}
