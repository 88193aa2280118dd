import type { Interpreter } from './interpreter.ts';
import { badArgument, numberAt, textAt, toText } from './library-base.ts';
import { LuaError, type LuaValue } from './values.ts';

const directives = /%([-+ #0]*)(\d{0,2})(?:\.(\d{0,2}))?([a-zA-Z%])?/g;

/** `string.format`: `%d`, `%s`, `%q`, `%5.2f` and so on, as in C. */
export function format(lua: Interpreter, args: readonly LuaValue[]): string {
  let next = 1;
  return textAt(args, 1, 'format').replace(
    directives,
    (whole, flags: string, width: string, precision: string | undefined, verb: string | undefined) => {
      if (verb === '%') return '%';
      if (verb === undefined) throw new LuaError(`invalid option '${whole}' to 'format'`);
      next += 1;
      if (next > args.length) throw badArgument(next, 'format', 'no value');
      const digits = precision === undefined ? undefined : Number(precision || 0);
      return padded(converted(lua, args, next, verb, flags, digits), flags, Number(width || 0), 'sqc'.includes(verb));
    },
  );
}

function converted(
  lua: Interpreter,
  args: readonly LuaValue[],
  place: number,
  verb: string,
  flags: string,
  digits: number | undefined,
): string {
  const number = (): number => numberAt(args, place, 'format');
  switch (verb) {
    case 's':
      return toText(lua, args[place - 1]).slice(0, digits);
    case 'q':
      return `"${textAt(args, place, 'format')
        .replace(/["\\\n]/gu, '\\$&')
        .replaceAll('\r', '\\r')
        .replaceAll('\0', '\\000')}"`;
    case 'c':
      return String.fromCharCode(number() & 255);
    case 'd':
    case 'i': {
      const value = Math.trunc(number());
      return signed(
        value,
        Math.abs(value)
          .toFixed(0)
          .padStart(digits ?? 0, '0'),
        flags,
      );
    }
    case 'u':
      return Math.trunc(number())
        .toFixed(0)
        .padStart(digits ?? 0, '0');
    case 'o':
      return Math.trunc(number()).toString(8);
    case 'x':
      return `${flags.includes('#') ? '0x' : ''}${Math.trunc(number()).toString(16)}`;
    case 'X':
      return `${flags.includes('#') ? '0X' : ''}${Math.trunc(number()).toString(16).toUpperCase()}`;
    case 'f':
    case 'F':
      return signed(number(), Math.abs(number()).toFixed(digits ?? 6), flags);
    case 'e':
    case 'E': {
      const text = Math.abs(number())
        .toExponential(digits ?? 6)
        .replace(/e([+-])(\d)$/u, 'e$10$2');
      return signed(number(), verb === 'E' ? text.toUpperCase() : text, flags);
    }
    case 'g':
    case 'G':
      return signed(number(), general(Math.abs(number()), digits ?? 6), flags);
    default:
      throw new LuaError(`invalid option '%${verb}' to 'format'`);
  }
}

const signed = (value: number, text: string, flags: string): string =>
  value < 0 || Object.is(value, -0)
    ? `-${text}`
    : `${flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : ''}${text}`;

/** The shorter of both forms, without trailing zeros. */
function general(value: number, precision: number): string {
  if (value === 0) return '0';
  const digits = Math.max(1, precision);
  const exponent = Math.floor(Math.log10(value));
  if (exponent < -4 || exponent >= digits) {
    return value
      .toExponential(digits - 1)
      .replace(/\.?0+e/u, 'e')
      .replace(/e([+-])(\d)$/u, 'e$10$2');
  }
  const text = value.toFixed(Math.max(0, digits - 1 - exponent));
  return text.includes('.') ? text.replace(/\.?0+$/u, '') : text;
}

function padded(text: string, flags: string, width: number, isText: boolean): string {
  if (flags.includes('-')) return text.padEnd(width, ' ');
  if (!flags.includes('0') || isText) return text.padStart(width, ' ');
  const sign = /^[-+ ]/u.exec(text)?.[0] ?? '';
  return sign + text.slice(sign.length).padStart(width - sign.length, '0');
}
