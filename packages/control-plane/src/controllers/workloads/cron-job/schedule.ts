import { parseGoDuration } from '@fairlead/apimachinery';
import { scheduleProblem } from '../../../kinds/workloads/cron-schedule.ts';
import { nextClockChange, offsetAt } from './wall-clock.ts';

export interface Schedule {
  /** The first time after this one, in milliseconds; undefined when there is none within five years. */
  next(after: number): number | undefined;
}

interface Field {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const minuteField: Field = { min: 0, max: 59 };
const hourField: Field = { min: 0, max: 23 };
const dayField: Field = { min: 1, max: 31 };
const monthField: Field = { min: 1, max: 12, names: 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ') };
const weekdayField: Field = { min: 0, max: 6, names: 'sun mon tue wed thu fri sat'.split(' ') };

const short: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

/** Parses a schedule as the cron library of Kubernetes does; throws if it is invalid. */
export function parseSchedule(schedule: string, timeZone: string): Schedule {
  const problem = scheduleProblem(schedule);
  if (problem) throw new Error(problem);
  const own = /^(?:CRON_)?TZ=(\S*) (.*)$/s.exec(schedule);
  const zone = own?.[1] ?? timeZone;
  const text = (own?.[2] ?? schedule).trim();
  if (text.startsWith('@every ')) return every(text.slice('@every '.length));
  return calendar(short[text] ?? text, zone);
}

function every(duration: string): Schedule {
  const seconds = Math.max(1, Math.floor(Number(parseGoDuration(duration) ?? 0n) / 1e9));
  return { next: (after) => Math.floor(after / 1000) * 1000 + seconds * 1000 };
}

/** The values of one field, in order, and whether it is a wildcard. */
interface Values {
  readonly list: readonly number[];
  readonly any: boolean;
}

function parseField(text: string, field: Field): Values {
  const values = new Set<number>();
  let any = false;
  for (const part of text.split(',').filter((each) => each !== '')) {
    const [span = '', stepText] = part.split('/');
    const [low = '', high] = span.split('-');
    const all = low === '*' || low === '?';
    const step = stepText === undefined ? 1 : Number(stepText);
    const first = all ? field.min : numberOf(low, field);
    const last = all
      ? field.max
      : high !== undefined
        ? numberOf(high, field)
        : stepText === undefined
          ? first
          : field.max;
    if (all && step === 1) any = true;
    for (let value = first; value <= last; value += step) values.add(value);
  }
  return { list: [...values].sort((a, b) => a - b), any };
}

function numberOf(text: string, { names, min }: Field): number {
  const named = names?.indexOf(text.toLowerCase()) ?? -1;
  return named >= 0 ? named + min : Number(text);
}

const longestSearchDays = 5 * 366;

/**
 * A local time that is skipped does not exist on that day; one that occurs twice matches twice. Between two changes of the offset it is
 * plain arithmetic on local time.
 */
function calendar(text: string, zone: string): Schedule {
  const nextShown = shownTimes(text);
  return {
    next(after) {
      for (let from = after; ; ) {
        const offset = offsetAt(from, zone);
        const shown = nextShown(from + offset);
        if (shown === undefined) return undefined;
        const change = nextClockChange(from, shown - offset, zone);
        if (change === undefined) return shown - offset;
        // The time of the change may itself match.
        const there = change + offsetAt(change, zone);
        if (nextShown(there - 1) === there) return change;
        from = change;
      }
    },
  };
}

/** The first matching local time after this one, as if it were UTC. */
function shownTimes(text: string): (after: number) => number | undefined {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = text.split(/\s+/);
  const minutes = parseField(minute, minuteField);
  const hours = parseField(hour, hourField);
  const days = parseField(day, dayField);
  const months = parseField(month, monthField);
  const weekdays = parseField(weekday, weekdayField);

  /** If both day fields are restricted, either may match. */
  const isDay = (date: Date): boolean => {
    if (!months.list.includes(date.getUTCMonth() + 1)) return false;
    const byDate = days.list.includes(date.getUTCDate());
    const byWeekday = weekdays.list.includes(date.getUTCDay());
    return days.any || weekdays.any ? byDate && byWeekday : byDate || byWeekday;
  };

  return (after) => {
    const start = new Date((Math.floor(after / 60_000) + 1) * 60_000);
    const day = Date.UTC(start.getUTCFullYear(), start.getUTCMonth(), start.getUTCDate());
    for (let ahead = 0; ahead <= longestSearchDays; ahead += 1) {
      const date = new Date(day + ahead * 86_400_000);
      if (!isDay(date)) continue;
      for (const hour of hours.list) {
        if (ahead === 0 && hour < start.getUTCHours()) continue;
        const earliest = ahead === 0 && hour === start.getUTCHours() ? start.getUTCMinutes() : 0;
        const minute = minutes.list.find((each) => each >= earliest);
        if (minute !== undefined) return date.getTime() + (hour * 60 + minute) * 60_000;
      }
    }
    return undefined;
  };
}
