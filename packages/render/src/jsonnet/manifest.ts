import { isRecord } from '../util/guards.ts';
import type { Evaluator } from './evaluate.ts';
import { JsonnetError } from './jsonnet-error.ts';
import { numberText, plainNumber } from './number-text.ts';
import { compareText, isFunction, JsonnetArray, JsonnetObject, Thunk, type Value } from './value.ts';

const maxDepth = 1000;

/** A value as plain JSON, without hidden fields, ordered by name. */
export function toPlain(evaluator: Evaluator, value: Value, depth = 0): unknown {
  if (depth > maxDepth) throw new JsonnetError(`values are nested more than ${maxDepth} deep`);
  if (isFunction(value)) throw new JsonnetError("couldn't manifest function as JSON");
  if (value instanceof JsonnetArray) return value.items.map((item) => toPlain(evaluator, item.force(), depth + 1));
  if (!(value instanceof JsonnetObject)) return value;
  evaluator.checkAsserts(value);
  return Object.fromEntries(
    value.names(false).map((name) => [name, toPlain(evaluator, evaluator.field(value, name), depth + 1)]),
  );
}

/** Plain JSON as a value. */
export function fromPlain(plain: unknown): Value {
  if (Array.isArray(plain)) return new JsonnetArray(plain.map((item) => Thunk.of(fromPlain(item))));
  if (typeof plain === 'object' && plain !== null)
    return JsonnetObject.of(Object.entries(plain).map(([name, value]) => [name, Thunk.of(fromPlain(value))] as const));
  return typeof plain === 'string' || typeof plain === 'number' || typeof plain === 'boolean' ? plain : null;
}

export interface JsonStyle {
  readonly indent: string;
  readonly newline: string;
  readonly separator: string;
  readonly colon: string;
  /** The text between the brackets of an empty value on a single line. */
  readonly empty?: string;
}

/** JSON text in a style. */
export function manifestJson(evaluator: Evaluator, value: Value, style: JsonStyle): string {
  const text = write(toPlain(evaluator, value), '', style);
  evaluator.checkSize(text.length);
  return text;
}

function write(value: unknown, current: string, style: JsonStyle): string {
  if (typeof value === 'number') return (style.newline === '' && style.empty ? numberText : plainNumber)(value);
  if (typeof value === 'string') return jsonText(value);
  if (!Array.isArray(value) && !isRecord(value)) return String(value);
  const { indent, newline, separator, colon, empty = '' } = style;
  const inner = current + indent;
  const items = Array.isArray(value)
    ? value.map((item) => write(item, inner, style))
    : entriesOf(value).map(([name, item]) => `${jsonText(name)}${colon}${write(item, inner, style)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  if (items.length === 0) return `${open}${newline === '' ? empty : `${newline}${newline}${current}`}${close}`;
  const between = newline === '' ? separator : `${separator.trimEnd()}${newline}${inner}`;
  const edge = newline === '' ? ['', ''] : [`${newline}${inner}`, `${newline}${current}`];
  return `${open}${edge[0]}${items.join(between)}${edge[1]}${close}`;
}

/** A value as `std.toString` and string concatenation write it. */
export function toText(evaluator: Evaluator, value: Value): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return numberText(value);
  return manifestJson(evaluator, value, { indent: '', newline: '', separator: ', ', colon: ': ', empty: ' ' });
}

/** Entries ordered by name. JavaScript itself puts numeric names first. */
export const entriesOf = <T>(fields: Readonly<Record<string, T>>): [string, T][] =>
  Object.entries(fields).sort(([a], [b]) => compareText(a, b));

/** A JSON string. Control characters are escaped, `/` is not. */
export const jsonText = (text: string): string =>
  JSON.stringify(text).replace(
    /[\u007f-\u009f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
