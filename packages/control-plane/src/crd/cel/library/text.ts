import { compilePattern, PatternTooCostly } from '../../patterns.ts';
import { type Cost, namespaced, type Overload, overload, perCharacter, perPair, sizeOf } from '../overloads.ts';
import { CelError, List, type Value } from '../values.ts';
import { format } from './format-text.ts';

/** Indices count code points, not UTF-16 units. */
const points = (text: string): string[] => [...text];

function at(index: bigint, length: number): number {
  if (index < 0n || index > BigInt(length)) throw new CelError(`index out of range: ${index}`);
  return Number(index);
}

function indexOf(text: string, part: string, from = 0n): bigint {
  const chars = points(text);
  const start = at(from, chars.length);
  const prefix = chars.slice(0, start).join('').length;
  const found = text.indexOf(part, prefix);
  return found < 0 ? -1n : BigInt(points(text.slice(0, found)).length);
}

function lastIndexOf(text: string, part: string, from?: bigint): bigint {
  const chars = points(text);
  const start = from === undefined ? text.length : chars.slice(0, at(from, chars.length)).join('').length;
  const found = text.lastIndexOf(part, start);
  return found < 0 ? -1n : BigInt(points(text.slice(0, found)).length);
}

function substring(text: string, from: bigint, to?: bigint): string {
  const chars = points(text);
  const start = at(from, chars.length);
  const end = to === undefined ? chars.length : at(to, chars.length);
  if (start > end) throw new CelError(`invalid substring range. start: ${start}, end: ${end}`);
  return chars.slice(start, end).join('');
}

const maxLength = 10_000_000;

function replace(text: string, part: string, by: string, limit = -1n): string {
  // The result may be longer than all inputs.
  const times = part === '' ? text.length + 1 : text.length / part.length;
  if (times * by.length > maxLength) throw new CelError('the text would be too long');
  if (limit < 0n) return text.replaceAll(part, () => by);
  let [done, rest] = ['', text];
  for (let left = limit; left > 0n; left--) {
    const found = rest.indexOf(part);
    if (found < 0) break;
    done += rest.slice(0, found) + by;
    rest = rest.slice(found + part.length);
  }
  return done + rest;
}

function split(text: string, separator: string, limit = -1n): List {
  if (limit === 0n) return List.of([]);
  const parts = separator === '' ? points(text) : text.split(separator);
  if (limit < 0n || parts.length <= Number(limit)) return List.of(parts);
  const most = Number(limit);
  return List.of([...parts.slice(0, most - 1), parts.slice(most - 1).join(separator)]);
}

const ascii = (text: string, change: (letter: string) => string, letters: RegExp): string =>
  text.replace(letters, change);

const escapes: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};
const quote = (text: string): string => `"${[...text].map((char) => escapes[char] ?? char).join('')}"`;

/** By the length of the text and of the pattern, as for an automaton. */
const perMatch: Cost = ([text = '', source = '']) => (1 + sizeOf(text) / 10) * Math.max(1, sizeOf(source) / 4);
const perListItem: Cost = ([list = null]) => sizeOf(list);

function pattern(source: string) {
  const compiled = compilePattern(source);
  if (compiled instanceof Error) throw new CelError(compiled.message);
  return compiled;
}

function guarded<T>(match: () => T): T {
  try {
    return match();
  } catch (error) {
    if (error instanceof PatternTooCostly) throw new CelError(error.message);
    throw error;
  }
}

const matches = (text: string, source: string): boolean => guarded(() => pattern(source).test(text));

function findAll(text: string, source: string, limit = -1n): List {
  const matcher = pattern(source).program.matcher(text);
  const found: Value[] = [];
  while ((limit < 0n || found.length < Number(limit)) && matcher.find()) found.push(matcher.group() ?? '');
  return List.of(found);
}

function find(text: string, source: string): Value {
  const found = findAll(text, source, 1n);
  return found.size > 0 ? found.at(0) : '';
}

function join(list: List, separator = ''): string {
  return [...list].map(String).join(separator);
}

export const text: Overload[] = [
  overload('string.startsWith(string): bool', (s: string, p: string) => s.startsWith(p), perCharacter),
  overload('string.endsWith(string): bool', (s: string, p: string) => s.endsWith(p), perCharacter),
  overload(
    'string.contains(string): bool',
    (s: string, p: string) => s.includes(p),
    (args) => perPair(args) / 10,
  ),
  overload('string.matches(string): bool', matches, perMatch),
  overload('matches(string, string): bool', matches, perMatch),
  overload('string.find(string): string', find, perMatch),
  overload('string.findAll(string): list<string>', findAll, perMatch),
  overload('string.findAll(string, int): list<string>', findAll, perMatch),
  overload(
    'string.charAt(int): string',
    (s: string, i: bigint) => points(s)[at(i, points(s).length)] ?? '',
    perCharacter,
  ),
  overload('string.indexOf(string): int', indexOf, perCharacter),
  overload('string.indexOf(string, int): int', indexOf, perCharacter),
  overload('string.lastIndexOf(string): int', lastIndexOf, perCharacter),
  overload('string.lastIndexOf(string, int): int', lastIndexOf, perCharacter),
  overload('string.lowerAscii(): string', (s: string) => ascii(s, (c) => c.toLowerCase(), /[A-Z]/g), perCharacter),
  overload('string.upperAscii(): string', (s: string) => ascii(s, (c) => c.toUpperCase(), /[a-z]/g), perCharacter),
  overload('string.replace(string, string): string', replace, perCharacter),
  overload('string.replace(string, string, int): string', replace, perCharacter),
  overload('string.split(string): list<string>', split, perCharacter),
  overload('string.split(string, int): list<string>', split, perCharacter),
  overload('string.substring(int): string', substring, perCharacter),
  overload('string.substring(int, int): string', substring, perCharacter),
  overload('string.trim(): string', (s: string) => s.trim(), perCharacter),
  overload('string.format(list<dyn>): string', (s: string, args: List) => format(s, args), perCharacter),
  overload('list<string>.join(): string', join, perListItem),
  overload('list<string>.join(string): string', join, perListItem),
  namespaced('strings.quote', 'quote(string): string', quote, perCharacter),
];
