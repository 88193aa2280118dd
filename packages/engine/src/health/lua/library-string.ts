import type { Interpreter } from './interpreter.ts';
import { badArgument, type Library, numberAt, textAt } from './library-base.ts';
import { type Match, PatternMatcher } from './patterns.ts';
import { format } from './string-format.ts';
import { display, isFunction, LuaError, type LuaFunction, LuaTable, type LuaValue } from './values.ts';

/** Positions start at 1, negative ones count from the end. */
function range(length: number, from: number, to: number): [number, number] {
  const start = from < 0 ? Math.max(length + from, 0) : Math.max(from - 1, 0);
  return [start, Math.min(to < 0 ? length + to + 1 : to, length)];
}

const special = /[\^$*+?.([%-]/u;
const valuesOf = ({ start, end, captures }: Match, text: string): readonly LuaValue[] =>
  captures.length > 0 ? captures : [text.slice(start, end)];

export function stringLibrary(lua: Interpreter): Library {
  const made = (text: string): readonly LuaValue[] => {
    lua.budget.allocate(text.length);
    return [text];
  };
  const search = (args: readonly LuaValue[], name: string): { text: string; match: Match | undefined } => {
    const [text, pattern] = [textAt(args, 1, name), textAt(args, 2, name)];
    const init = numberAt(args, 3, name, 1);
    const from = init < 0 ? Math.max(text.length + init, 0) : Math.max(init - 1, 0);
    if (from > text.length) return { text, match: undefined };
    if (name === 'find' && (args[3] === true || !special.test(pattern))) {
      const at = text.indexOf(pattern, from);
      return { text, match: at < 0 ? undefined : { start: at, end: at + pattern.length, captures: [] } };
    }
    return { text, match: new PatternMatcher(text, pattern, lua.budget).find(from) };
  };
  return {
    byte: (...args) => {
      const text = textAt(args, 1, 'byte');
      const first = numberAt(args, 2, 'byte', 1);
      const [from, to] = range(text.length, first, numberAt(args, 3, 'byte', first));
      return [...text.slice(from, to)].map((character) => character.charCodeAt(0));
    },
    char: (...args) => made(String.fromCharCode(...args.map((_, i) => numberAt(args, i + 1, 'char') & 255))),
    find: (...args) => {
      const { match } = search(args, 'find');
      return match ? [match.start + 1, match.end, ...match.captures] : [undefined];
    },
    format: (...args) => made(format(lua, args)),
    gmatch: (...args) => {
      const [text, pattern] = [textAt(args, 1, 'gmatch'), textAt(args, 2, 'gmatch')];
      const matcher = new PatternMatcher(text, pattern, lua.budget);
      let at = 0;
      const next: LuaFunction = {
        name: 'gmatch_iterator',
        call: () => {
          const match = at <= text.length ? matcher.find(at) : undefined;
          if (!match) return [];
          at = match.end === match.start ? match.end + 1 : match.end;
          return valuesOf(match, text);
        },
      };
      return [next];
    },
    gsub: (...args) => substitute(lua, args),
    len: (...args) => [textAt(args, 1, 'len').length],
    lower: (...args) => made(textAt(args, 1, 'lower').replace(/[A-Z]+/gu, (word) => word.toLowerCase())),
    match: (...args) => {
      const { text, match } = search(args, 'match');
      return match ? valuesOf(match, text) : [undefined];
    },
    rep: (...args) => {
      const [text, times] = [textAt(args, 1, 'rep'), Math.max(0, Math.floor(numberAt(args, 2, 'rep')))];
      lua.budget.allocate(text.length * times);
      return [text.repeat(times)];
    },
    reverse: (...args) => made([...textAt(args, 1, 'reverse')].reverse().join('')),
    sub: (...args) => {
      const text = textAt(args, 1, 'sub');
      const [from, to] = range(text.length, numberAt(args, 2, 'sub', 1), numberAt(args, 3, 'sub', -1));
      return made(text.slice(from, Math.max(from, to)));
    },
    upper: (...args) => made(textAt(args, 1, 'upper').replace(/[a-z]+/gu, (word) => word.toUpperCase())),
  };
}

function substitute(lua: Interpreter, args: readonly LuaValue[]): readonly LuaValue[] {
  const [text, pattern, by] = [textAt(args, 1, 'gsub'), textAt(args, 2, 'gsub'), args[2]];
  const most = numberAt(args, 4, 'gsub', Number.POSITIVE_INFINITY);
  const matcher = new PatternMatcher(text, pattern, lua.budget);
  let [result, at, count] = ['', 0, 0];
  while (count < most && at <= text.length) {
    const match = matcher.find(at);
    if (!match) break;
    count += 1;
    const put = replacement(lua, by, match, text);
    lua.budget.allocate(match.start - at + put.length);
    result += text.slice(at, match.start) + put;
    if (match.end === match.start) {
      result += text[match.end] ?? '';
      at = match.end + 1;
    } else at = match.end;
    if (pattern.startsWith('^')) break;
  }
  return [result + text.slice(at), count];
}

function replacement(lua: Interpreter, by: LuaValue, match: Match, text: string): string {
  const whole = text.slice(match.start, match.end);
  const values = valuesOf(match, text);
  if (typeof by === 'string' || typeof by === 'number') {
    return display(by).replace(/%(.?)/gsu, (_, character: string) => {
      if (character === '0') return whole;
      if (!/\d/u.test(character)) return character;
      const value = values[Number(character) - 1];
      if (value === undefined) throw new LuaError(`invalid capture index %${character}`);
      return display(value);
    });
  }
  let value: LuaValue;
  if (by instanceof LuaTable) value = by.get(values[0]);
  else if (isFunction(by)) value = lua.call(by, values)[0];
  else throw badArgument(3, 'gsub', 'string/function/table expected');
  if (value === undefined || value === false) return whole;
  if (typeof value !== 'string' && typeof value !== 'number') throw new LuaError('invalid replacement value');
  return display(value);
}
