/** A schedule of five fields: minute, hour, day of the month, month, day of the week. */
export interface Cron {
  /** The first time after this one that the schedule matches, in milliseconds UTC; undefined if there is none in five years. */
  next(after: number): number | undefined;
}

interface Field {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const minuteField: Field = { name: 'minute', min: 0, max: 59 };
const hourField: Field = { name: 'hour', min: 0, max: 23 };
const dayField: Field = { name: 'day of the month', min: 1, max: 31 };
const monthField: Field = { name: 'month', min: 1, max: 12, names: months };
const weekdayField: Field = { name: 'day of the week', min: 0, max: 6, names: days };

interface Values {
  readonly on: ReadonlySet<number>;
  /** Any value: `*` or `?`. */
  readonly any: boolean;
}

/** Throws an error that names the invalid field. */
export function parseCron(text: string): Cron {
  const parts = text.trim().split(/\s+/u);
  if (parts.length !== 5) throw new Error(`it has ${parts.length} fields; a schedule has 5, such as '0 22 * * *'`);
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
    const match = /^(?:(\*|\?)|([a-z0-9]+)(?:-([a-z0-9]+))?)(?:\/(\d+))?$/iu.exec(part);
    if (!match) throw new Error(`'${part}' is not a ${field.name}`);
    const [, star, from = '', to, every] = match;
    const step = every === undefined ? 1 : Number(every);
    if (step === 0) throw new Error(`'${part}': a step must be at least 1`);
    const first = star ? field.min : numberOf(from, field);
    const last = star || (to === undefined && every !== undefined) ? field.max : numberOf(to ?? from, field);
    if (last < first) throw new Error(`'${part}' ends before it starts`);
    for (let value = first; value <= last; value += step) on.add(value);
    if (star && step === 1) any = true;
  }
  return { on, any };
}

function numberOf(text: string, { name, min, max, names }: Field): number {
  const named = names?.indexOf(text.toLowerCase()) ?? -1;
  const value = named >= 0 ? named + min : /^\d+$/u.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) throw new Error(`'${text}' is not a ${name}: it must be from ${min} to ${max}`);
  return value;
}
