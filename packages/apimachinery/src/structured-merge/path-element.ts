import { compareBytes } from '../json/byte-order.ts';
import { escapeHtml } from '../json/escape-html.ts';
import { isObject, type Json, type JsonObject } from '../json/json-value.ts';
import { goNumber, goQuote } from '../patch/go-format.ts';

/**
 * One step of a path into an object, in the format of fieldsV1: `f:spec` a field or a key of a map, `k:{"name":"app"}` an item of a list by
 * its keys, `v:"x"` an item of a set by its value, `i:0` an item by its index. The text is canonical, so that two steps are equal exactly
 * if their texts are; sets of fields are keyed by it.
 */
export type PathElement = string;

export const fieldElement = (name: string): PathElement => `f:${name}`;

/** `keys` must be sorted by name. */
export function keyElement(keys: readonly (readonly [name: string, value: Json])[]): PathElement {
  let text = '';
  for (const [name, value] of keys) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${valueText(value)}`;
  return `k:{${text}}`;
}

export const valueElement = (value: Json): PathElement => `v:${valueText(value)}`;

/** JSON in the format of Go: characters that are special in HTML are escaped in strings. */
function valueText(value: Json): string {
  const text = JSON.stringify(value);
  return typeof value === 'number' || typeof value === 'boolean' ? text : escapeHtml(text);
}

/**
 * Parses a step that a client may have written. Undefined for steps of an unknown kind, which are skipped, as a future server may write
 * them; throws for malformed ones.
 */
export function readElement(text: string): PathElement | undefined {
  if (text.length < 2) throw new Error('key must be 2 characters long:');
  if (text[1] !== ':') throw new Error(`missing colon: ${text}`);
  switch (text[0]) {
    case 'f':
      return text;
    case 'v':
      return valueElement(JSON.parse(text.slice(2)));
    case 'k': {
      const keys: Json = JSON.parse(text.slice(2));
      if (!isObject(keys)) throw new Error(`no keys: ${text}`);
      return keyElement(Object.entries(keys).sort(([a], [b]) => compareBytes(a, b)));
    }
    case 'i':
      if (!/^[+-]?\d+$/.test(text.slice(2))) throw new Error(`no index: ${text}`);
      return `i:${Number(text.slice(2))}`;
    default:
      return undefined;
  }
}

/** As in conflicts: `.spec`, `[name="app"]`, `[="x"]`, `[0]`. */
export function showElement(element: PathElement): string {
  const body = element.slice(2);
  switch (element[0]) {
    case 'f':
      return `.${body}`;
    case 'k':
      return `[${Object.entries(keysIn(body))
        .map(([name, value]) => `${name}=${showValue(value)}`)
        .join(',')}]`;
    case 'v':
      return `[=${showValue(JSON.parse(body))}]`;
    default:
      return `[${body}]`;
  }
}

function showValue(value: Json): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number') return goNumber(value);
  if (typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `[${value.map(showValue).join(',')}]`;
  return Object.entries(value)
    .map(([key, child]) => `${key}=${showValue(child)}`)
    .join('');
}

const keysIn = (body: string): JsonObject => JSON.parse(body);

const kinds = 'fkvi';

/** The order of kube-apiserver: fields, keys, values, indexes; numbers by value and not by their digits. */
export function compareElements(a: PathElement, b: PathElement): number {
  const kind = kinds.indexOf(a.charAt(0)) - kinds.indexOf(b.charAt(0));
  if (kind !== 0) return kind;
  if (a === b) return 0;
  const [x, y] = [a.slice(2), b.slice(2)];
  switch (a[0]) {
    case 'f':
      return compareBytes(x, y);
    case 'k':
      return compareKeys(keysIn(x), keysIn(y));
    case 'v':
      return compareValues(JSON.parse(x), JSON.parse(y));
    default:
      return Number(x) - Number(y);
  }
}

function compareKeys(a: JsonObject, b: JsonObject): number {
  const [left, right] = [Object.entries(a), Object.entries(b)];
  for (const [at, [name, value]] of left.entries()) {
    const other = right[at];
    if (!other) break;
    const [otherName, otherValue] = other;
    const order = compareBytes(name, otherName) || compareValues(value, otherValue);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

const rankOf = (value: Json): number =>
  typeof value === 'number'
    ? 0
    : typeof value === 'string'
      ? 1
      : typeof value === 'boolean'
        ? 2
        : value === null
          ? 4
          : 3;

function compareValues(a: Json, b: Json): number {
  const rank = rankOf(a) - rankOf(b);
  if (rank !== 0) return rank;
  if (typeof a === 'string' && typeof b === 'string') return compareBytes(a, b);
  if (typeof a === 'object' || typeof b === 'object') return compareBytes(JSON.stringify(a), JSON.stringify(b));
  return Number(a) - Number(b);
}
