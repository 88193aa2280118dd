/** A schedule of five fields: minute, hour, day of the month, month, day of the week. */
export interface Cron {
  /** The first time after this one that the schedule matches, in milliseconds UTC; undefined if there is none in five years. */
  next(after: number): number | undefined;
}

interface Field {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const minuteField: Field = { min: 0, max: 59 };
const hourField: Field = { min: 0, max: 23 };
const dayField: Field = { min: 1, max: 31 };
const monthField: Field = { min: 1, max: 12, names: months };
const weekdayField: Field = { min: 0, max: 6, names: days };

interface Values {
  readonly on: ReadonlySet<number>;
  /** Any value: `*` or `?`. */
  readonly any: boolean;
}

/** Throws an error with the message of Argo CD's parser. */
export function parseCron(text: string): Cron {
  const parts = text.trim().split(/\s+/u);
  if (parts.length !== 5) throw new Error(`expected exactly 5 fields, found ${parts.length}: [${parts.join(' ')}]`);
  const [minutePart = '', hourPart = '', dayPart = '', monthPart = '', weekdayPart = ''] = parts;
  const [minute, hour, dayOfMonth, month, dayOfWeek] = [
    parseField(minutePart, minuteField),
    parseField(hourPart, hourField),
    parseField(dayPart, dayField),
    parseField(monthPart, monthField),
    parseField(weekdayPart, weekdayField),
  ];
  /** If both days are restricted, either may match. */
  const isDay = (date: Date): boolean => {
    const [byMonth, byWeek] = [dayOfMonth.on.has(date.getUTCDate()), dayOfWeek.on.has(date.getUTCDay())];
    return dayOfMonth.any || dayOfWeek.any ? byMonth && byWeek : byMonth || byWeek;
  };
  return {
    next(after) {
      const date = new Date(after);
      date.setUTCSeconds(0, 0);
      date.setUTCMinutes(date.getUTCMinutes() + 1);
      const last = date.getUTCFullYear() + 5;
      while (date.getUTCFullYear() <= last) {
        if (!month.on.has(date.getUTCMonth() + 1)) {
          date.setUTCMonth(date.getUTCMonth() + 1, 1);
          date.setUTCHours(0, 0);
        } else if (!isDay(date)) {
          date.setUTCDate(date.getUTCDate() + 1);
          date.setUTCHours(0, 0);
        } else if (!hour.on.has(date.getUTCHours())) date.setUTCHours(date.getUTCHours() + 1, 0);
        else if (!minute.on.has(date.getUTCMinutes())) date.setUTCMinutes(date.getUTCMinutes() + 1);
        else return date.getTime();
      }
      return undefined;
    },
  };
}

function parseField(text: string, field: Field): Values {
  const on = new Set<number>();
  let any = false;
  for (const part of text.split(',')) {
    const { first, last, step, star } = parseRange(part, field);
    for (let value = first; value <= last; value += step) on.add(value);
    if (star && step === 1) any = true;
  }
  return { on, any };
}

function parseRange(part: string, field: Field): { first: number; last: number; step: number; star: boolean } {
  const [range = '', every, ...slashes] = part.split('/');
  const [from = '', to, ...hyphens] = range.split('-');
  const star = from === '*' || from === '?';
  if (!star && hyphens.length > 0) throw new Error(`too many hyphens: ${part}`);
  const first = star ? field.min : numberOf(from, field);
  const end = star ? field.max : to === undefined ? first : numberOf(to, field);
  if (slashes.length > 0) throw new Error(`too many slashes: ${part}`);
  const step = every === undefined ? 1 : integer(every);
  const last = every !== undefined && to === undefined ? field.max : end;
  if (first < field.min) throw new Error(`beginning of range (${first}) below minimum (${field.min}): ${part}`);
  if (last > field.max) throw new Error(`end of range (${last}) above maximum (${field.max}): ${part}`);
  if (first > last) throw new Error(`beginning of range (${first}) beyond end of range (${last}): ${part}`);
  if (step === 0) throw new Error(`step of range should be a positive number: ${part}`);
  return { first, last, step, star };
}

function numberOf(text: string, { min, names }: Field): number {
  const named = names?.indexOf(text.toLowerCase()) ?? -1;
  return named >= 0 ? named + min : integer(text);
}

function integer(text: string): number {
  if (/^\d+$/u.test(text)) return Number(text);
  throw new Error(`failed to parse int from ${text}: strconv.Atoi: parsing "${text}": invalid syntax`);
}
