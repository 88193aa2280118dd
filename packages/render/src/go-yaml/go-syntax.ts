import { formatFloat } from '../go-json/format-float.ts';

/** A value as Go's `%#v` prints it. A few error messages contain it. */
export function goSyntax(value: unknown): string {
  if (value === null || value === undefined) return 'interface {}(nil)';
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : formatFloat(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (typeof value === 'object') {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `map[interface {}]interface {}{${entries.map(([key, item]) => `${quote(key)}:${goSyntax(item)}`).join(', ')}}`;
  }
  return String(value);
}

const named: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '"': '\\"',
  '\\': '\\\\',
};

/** A string as Go's `strconv.Quote` writes it. */
export const quote = (text: string): string =>
  `"${text.replace(/["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, (c) => named[c] ?? escaped(c.codePointAt(0) ?? 0))}"`;

const escaped = (code: number): string => {
  const hex = code.toString(16);
  if (code < 0x80) return `\\x${hex.padStart(2, '0')}`;
  return code > 0xffff ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`;
};
