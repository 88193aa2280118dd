import type { Setting } from '@fairlead/api/settings';
import { messageOf, parseDuration, parseTime } from '@fairlead/apimachinery';
import { readYaml } from '@fairlead/render/go-yaml';

/** The value of a text; undefined if it is none of the type. */
export interface ValueParser<T> {
  parse(text: string): T | undefined;
  /** What is wrong with a text that has no value. */
  problem(text: string): string;
}

const flags: Readonly<Record<string, boolean>> = { true: true, 1: true, t: true, false: false, 0: false, f: false };

export const flagParser: ValueParser<boolean> = {
  parse: (text) => (Object.hasOwn(flags, text.toLowerCase()) ? flags[text.toLowerCase()] : undefined),
  problem: (text) => `'${text.toLowerCase()}' must be true or false`,
};

export const durationParser: ValueParser<number> = {
  parse(text) {
    const ms = parseDuration(text);
    return ms !== undefined && ms >= 0 ? ms : undefined;
  },
  problem: (text) => `'${text}' is not a duration: write 180s or 1h30m`,
};

const wholeNumber = (text: string): number | undefined => (/^\d+$/u.test(text) ? Number(text) : undefined);

export const secondsParser: ValueParser<number> = {
  parse: wholeNumber,
  problem: (text) => `'${text}' is not a number of seconds: write 3600`,
};

export const numberParser: ValueParser<number> = { parse: wholeNumber, problem: (text) => `'${text}' is not a number` };

export const choiceParser = <T extends string>(choices: readonly T[]): ValueParser<T> => ({
  parse: (text) => choices.find((choice) => choice === text),
  problem: (text) => `'${text}' must be one of ${choices.join(', ')}`,
});

/** Names separated by commas. */
export const readList = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** What is wrong with the value of a setting; undefined if it is valid or empty. */
export function valueProblem({ type, choices = [] }: Setting, text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  switch (type) {
    case 'boolean':
      return problemIn(flagParser, trimmed);
    case 'enum':
      return problemIn(choiceParser(choices), trimmed);
    case 'duration':
      return problemIn(durationParser, trimmed);
    case 'seconds':
      return problemIn(secondsParser, trimmed);
    case 'number':
      return problemIn(numberParser, trimmed);
    case 'time':
      return parseTime(trimmed) === undefined ? `'${trimmed}' is not a time: write 2026-01-31T12:00:00Z` : undefined;
    case 'yaml':
      return failure('YAML', () => readYaml(text));
    case 'json':
      return failure('JSON', () => JSON.parse(text));
    case 'text':
    case 'list':
      return undefined;
  }
}

/** Whether a value has the effect of the default, which may be written differently. */
export function isDefault({ type, default: byDefault }: Setting, text: string): boolean {
  const value = text.trim();
  if (value === '' || value === byDefault) return true;
  if (type === 'boolean') return same(flagParser, value, byDefault);
  if (type === 'duration') return same(durationParser, value, byDefault);
  return type === 'list' && readList(value).join() === readList(byDefault).join();
}

const problemIn = <T>(parser: ValueParser<T>, text: string): string | undefined =>
  parser.parse(text) === undefined ? parser.problem(text) : undefined;

function same<T>(parser: ValueParser<T>, a: string, b: string): boolean {
  const value = parser.parse(a);
  return value !== undefined && value === parser.parse(b);
}

function failure(language: string, read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    return `is not valid ${language}: ${messageOf(error)}`;
  }
}
