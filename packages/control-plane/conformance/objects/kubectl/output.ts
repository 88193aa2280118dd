import type { Json } from '@fairlead/apimachinery';
import { parse } from 'yaml';
import { describeDifference, difference } from '../placeholders.ts';

/** How an output is compared: by its cells, its bytes, its objects, its titles. */
export type Compare =
  | 'table'
  | 'text'
  | 'object'
  | 'headings'
  | 'explain'
  | 'last-line'
  | 'sorted'
  | 'sorted-table'
  | 'ignore';

/** Why an output differs from the recorded one; undefined if it does not. */
export function outputDifference(compare: Compare, recorded: string, actual: string): string | undefined {
  if (compare === 'ignore') return undefined;
  if (compare === 'object') return objectDifference(recorded, actual);
  const [expected, got] = [comparable[compare](recorded), comparable[compare](actual)];
  return patternOf(expected).test(got) ? undefined : `expected\n${indented(expected)}\nactual\n${indented(got)}`;
}

function objectDifference(recorded: string, actual: string): string | undefined {
  let got: Json;
  try {
    got = parse(actual) as Json;
  } catch {
    return `not an object: ${actual}`;
  }
  const found = difference(parse(recorded) as Json, got);
  return found && describeDifference(found);
}

const lines = (text: string): string[] => text.replace(/\n$/, '').split('\n');

const age = /(?<![\w.:/-])(?:\d+[smhdy])+(?![\w./-])/g;

function table(text: string): string {
  return text
    .split('\n')
    .map((line) =>
      line
        .replace(/ +$/, '')
        .replace(/^ {4,}/, '   ')
        .replace(/(?<=\S) {2,}/g, '   ')
        .replace(age, '<age>'),
    )
    .join('\n');
}

const comparable: Readonly<Record<Exclude<Compare, 'object' | 'ignore'>, (text: string) => string>> = {
  table,
  text: (text) => text,
  headings: (text) =>
    lines(text)
      .map((line) => /^ *[A-Z][\w/-]*(?: [\w/-]+)*:(?=\s|$)/.exec(line)?.[0])
      .filter((heading) => heading !== undefined)
      .join('\n'),
  explain: (text) =>
    lines(text)
      .filter((line) => /^[A-Z]+:|^\s*\S+\t</.test(line))
      .map((line) => line.trimEnd())
      .join('\n'),
  'last-line': (text) => table(lines(text).at(-1) ?? ''),
  sorted: (text) => lines(text).sort().join('\n'),
  'sorted-table': (text) => {
    const [head = '', ...rows] = lines(table(text));
    return [head, ...rows.sort()].join('\n');
  },
};

/** What a placeholder in a recorded text matches. */
const shapes: Readonly<Record<string, string>> = {
  uid: '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
  rv: '\\d+',
  time: '\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?(?:Z| ?[+-]\\d\\d:?\\d\\d)',
  age: '(?:<age>|(?:\\d+[smhdy])+)',
  clusterIP: '(?:\\d+\\.){3}\\d+',
  podIP: '(?:\\d+\\.){3}\\d+',
  nodePort: '\\d+',
  suffix: '[a-z0-9]{5}',
  rand: '[a-z0-9]{5}',
  hash: '[a-z0-9]{6,10}',
  node: '[a-z0-9.-]+',
  n: '\\d+',
  tmp: '[^\\s]*?',
  server: 'https?://[^\\s\\x1b]+',
  text: '[^]*?',
  value: '[^]*?',
};
const placeholder = new RegExp(`<(${Object.keys(shapes).join('|')})>`, 'g');

function patternOf(recorded: string): RegExp {
  let pattern = '';
  let last = 0;
  for (const match of recorded.matchAll(placeholder)) {
    pattern += literal(recorded.slice(last, match.index)) + shapes[match[1]!];
    last = match.index + match[0].length;
  }
  return new RegExp(`^${pattern}${literal(recorded.slice(last))}$`);
}

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const indented = (text: string): string => text.replace(/^/gm, '  | ');
