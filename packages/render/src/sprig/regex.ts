import { RE2JS } from 're2js';
import { fn } from '../go-template/function.ts';
import { stringSlice } from '../go-template/go-type.ts';
import { GoError, type GoFunction, GoSlice, type GoValue, nilSlice } from '../go-template/go-value.ts';
import { messageOf } from '../util/errors.ts';
import { dropOldest } from '../util/oldest.ts';

const compiled = new Map<string, RE2JS>();
const maxCompiled = 500;

function compile(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known) return known;
  let regex: RE2JS;
  try {
    regex = RE2JS.compile(pattern);
  } catch (error) {
    throw new GoError(`regexp: Compile(\`${pattern}\`): ${messageOf(error)}`);
  }
  if (compiled.size >= maxCompiled) dropOldest(compiled);
  compiled.set(pattern, regex);
  return regex;
}

/** The start and end of a match and its groups; -1 for a group that did not match. */
type Group = readonly [start: number, end: number];
type Match = readonly [Group, ...Group[]];

function matchAt(regex: RE2JS, text: string, from: number): Match | undefined {
  const matcher = regex.matcher(text);
  if (!matcher.find(from)) return undefined;
  const group = (i: number): Group => [matcher.start(i), matcher.end(i)];
  return [group(0), ...Array.from({ length: matcher.groupCount() }, (_, i) => group(i + 1))];
}

const widthAt = (text: string, at: number): number => ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);

/** All matches, as Go counts them: an empty match directly after another is skipped. */
function allMatches(regex: RE2JS, text: string, limit: number): Match[] {
  const found: Match[] = [];
  let previousEnd = -1;
  for (let at = 0; at <= text.length && (limit < 0 || found.length < limit); ) {
    const match = matchAt(regex, text, at);
    if (!match) break;
    const [start, end] = match[0];
    const fits = end !== at || start !== previousEnd;
    at = end === at ? at + widthAt(text, at) : end;
    previousEnd = end;
    if (fits) found.push(match);
  }
  return found;
}

function replaceAll(regex: RE2JS, text: string, replacement: (match: Match) => string): string {
  let out = '';
  let lastEnd = 0;
  for (let at = 0; at <= text.length; ) {
    const match = matchAt(regex, text, at);
    if (!match) break;
    const [start, end] = match[0];
    out += text.slice(lastEnd, start);
    if (end > lastEnd || start === 0) out += replacement(match);
    lastEnd = end;
    at = Math.max(at + widthAt(text, at), end);
  }
  return out + text.slice(lastEnd);
}

/** A replacement's `$1`, `${name}` and `$$`. A name is as long as it can be: `$1W` is the group named `1W`. */
function expand(regex: RE2JS, template: string, text: string, match: Match): string {
  const groupText = (index: number | undefined): string => {
    const group = index === undefined ? undefined : match[index];
    return group && group[0] >= 0 ? text.slice(...group) : '';
  };
  return template.replace(
    /\$(?:(\$)|([\p{L}\p{Nd}_]+)|\{([\p{L}\p{Nd}_]+)\})/gu,
    (_, dollar?: string, plain?: string, braced = '') => {
      if (dollar) return '$';
      const name: string = plain ?? braced;
      if (/^(?:0|[1-9]\d{0,8})$/.test(name)) return groupText(Number(name));
      const groups: Readonly<Record<string, number>> = regex.namedGroups();
      return groupText(groups[name]);
    },
  );
}

function split(regex: RE2JS, pattern: string, text: string, limit: number): GoValue {
  if (limit === 0) return nilSlice(stringSlice);
  if (pattern !== '' && text === '') return new GoSlice([''], stringSlice);
  const parts: string[] = [];
  let begin = 0;
  let end = 0;
  for (const match of allMatches(regex, text, limit)) {
    if (limit > 0 && parts.length === limit - 1) break;
    const [start, after] = match[0];
    end = start;
    if (after !== 0) parts.push(text.slice(begin, end));
    begin = after;
  }
  if (end !== text.length) parts.push(text.slice(begin));
  return new GoSlice(parts, stringSlice);
}

const test = fn('string string', (pattern: string, text: string) => matchAt(compile(pattern), text, 0) !== undefined);
const find = fn('string string', (pattern: string, text: string) => {
  const match = matchAt(compile(pattern), text, 0);
  return match ? text.slice(...match[0]) : '';
});
const findAll = fn('string string int', (pattern: string, text: string, limit: number) => {
  const found = allMatches(compile(pattern), text, limit);
  return found.length === 0
    ? nilSlice(stringSlice)
    : new GoSlice(
        found.map((match) => text.slice(...match[0])),
        stringSlice,
      );
});
const replace = fn('string string string', (pattern: string, text: string, replacement: string) => {
  const regex = compile(pattern);
  return replaceAll(regex, text, (match) => expand(regex, replacement, text, match));
});
const replaceLiteral = fn('string string string', (pattern: string, text: string, replacement: string) =>
  replaceAll(compile(pattern), text, () => replacement),
);
const splitAt = fn('string string int', (pattern: string, text: string, limit: number) =>
  split(compile(pattern), pattern, text, limit),
);

export const regexFunctions: Readonly<Record<string, GoFunction>> = {
  /** An invalid pattern matches nothing. */
  regexMatch: fn('string string', (pattern: string, text: string) => {
    try {
      return matchAt(compile(pattern), text, 0) !== undefined;
    } catch (error) {
      if (error instanceof GoError) return false;
      throw error;
    }
  }),
  mustRegexMatch: test,
  regexFind: find,
  mustRegexFind: find,
  regexFindAll: findAll,
  mustRegexFindAll: findAll,
  regexReplaceAll: replace,
  mustRegexReplaceAll: replace,
  regexReplaceAllLiteral: replaceLiteral,
  mustRegexReplaceAllLiteral: replaceLiteral,
  regexSplit: splitAt,
  mustRegexSplit: splitAt,
  regexQuoteMeta: fn('string', (text: string) => text.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&')),
};
