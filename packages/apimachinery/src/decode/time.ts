/** Times as parsed by `time.Parse` of Go and formatted by Kubernetes: in UTC, in seconds or microseconds. */
export type TimeText = { readonly text: string | undefined } | { readonly problem: string };

const layouts = { time: '2006-01-02T15:04:05Z07:00', 'micro-time': '2006-01-02T15:04:05.000000Z07:00' } as const;
const usual = {
  time: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
  'micro-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/,
} as const;

type Part = readonly [element: string, pattern: RegExp];
const digits = (element: string): Part => [element, /^\d\d/];
const parts: readonly (Part | string)[] = [
  ['2006', /^\d{4}/],
  '-',
  digits('01'),
  '-',
  digits('02'),
  'T',
  ['15', /^\d\d?/],
  ':',
  digits('04'),
  ':',
  digits('05'),
];
const zone: Part = ['Z07:00', /^(?:Z|[+-]\d\d:\d\d)/];
const fractions = { time: ['', /^(?:[.,]\d+)?/], 'micro-time': ['.000000', /^[.,]\d{6}/] } as const;

/** Empty for the zero time, which equals absence. */
export function readTime(value: string, type: 'time' | 'micro-time'): TimeText {
  if (usual[type].test(value) && isOnTheCalendar(value) && !value.startsWith('0001-01-01T00:00:00')) {
    return { text: value };
  }
  const found: string[] = [];
  let rest = value;
  for (const part of [...parts, fractions[type], zone]) {
    const [element, pattern] = typeof part === 'string' ? [part, undefined] : part;
    const match = pattern ? pattern.exec(rest)?.[0] : rest.startsWith(element) ? element : undefined;
    if (match === undefined) {
      const place = `as ${JSON.stringify(layouts[type])}: cannot parse ${JSON.stringify(rest)} as ${JSON.stringify(element)}`;
      return { problem: `parsing time ${JSON.stringify(value)} ${place}` };
    }
    if (pattern) found.push(match);
    rest = rest.slice(match.length);
  }
  const wrong = rest === '' ? outOfRange(found) : `extra text: ${JSON.stringify(rest)}`;
  if (wrong) return { problem: `parsing time ${JSON.stringify(value)}: ${wrong}` };
  return { text: format(found, type) };
}

const daysOf = (year: number, month: number): number => new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();

function isOnTheCalendar(text: string): boolean {
  const number = (at: number, length = 2): number => Number(text.slice(at, at + length));
  const month = number(5);
  const day = number(8);
  return (
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    (day <= 28 || day <= daysOf(number(0, 4), month)) &&
    number(11) <= 23 &&
    number(14) <= 59 &&
    number(17) <= 59
  );
}

function outOfRange(found: readonly string[]): string | undefined {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.map(Number);
  const offset = found[7] ?? 'Z';
  if (month < 1 || month > 12) return 'month out of range';
  if (hour > 23) return 'hour out of range';
  if (minute > 59) return 'minute out of range';
  if (second > 59) return 'second out of range';
  if (offset !== 'Z' && Number(offset.slice(1, 3)) > 24) return 'time zone offset hour out of range';
  if (offset !== 'Z' && Number(offset.slice(4)) > 60) return 'time zone offset minute out of range';
  if (day < 1 || day > daysOf(year, month)) return 'day out of range';
  return undefined;
}

function format(found: readonly string[], type: 'time' | 'micro-time'): string | undefined {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.map(Number);
  const [fraction = '', offset = 'Z'] = found.slice(6);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute - minutesOf(offset), second, 0);
  const seconds = date.toISOString().slice(0, -5);
  const isZero = seconds === '0001-01-01T00:00:00' && /^[.,]?0*$/.test(fraction);
  if (isZero) return undefined;
  return type === 'time' ? `${seconds}Z` : `${seconds}.${fraction.slice(1)}Z`;
}

function minutesOf(offset: string): number {
  if (offset === 'Z') return 0;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4));
  return offset.startsWith('-') ? -minutes : minutes;
}
