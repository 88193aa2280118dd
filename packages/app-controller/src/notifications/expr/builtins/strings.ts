import { goJson } from '@fairlead/render/go-json';
import { byteLength, GoSlice, type GoValue, int, itemsOf, stringSlice, toBytes } from '@fairlead/render/go-template';
import { lowerChar, readJson, toPlain, upperChar } from '@fairlead/render/sprig';
import { fail, printed, toIndex, toText, typeText } from '../values.ts';
import type { Builtin } from './builtin.ts';

const maxRepeats = 1_000_000;
const text = (value: GoValue): string => toText(value);
const texts = (list: readonly string[]): GoSlice => new GoSlice([...list], stringSlice);
const mapChars = (value: GoValue, change: (char: string) => string): string => [...text(value)].map(change).join('');
const spaces = '[\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+';
const outerSpace = new RegExp(`^${spaces}|${spaces}$`, 'gu');

/** A function of one text and a second one. */
const onTexts =
  (work: (a: string, b: string) => GoValue): Builtin =>
  ([a, b]) =>
    work(text(a), text(b));

function trim([value, cutset]: readonly GoValue[]): GoValue {
  if (cutset === undefined) return text(value).replace(outerSpace, '');
  const chars = [...text(value)];
  const cut = new Set(text(cutset));
  const start = chars.findIndex((char) => !cut.has(char));
  const end = chars.findLastIndex((char) => !cut.has(char));
  return start < 0 ? '' : chars.slice(start, end + 1).join('');
}

/** At most `count` parts, the last with the rest; each part keeps its separator if `after`. */
function splitText([value, separator, limit]: readonly GoValue[], after: boolean): string[] {
  const [whole, glue] = [text(value), text(separator)];
  const count = limit === undefined ? -1 : toIndex(limit);
  if (count === 0) return [];
  const parts = glue === '' ? [...whole] : whole.split(glue);
  const kept =
    count < 0 || parts.length <= count ? parts : [...parts.slice(0, count - 1), parts.slice(count - 1).join(glue)];
  return after ? kept.map((part, i) => (i < kept.length - 1 ? part + glue : part)) : kept;
}

function replace([value, old, by, limit]: readonly GoValue[]): GoValue {
  const count = limit === undefined ? -1 : toIndex(limit);
  if (count < 0) return text(value).replaceAll(text(old), () => text(by));
  const parts = text(value).split(text(old));
  const joined = parts.slice(0, count + 1).join(text(by));
  return [joined, ...parts.slice(count + 1)].join(text(old));
}

const repeat: Builtin = ([value, times], { budget }) => {
  const count = toIndex(times ?? null);
  if (count < 0) return fail(`invalid argument for repeat (expected positive integer, got ${count})`);
  if (count > maxRepeats) return fail('repeat: the text would be too long');
  budget.grow(text(value).length * count);
  return text(value).repeat(count);
};

function byteIndex(whole: string, part: string, at: number): GoValue {
  return int(at < 0 ? -1 : part === '' && at === whole.length ? byteLength(whole) : byteLength(whole.slice(0, at)));
}

const cutEnds = (end: 'start' | 'end'): Builtin => {
  return ([value, affix = ' ']) => {
    const [whole, part] = [text(value), text(affix)];
    if (end === 'start') return whole.startsWith(part) ? whole.slice(part.length) : whole;
    return part !== '' && whole.endsWith(part) ? whole.slice(0, -part.length) : whole;
  };
};

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/u;

export const stringBuiltins: Readonly<Record<string, Builtin>> = {
  string: ([value]) => printed(value ?? null),
  trim,
  trimPrefix: cutEnds('start'),
  trimSuffix: cutEnds('end'),
  upper: ([value]) => mapChars(value, upperChar),
  lower: ([value]) => mapChars(value, lowerChar),
  split: (args) => texts(splitText(args, false)),
  splitAfter: (args) => texts(splitText(args, true)),
  replace,
  repeat,
  join: ([list, glue = '']) =>
    (itemsOf(list) ?? fail(`invalid argument for join (type ${typeText(list)})`)).map(text).join(text(glue)),
  indexOf: onTexts((whole, part) => byteIndex(whole, part, whole.indexOf(part))),
  lastIndexOf: onTexts((whole, part) => byteIndex(whole, part, whole.lastIndexOf(part))),
  hasPrefix: onTexts((whole, part) => whole.startsWith(part)),
  hasSuffix: onTexts((whole, part) => whole.endsWith(part)),
  toJSON: ([value]) => goJson(toPlain(value ?? null), { indent: '  ' }),
  fromJSON: ([value]) => readJson(text(value)),
  toBase64: ([value]) => toBytes(text(value)).toString('base64'),
  fromBase64: ([value]) => {
    const encoded = text(value).replaceAll(/[\r\n]/gu, '');
    return base64.test(encoded) ? Buffer.from(encoded, 'base64').toString() : fail('illegal base64 data');
  },
};
