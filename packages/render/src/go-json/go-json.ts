import { formatFloat } from './format-float.ts';

/** A value that cannot be represented in JSON. */
export class JsonError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'JsonError';
  }
}

export interface GoJsonOptions {
  /** Does not escape `<`, `>` and `&`. */
  readonly raw?: boolean;
  /** The indentation of each level. The default is a single line. */
  readonly indent?: string;
}

const maxDepth = 1000;

/** A value as Go's `encoding/json` writes it: keys sorted by their bytes, floats in the shortest form. */
export function goJson(value: unknown, options: GoJsonOptions = {}): string {
  return write(value, options, '\n', 0);
}

/** Sprig's `toPrettyJson`. */
export const goPrettyJson = (value: unknown): string => goJson(value, { indent: '  ' });
/** Sprig's `toRawJson`. */
export const goRawJson = (value: unknown): string => goJson(value, { raw: true });

function write(value: unknown, options: GoJsonOptions, margin: string, depth: number): string {
  if (depth > maxDepth) throw new JsonError(`json: exceeded max depth of ${maxDepth}`);
  switch (typeof value) {
    case 'string':
      return goJsonString(value, options.raw);
    case 'number':
      return goJsonNumber(value);
    case 'boolean':
    case 'bigint':
      return String(value);
    case 'object': {
      if (value === null) return 'null';
      const inner = options.indent === undefined ? '' : margin + options.indent;
      const close = options.indent === undefined ? '' : margin;
      const nested = (item: unknown): string => write(item, options, inner || margin, depth + 1);
      if (Array.isArray(value))
        return value.length === 0 ? '[]' : `[${value.map((item) => inner + nested(item)).join(',')}${close}]`;
      const colon = options.indent === undefined ? ':' : ': ';
      const entries = entriesOf(value).sort(([a], [b]) => compareBytes(a, b));
      if (entries.length === 0) return '{}';
      const lines = entries.map(([key, item]) => `${inner}${goJsonString(key, options.raw)}${colon}${nested(item)}`);
      return `{${lines.join(',')}${close}}`;
    }
    default:
      return 'null';
  }
}

export const entriesOf = (value: object): [string, unknown][] =>
  value instanceof Map ? [...value] : Object.entries(value);

/** By UTF-8 bytes, as Go compares strings: surrogate pairs come after everything else. */
function compareBytes(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (x === y) continue;
    const [pairX, pairY] = [x >= 0xd800 && x <= 0xdfff, y >= 0xd800 && y <= 0xdfff];
    return pairX === pairY ? x - y : pairX ? 1 : -1;
  }
  return a.length - b.length;
}

/** A float64 as JSON. Go and JavaScript use the same digits, and exponents for the same numbers. */
export function goJsonNumber(value: number): string {
  if (!Number.isFinite(value)) throw new JsonError(`json: unsupported value: ${formatFloat(value)}`);
  if (Object.is(value, -0)) return '-0';
  return String(value);
}

const plain = /^[\x20\x21\x23-\x25\x27-\x3b\x3d\x3f-\x5b\x5d-\u2027\u202a-\ud7ff\ue000-\uffff]*$/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters
const escapable = /["\\\x00-\x1f<>&\u2028\u2029]|\p{Surrogate}/gu;
const named: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

export function goJsonString(text: string, raw = false): string {
  if (plain.test(text)) return `"${text}"`;
  return `"${text.replace(escapable, (c) => {
    if (raw && (c === '<' || c === '>' || c === '&')) return c;
    const code = c.charCodeAt(0);
    if (code >= 0xd800 && code <= 0xdfff) return '\\ufffd';
    return named[c] ?? `\\u${code.toString(16).padStart(4, '0')}`;
  })}"`;
}
