import { createHash } from 'node:crypto';
import { readYamlDocuments } from '../../go-yaml/index.ts';
import { messageOf } from '../../util/errors.ts';
import type { Evaluator } from '../evaluate.ts';
import { format } from '../format.ts';
import { JsonnetError } from '../jsonnet-error.ts';
import { fromPlain, jsonText, toText } from '../manifest.ts';
import { modulo } from '../operators.ts';
import { characters, JsonnetArray, type Value } from '../value.ts';
import { type Argument, type Definition, define } from './define.ts';

const hashed = (algorithm: string): Definition =>
  define('s', (_, s) => createHash(algorithm).update(s.text).digest('hex'));

function split(evaluator: Evaluator, text: string, separator: string, limit: number, fromEnd: boolean): JsonnetArray {
  if (limit < -1 || !Number.isInteger(limit))
    throw new JsonnetError(`maxsplits should be -1 or non-negative, got ${limit}`);
  if (separator === '') throw new JsonnetError('split: the separator must not be empty');
  const all = text.split(separator);
  evaluator.checkSize(8 * all.length);
  if (limit < 0 || all.length <= limit + 1) return JsonnetArray.of(all);
  const parts = fromEnd
    ? [all.slice(0, all.length - limit).join(separator), ...all.slice(all.length - limit)]
    : [...all.slice(0, limit), all.slice(limit).join(separator)];
  return JsonnetArray.of(parts);
}

function stripped(text: string, strip: string, left: boolean, right: boolean): string {
  const [all, off] = [Array.from(text), new Set(Array.from(strip))];
  let [start, end] = [0, all.length];
  while (left && start < end && off.has(all[start] ?? '')) start++;
  while (right && end > start && off.has(all[end - 1] ?? '')) end--;
  return all.slice(start, end).join('');
}

function parseWhole(text: string, radix: number, digits: RegExp): number {
  if (!digits.test(text)) throw new JsonnetError(`${JSON.stringify(text)} is not a base ${radix} integer`);
  const negative = text.startsWith('-');
  let value = 0;
  for (const digit of negative ? text.slice(1) : text) value = value * radix + Number.parseInt(digit, radix);
  return negative ? -value : value;
}

function bytesOf(argument: Argument): Buffer {
  const { value } = argument;
  if (typeof value === 'string') {
    if (/[^\0-\u00ff]/.test(value))
      throw new JsonnetError('base64 encountered a code point above 255: encode it with std.encodeUTF8');
    return Buffer.from(value, 'latin1');
  }
  return Buffer.from(
    argument.array.values.map((byte) => {
      if (typeof byte !== 'number' || !Number.isInteger(byte) || byte < 0 || byte > 255)
        throw new JsonnetError('expected an array of bytes: integers from 0 to 255');
      return byte;
    }),
  );
}

function parsed(read: () => unknown, what: string): Value {
  try {
    return fromPlain(read());
  } catch (error) {
    throw new JsonnetError(`failed to parse ${what}: ${messageOf(error)}`);
  }
}

function base64Decoded(text: string): Buffer {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text))
    throw new JsonnetError('not a base64 encoded string');
  return Buffer.from(text, 'base64');
}

const xml: Record<string, string> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;', "'": '&apos;' };
const spaces = ' \t\n\f\r\u0085\u00a0';

export const strings: Readonly<Record<string, Definition>> = {
  toString: define('a', (evaluator, a) => toText(evaluator, a.value)),
  codepoint: define('str', (_, text) => {
    if (characters(text.text).length !== 1) throw new JsonnetError('codepoint takes a string of length 1');
    return text.text.codePointAt(0) ?? 0;
  }),
  char: define('n', (_, n) => {
    if (!(n.integer >= 0 && n.integer <= 0x10ffff)) throw new JsonnetError(`${n.number} is not a code point`);
    return String.fromCodePoint(n.integer);
  }),
  substr: define('str from len', (_, text, from, length) => {
    if (from.integer < 0 || length.integer < 0)
      throw new JsonnetError('substr: the second and third parameter should not be less than zero');
    return Array.from(text.text)
      .slice(from.integer, from.integer + length.integer)
      .join('');
  }),
  findSubstr: define('pat str', (_, pattern, text) => {
    const [searched, all] = [Array.from(pattern.text), Array.from(text.text)];
    const found: number[] = [];
    if (searched.length > 0)
      for (let i = 0; i + searched.length <= all.length; i++)
        if (searched.every((character, at) => all[i + at] === character)) found.push(i);
    return JsonnetArray.of(found);
  }),
  startsWith: define('a b', (_, a, b) => a.text.startsWith(b.text)),
  endsWith: define('a b', (_, a, b) => a.text.endsWith(b.text)),
  stripChars: define('str chars', (_, text, strip) => stripped(text.text, strip.text, true, true)),
  lstripChars: define('str chars', (_, text, strip) => stripped(text.text, strip.text, true, false)),
  rstripChars: define('str chars', (_, text, strip) => stripped(text.text, strip.text, false, true)),
  trim: define('str', (_, text) => stripped(text.text, spaces, true, true)),
  split: define('str c', (evaluator, text, separator) => split(evaluator, text.text, separator.text, -1, false)),
  splitLimit: define('str c maxsplits', (evaluator, text, separator, limit) =>
    split(evaluator, text.text, separator.text, limit.number, false),
  ),
  splitLimitR: define('str c maxsplits', (evaluator, text, separator, limit) =>
    split(evaluator, text.text, separator.text, limit.number, true),
  ),
  strReplace: define('str from to', (evaluator, text, from, to) => {
    if (from.text === '') throw new JsonnetError("strReplace: 'from' string must not be zero length");
    const out = text.text.replaceAll(from.text, () => to.text);
    evaluator.checkSize(out.length);
    return out;
  }),
  isEmpty: define('str', (_, text) => text.text === ''),
  equalsIgnoreCase: define('str1 str2', (_, a, b) => a.text.toLowerCase() === b.text.toLowerCase()),
  asciiUpper: define('str', (_, text) => text.text.replace(/[a-z]+/g, (letters) => letters.toUpperCase())),
  asciiLower: define('str', (_, text) => text.text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())),
  stringChars: define('str', (_, text) => JsonnetArray.of(Array.from(text.text))),
  format: define('str vals', (evaluator, text, values) => format(evaluator, text.text, values.value)),
  escapeStringBash: define('str_', (evaluator, text) => `'${toText(evaluator, text.value).replaceAll("'", `'"'"'`)}'`),
  escapeStringDollars: define('str_', (evaluator, text) => toText(evaluator, text.value).replaceAll('$', () => '$$')),
  escapeStringJson: define('str_', (evaluator, text) => jsonText(toText(evaluator, text.value))),
  escapeStringPython: define('str', (evaluator, text) => jsonText(toText(evaluator, text.value))),
  escapeStringXML: define('str_', (evaluator, text) =>
    toText(evaluator, text.value).replace(/[<>&"']/g, (character) => xml[character] ?? character),
  ),
  parseInt: define('str', (_, text) => parseWhole(text.text, 10, /^-?\d+$/)),
  parseOctal: define('str', (_, text) => parseWhole(text.text, 8, /^[0-7]+$/)),
  parseHex: define('str', (_, text) => parseWhole(text.text, 16, /^[\da-fA-F]+$/)),
  parseJson: define('str', (_, text) => parsed(() => JSON.parse(text.text), 'JSON')),
  parseYaml: define('str', (_, text) =>
    parsed(() => {
      const documents = readYamlDocuments(text.text);
      return documents.length > 1 || /^---(?:\s|$)/m.test(text.text) ? documents : (documents[0] ?? null);
    }, 'YAML'),
  ),
  encodeUTF8: define('str', (_, text) => JsonnetArray.of([...Buffer.from(text.text, 'utf8')])),
  decodeUTF8: define('arr', (_, array) => bytesOf(array).toString('utf8')),
  base64: define('input', (_, input) => bytesOf(input).toString('base64')),
  base64Decode: define('str', (_, text) => base64Decoded(text.text).toString('latin1')),
  base64DecodeBytes: define('str', (_, text) => JsonnetArray.of([...base64Decoded(text.text)])),
  md5: hashed('md5'),
  sha1: hashed('sha1'),
  sha256: hashed('sha256'),
  sha512: hashed('sha512'),
  sha3: hashed('sha3-512'),
  id: define('x', (_, x) => x.value),
  trace: define('str rest', (_, text, rest) => {
    void text.text;
    return rest.value;
  }),
  // There are no native functions, but a program may ask for one.
  native: define('x', () => null),
  mod: define('a b', (evaluator, a, b) => modulo(evaluator, a.value, b.value)),
  resolvePath: define('f r', (_, f, r) => f.text.split('/').slice(0, -1).concat(r.text).join('/')),
};
