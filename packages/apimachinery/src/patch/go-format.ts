import type { Json } from '../json/json-value.ts';

/** Values in the formats of Go. Several messages of kube-apiserver quote them in this form, and clients match on these texts. */

/** `%v`: `map[a:1 b:[x y]]`. */
export function goText(value: Json | undefined): string {
  if (value === null || value === undefined) return '<nil>';
  if (typeof value === 'number') return goNumber(value);
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  return `map[${sortedEntries(value)
    .map(([key, child]) => `${key}:${goText(child)}`)
    .join(' ')}]`;
}

/** `%#v`: `map[string]interface {}{"a":1}`. */
export function goSyntax(value: Json | undefined): string {
  if (value === null || value === undefined) return 'interface {}(nil)';
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number') return goNumber(value);
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  return `map[string]interface {}{${sortedEntries(value)
    .map(([key, child]) => `${goQuote(key)}:${goSyntax(child)}`)
    .join(', ')}}`;
}

/** `%T`. */
export function goType(value: Json | undefined): string {
  if (value === null || value === undefined) return '<nil>';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
}

/** The name of the JSON type of a value in messages of Go. */
export function goJsonKind(value: Json): string {
  if (typeof value === 'boolean') return 'bool';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

const escapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};

/** `%q`. Characters that are not printable are escaped, as in `strconv.Quote`. */
export function goQuote(text: string): string {
  let out = '"';
  for (const character of text)
    out += escapes[character] ?? (isPrintable(character) ? character : escapeSequence(character));
  return `${out}"`;
}

/** As Go's `unicode.IsPrint`: letters, marks, numbers, punctuation, symbols, and of the spaces only U+0020. */
export const isPrintable = (character: string): boolean =>
  character === ' ' || /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(character);

function escapeSequence(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  if (point < 0x80) return `\\x${point.toString(16).padStart(2, '0')}`;
  return point < 0x10000 ? `\\u${point.toString(16).padStart(4, '0')}` : `\\U${point.toString(16).padStart(8, '0')}`;
}

/** Integers in full; other numbers in the shortest form, with an exponent of two digits from 1e+21 on. */
export function goNumber(value: number): string {
  if (Number.isInteger(value)) return Number.isSafeInteger(value) ? String(value) : value.toExponential();
  return String(value).replace(/e([+-])(\d)$/, 'e$10$2');
}

const sortedEntries = (value: { [key: string]: Json }): [string, Json][] =>
  Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
