import { escapeQuery, fn, GoMap, type GoValue } from '@fairlead/render/go-template';
import { durationValue, lowerChar, parseTime, timeValue, upperChar } from '@fairlead/render/sprig';
import { instantNow } from '../expr/builtins/times.ts';
import { fullNameByRepoUrl, repoUrlToHttps } from './repository-names.ts';

const layouts: Readonly<Record<string, string>> = {
  Layout: "01/02 03:04:05PM '06 -0700",
  ANSIC: 'Mon Jan _2 15:04:05 2006',
  UnixDate: 'Mon Jan _2 15:04:05 MST 2006',
  RubyDate: 'Mon Jan 02 15:04:05 -0700 2006',
  RFC822: '02 Jan 06 15:04 MST',
  RFC822Z: '02 Jan 06 15:04 -0700',
  RFC850: 'Monday, 02-Jan-06 15:04:05 MST',
  RFC1123: 'Mon, 02 Jan 2006 15:04:05 MST',
  RFC1123Z: 'Mon, 02 Jan 2006 15:04:05 -0700',
  RFC3339: '2006-01-02T15:04:05Z07:00',
  RFC3339Nano: '2006-01-02T15:04:05.999999999Z07:00',
  Kitchen: '3:04PM',
  Stamp: 'Jan _2 15:04:05',
  StampMilli: 'Jan _2 15:04:05.000',
  StampMicro: 'Jan _2 15:04:05.000000',
  StampNano: 'Jan _2 15:04:05.000000000',
};

const units: readonly (readonly [string, bigint])[] = [
  ['Nanosecond', 1n],
  ['Microsecond', 1_000n],
  ['Millisecond', 1_000_000n],
  ['Second', 1_000_000_000n],
  ['Minute', 60_000_000_000n],
  ['Hour', 3_600_000_000_000n],
];

/** The variable `time`. */
export const timeHelpers = (now: () => number): GoMap =>
  new GoMap([
    ['Parse', fn('string', (text: string) => timeValue(parseTime(layouts.RFC3339 ?? '', text)))],
    ['Now', fn('', () => timeValue(instantNow(now)))],
    ...units.map(([name, nanoseconds]): [string, GoValue] => [name, durationValue(nanoseconds)]),
    ...Object.entries(layouts),
  ]);

const mapChars = (text: string, change: (char: string) => string): string => [...text].map(change).join('');

/** The variable `strings`. */
export const stringHelpers: GoMap = new GoMap([
  ['ReplaceAll', fn('string string string', (text: string, old: string, by: string) => text.replaceAll(old, () => by))],
  ['ToUpper', fn('string', (text: string) => mapChars(text, upperChar))],
  ['ToLower', fn('string', (text: string) => mapChars(text, lowerChar))],
]);

/** The part of the variable `repo` that reads nothing. */
export const repositoryHelpers: readonly (readonly [string, GoValue])[] = [
  ['RepoURLToHTTPS', fn('string', repoUrlToHttps)],
  ['FullNameByRepoURL', fn('string', fullNameByRepoUrl)],
  ['QueryEscape', fn('string', escapeQuery)],
];
