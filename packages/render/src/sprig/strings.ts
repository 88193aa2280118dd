import { fn } from '../go-template/function.ts';
import { byteLength, byteSlice, isAscii, replaceRawBytes } from '../go-template/go-string.ts';
import { stringMap, stringSlice } from '../go-template/go-type.ts';
import { GoError, type GoFunction, GoMap, GoSlice, type GoValue } from '../go-template/go-value.ts';
import { display } from '../go-template/printf.ts';
import { quoteString } from '../go-template/quote.ts';
import { camelCase, initials, separatedCase, swapCase, titleCase, untitle, withoutSpace } from './letter-case.ts';
import { abbreviate, wrap } from './line-breaking.ts';
import { lowerChar, upperChar } from './simple-case.ts';
import { textOf, textsOf } from './text.ts';

/** White space in Go. */
const goSpace = /[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;
const leadingSpace = new RegExp(`^${goSpace.source}+`, 'u');
const trailingSpace = new RegExp(`${goSpace.source}+$`, 'u');

const strings = (list: string[]): GoSlice => new GoSlice(list, stringSlice);
const present = (value: GoValue): boolean => value !== null && value !== undefined;
const indent = (spaces: number, text: string): string => {
  const margin = repeat(spaces, ' ');
  return margin + text.replaceAll('\n', `\n${margin}`);
};

export const stringFunctions: Readonly<Record<string, GoFunction>> = {
  hello: fn('', () => 'Hello!'),
  abbrev: fn('int string', (width: number, text: string) => (width < 4 ? text : abbreviate(text, 0, width))),
  abbrevboth: fn('int int string', (left: number, right: number, text: string) =>
    right < 4 || (left > 0 && right < 7) ? text : abbreviate(text, left, right),
  ),
  trunc: fn('int string', trunc),
  trim: fn('string', (text: string) => text.replace(leadingSpace, '').replace(trailingSpace, '')),
  trimAll: fn('string string', trimAll),
  trimall: fn('string string', trimAll),
  trimSuffix: fn('string string', (end: string, text: string) =>
    end !== '' && text.endsWith(end) ? text.slice(0, -end.length) : text,
  ),
  trimPrefix: fn('string string', (start: string, text: string) =>
    text.startsWith(start) ? text.slice(start.length) : text,
  ),
  upper: fn('string', (text: string) => (isAscii(text) ? text.toUpperCase() : mapCase(text, upperChar))),
  lower: fn('string', (text: string) => (isAscii(text) ? text.toLowerCase() : mapCase(text, lowerChar))),
  title: fn('string', titleCase),
  untitle: fn('string', untitle),
  substr: fn('int int string', substring),
  repeat: fn('int string', repeat),
  nospace: fn('string', withoutSpace),
  initials: fn('string', initials),
  swapcase: fn('string', swapCase),
  snakecase: fn('string', (text: string) => separatedCase(text, '_')),
  kebabcase: fn('string', (text: string) => separatedCase(text, '-')),
  camelcase: fn('string', camelCase),
  wrap: fn('int string', (width: number, text: string) => wrap(text, width, '\n', false)),
  wrapWith: fn('int string string', (width: number, separator: string, text: string) =>
    wrap(text, width, separator === '' ? '\n' : separator, true),
  ),
  contains: fn('string string', (part: string, text: string) => text.includes(part)),
  hasPrefix: fn('string string', (start: string, text: string) => text.startsWith(start)),
  hasSuffix: fn('string string', (end: string, text: string) => text.endsWith(end)),
  quote: fn('...any', (...all: GoValue[]) =>
    all
      .filter(present)
      .map((value) => quoteString(textOf(value)))
      .join(' '),
  ),
  squote: fn('...any', (...all: GoValue[]) =>
    all
      .filter(present)
      .map((value) => `'${display(value)}'`)
      .join(' '),
  ),
  cat: fn('...any', (...all: GoValue[]) => all.filter(present).map(display).join(' ')),
  indent: fn('int string', indent),
  nindent: fn('int string', (spaces: number, text: string) => `\n${indent(spaces, text)}`),
  replace: fn('string string string', (from: string, to: string, text: string) => replaceAll(text, from, to)),
  plural: fn('string string int', (one: string, many: string, count: number) => (count === 1 ? one : many)),
  toString: fn('any', textOf),
  toStrings: fn('any', (value: GoValue) => strings(textsOf(value))),
  join: fn('string any', (separator: string, value: GoValue) => textsOf(value).join(separator)),
  split: fn('string string', (separator: string, text: string) => numbered(splitText(text, separator))),
  splitn: fn('string int string', (separator: string, count: number, text: string) =>
    numbered(splitText(text, separator, count)),
  ),
  splitList: fn('string string', (separator: string, text: string) => strings(splitText(text, separator))),
};

function mapCase(text: string, change: (char: string) => string): string {
  let out = '';
  for (const char of replaceRawBytes(text)) out += change(char);
  return out;
}

function trunc(count: number, text: string): string {
  const length = byteLength(text);
  if (count < 0 && length + count > 0) return byteSlice(text, length + count, length);
  return count >= 0 && length > count ? byteSlice(text, 0, count) : text;
}

function trimAll(characters: string, text: string): string {
  const set = new Set(characters);
  const chars = [...text];
  let [start, end] = [0, chars.length];
  while (start < end && set.has(chars[start] ?? '')) start++;
  while (end > start && set.has(chars[end - 1] ?? '')) end--;
  return chars.slice(start, end).join('');
}

function substring(start: number, end: number, text: string): string {
  const length = byteLength(text);
  const from = start < 0 ? 0 : start;
  const to = start >= 0 && (end < 0 || end > length) ? length : end;
  if (to < 0 || to > length)
    throw new GoError(
      `runtime error: slice bounds out of range [:${to}]${to > length ? ` with length ${length}` : ''}`,
    );
  if (from > to) throw new GoError(`runtime error: slice bounds out of range [${from}:${to}]`);
  return byteSlice(text, from, to);
}

const maxLength = 64 * 1024 * 1024;

function repeat(count: number, text: string): string {
  if (count < 0) throw new GoError('strings: negative Repeat count');
  if (count * text.length > maxLength) throw new GoError(`a text of more than ${maxLength} characters is too long`);
  return text.repeat(count);
}

/** An empty pattern matches before each character and at the end. */
function replaceAll(text: string, from: string, to: string): string {
  if (from !== '') return text.split(from).join(to);
  return to + [...text].map((char) => char + to).join('');
}

/** strings.SplitN. An empty separator splits all characters; a negative count means no limit. */
function splitText(text: string, separator: string, count = -1): string[] {
  if (count === 0) return [];
  const parts = separator === '' ? [...text] : text.split(separator);
  if (count < 0 || parts.length <= count) return parts;
  const joint = separator === '' ? '' : separator;
  return [...parts.slice(0, count - 1), parts.slice(count - 1).join(joint)];
}

const numbered = (parts: string[]): GoMap =>
  new GoMap(
    parts.map((part, i) => [`_${i}`, part] as const),
    stringMap,
  );
