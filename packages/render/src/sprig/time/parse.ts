import { GoError } from '../../go-template/go-value.ts';
import { daysFromCivil, type Instant } from './instant.ts';
import { dayNames, layoutPieces, monthNames } from './layout.ts';
import { fixedZone, utc, type Zone } from './zone.ts';

interface Read {
  year: number;
  month: number;
  day: number;
  yearDay: number;
  hour: number;
  minute: number;
  second: number;
  nanoseconds: number;
  afternoon: boolean | undefined;
  zone: Zone | undefined;
}

const daysIn = (year: number, month: number): number =>
  daysFromCivil(year, month + 1, 1) - daysFromCivil(year, month, 1);

/** time.Parse. Text without a zone is in UTC. */
export function parseTime(layout: string, text: string): Instant {
  const quoted = JSON.stringify(text);
  const fail = (what: string): never => {
    throw new GoError(`parsing time ${quoted}${what}`);
  };
  const read: Read = {
    year: 0,
    month: -1,
    day: -1,
    yearDay: -1,
    hour: 0,
    minute: 0,
    second: 0,
    nanoseconds: 0,
    afternoon: undefined,
    zone: undefined,
  };
  let rest = text;
  for (const piece of layoutPieces(layout)) {
    if ('text' in piece) {
      if (!rest.startsWith(piece.text)) {
        fail(` as ${JSON.stringify(layout)}: cannot parse ${JSON.stringify(rest)} as ${JSON.stringify(piece.text)}`);
      }
      rest = rest.slice(piece.text.length);
      continue;
    }
    const taken = take(piece.field, piece.raw, rest, read);
    if (taken === undefined)
      return fail(
        ` as ${JSON.stringify(layout)}: cannot parse ${JSON.stringify(rest)} as ${JSON.stringify(piece.raw)}`,
      );
    if (taken === 'month' || taken === 'day' || taken === 'hour' || taken === 'minute' || taken === 'second')
      return fail(`: ${taken} out of range`);
    rest = rest.slice(taken.length);
    if (piece.field === '05' || piece.field === '5') {
      const fraction = /^[.,](\d+)/.exec(rest);
      if (fraction && !layout.includes('.0') && !layout.includes('.9') && !layout.includes(',0')) {
        read.nanoseconds = Number(fraction[1]!.slice(0, 9).padEnd(9, '0'));
        rest = rest.slice(fraction[0].length);
      }
    }
  }
  if (rest !== '') fail(`: extra text: ${JSON.stringify(rest)}`);
  return instantOf(read, fail);
}

function instantOf(read: Read, fail: (what: string) => never): Instant {
  if (read.afternoon && read.hour < 12) read.hour += 12;
  else if (read.afternoon === false && read.hour === 12) read.hour = 0;
  if (read.yearDay > 0 && read.month < 0) {
    read.month = 1;
    read.day = read.yearDay;
  } else {
    if (read.month < 0) read.month = 1;
    if (read.day < 0) read.day = 1;
    if (read.day < 1 || read.day > daysIn(read.year, read.month)) fail(': day out of range');
  }
  const days = daysFromCivil(read.year, read.month, read.day);
  const local = days * 86400 + read.hour * 3600 + read.minute * 60 + read.second;
  const zone = read.zone ?? utc;
  return { seconds: local - zone.at(local).offset, nanoseconds: read.nanoseconds, zone };
}

type OutOfRange = 'month' | 'day' | 'hour' | 'minute' | 'second';

/** Reads a field from the start of the text: the text that it uses, undefined if it does not match, or the name of a part that is out of range. */
function take(field: string, raw: string, rest: string, read: Read): string | OutOfRange | undefined {
  const match = (pattern: RegExp): string | undefined => pattern.exec(rest)?.[0];
  const number = (
    pattern: RegExp,
    min: number,
    max: number,
    what: OutOfRange,
    set: (n: number) => void,
  ): string | undefined => {
    const digits = match(pattern);
    if (digits === undefined) return undefined;
    const value = Number(digits);
    if (value < min || value > max) return what;
    set(value);
    return digits;
  };
  const named = (names: string[], length: number | undefined, set: (i: number) => void): string | undefined => {
    const index = names.findIndex((name) =>
      rest.toLowerCase().startsWith((length ? name.slice(0, length) : name).toLowerCase()),
    );
    if (index < 0) return undefined;
    set(index);
    return rest.slice(0, length ?? names[index]!.length);
  };
  const oneOrTwo = /^\d\d?/;
  const exactlyTwo = /^\d\d/;
  switch (field) {
    case '2006': {
      const digits = match(/^\d{4}/);
      if (digits) read.year = Number(digits);
      return digits;
    }
    case '06': {
      const digits = match(exactlyTwo);
      if (digits) read.year = Number(digits) + (Number(digits) >= 69 ? 1900 : 2000);
      return digits;
    }
    case '1':
    case '01':
      return number(field === '1' ? oneOrTwo : exactlyTwo, 1, 12, 'month', (n) => (read.month = n));
    case 'January':
      return named(monthNames, undefined, (i) => (read.month = i + 1));
    case 'Jan':
      return named(monthNames, 3, (i) => (read.month = i + 1));
    case 'Monday':
      return named(dayNames, undefined, () => undefined);
    case 'Mon':
      return named(dayNames, 3, () => undefined);
    case '2':
    case '_2':
    case '02': {
      const pattern = field === '02' ? exactlyTwo : field === '_2' ? /^ ?\d\d?/ : oneOrTwo;
      return number(pattern, 0, 99, 'day', (n) => (read.day = n));
    }
    case '002':
    case '__2':
      return number(/^[ \d]{3}/, 1, 366, 'day', (n) => (read.yearDay = n));
    case '15':
      return number(exactlyTwo, 0, 23, 'hour', (n) => (read.hour = n));
    case '3':
    case '03':
      return number(field === '3' ? oneOrTwo : exactlyTwo, 0, 12, 'hour', (n) => (read.hour = n));
    case '4':
    case '04':
      return number(field === '4' ? oneOrTwo : exactlyTwo, 0, 59, 'minute', (n) => (read.minute = n));
    case '5':
    case '05':
      return number(field === '5' ? oneOrTwo : exactlyTwo, 0, 59, 'second', (n) => (read.second = n));
    case 'PM':
    case 'pm': {
      const half = match(field === 'PM' ? /^[AP]M/ : /^[ap]m/);
      if (half) read.afternoon = half.toUpperCase() === 'PM';
      return half;
    }
    case 'fraction': {
      if (raw.charAt(1) === '9' && !/^[.,]\d/.test(rest)) return '';
      const digits = match(raw.charAt(1) === '9' ? /^[.,]\d+/ : new RegExp(`^[.,]\\d{${raw.length - 1}}`));
      if (digits) read.nanoseconds = Number(digits.slice(1, 10).padEnd(9, '0'));
      return digits;
    }
    case 'MST': {
      const name = match(/^[A-Z]{3,5}/);
      if (name) read.zone = name === 'UTC' ? utc : (read.zone ?? fixedZone(0, name));
      return name;
    }
    default:
      return takeOffset(field, rest, read);
  }
}

function takeOffset(field: string, rest: string, read: Read): string | undefined {
  if (field.startsWith('Z') && rest.startsWith('Z')) {
    read.zone = utc;
    return 'Z';
  }
  const colon = field.includes(':') ? ':' : '';
  const count = field.replace(/\D/g, '').length / 2;
  const pattern = new RegExp(
    `^([-+])(\\d\\d)${count > 1 ? `${colon}(\\d\\d)` : ''}${count > 2 ? `${colon}(\\d\\d)` : ''}`,
  );
  const match = pattern.exec(rest);
  if (!match) return undefined;
  const size = Number(match[2]) * 3600 + Number(match[3] ?? 0) * 60 + Number(match[4] ?? 0);
  const offset = match[1] === '-' ? -size : size;
  read.zone = offset === 0 ? utc : fixedZone(offset, '');
  return match[0];
}
