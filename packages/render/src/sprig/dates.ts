import { formatGoDuration } from '@fairlead/apimachinery/primitives';
import { fn } from '../go-template/function.ts';
import { clampInt64, parseInteger } from '../go-template/go-number.ts';
import { GoError, type GoFunction, GoInt, type GoObject, type GoValue } from '../go-template/go-value.ts';
import { goDuration, hour, minute, second } from './time/duration.ts';
import { formatTime } from './time/format.ts';
import { addNanoseconds, type Instant, unixNanoseconds, zeroInstant } from './time/instant.ts';
import { parseTime } from './time/parse.ts';
import { instantOf, isTime, timeType, timeValue } from './time/time-value.ts';
import { loadZone, utc } from './time/zone.ts';

export interface DateContext {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called with the name of a function whose result depends on the current time. */
  readonly used: (name: string) => void;
}

const isIntOf = (value: GoValue, ...names: string[]): value is GoInt =>
  value instanceof GoInt && names.includes(value.type.name);

/** Dates and durations. The local zone is UTC, so that a render does not depend on where it runs. */
export function dateFunctions({ now, used }: DateContext): Readonly<Record<string, GoFunction>> {
  const current = (name: string): Instant => {
    used(name);
    const milliseconds = now();
    const seconds = Math.floor(milliseconds / 1000);
    return { seconds, nanoseconds: Math.round((milliseconds - seconds * 1000) * 1_000_000), zone: utc };
  };
  /** A value that is not a date means now. */
  const dateOf = (name: string, value: GoValue): Instant => {
    if (isTime(value)) return instantOf(value);
    if (isIntOf(value, 'int', 'int64', 'int32')) return { seconds: Number(value.value), nanoseconds: 0, zone: utc };
    return current(name);
  };
  const inZone = (name: string, layout: string, value: GoValue, zone: string): string =>
    formatTime({ ...dateOf(name, value), zone: loadZone(zone) ?? utc }, layout);
  const dateInZone = fn('string any string', (layout: string, value: GoValue, zone: string) =>
    inZone('dateInZone', layout, value, zone),
  );
  const types = { time: timeType };
  const modified = (text: string, date: GoObject): GoObject =>
    timeValue(addNanoseconds(instantOf(date), goDuration(text)));
  const dateModify = fn(
    'string time',
    (text: string, date: GoObject) => orElse(() => modified(text, date), date),
    types,
  );
  const mustDateModify = fn('string time', modified, types);
  return {
    now: fn('', () => timeValue(current('now'))),
    date: fn('string any', (layout: string, value: GoValue) => inZone('date', layout, value, 'UTC')),
    htmlDate: fn('any', (value: GoValue) => inZone('htmlDate', '2006-01-02', value, 'UTC')),
    htmlDateInZone: fn('any string', (value: GoValue, zone: string) =>
      inZone('htmlDateInZone', '2006-01-02', value, zone),
    ),
    dateInZone,
    date_in_zone: dateInZone,
    dateModify,
    date_modify: dateModify,
    mustDateModify,
    must_date_modify: mustDateModify,
    toDate: fn('string string', (layout: string, text: string) =>
      timeValue(orElse(() => parseTime(layout, text), zeroInstant)),
    ),
    mustToDate: fn('string string', (layout: string, text: string) => timeValue(parseTime(layout, text))),
    unixEpoch: fn('time', (date: GoObject) => String(instantOf(date).seconds), types),
    ago: fn('any', (value: GoValue) => {
      const then = isTime(value) || isIntOf(value, 'int', 'int64') ? dateOf('ago', value) : current('ago');
      const passed = unixNanoseconds(current('ago')) - unixNanoseconds(then);
      return formatGoDuration(((passed + second / 2n) / second) * second);
    }),
    duration: fn('any', (value: GoValue) => formatGoDuration(BigInt.asIntN(64, secondsOf(value) * second))),
    durationRound: fn('any', (value: GoValue) => {
      if (typeof value === 'string') return roundedDuration(orElse(() => goDuration(value), 0n));
      if (isIntOf(value, 'int64')) return roundedDuration(value.value);
      if (isTime(value))
        return roundedDuration(unixNanoseconds(current('durationRound')) - unixNanoseconds(instantOf(value)));
      return roundedDuration(0n);
    }),
  };
}

function orElse<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof GoError) return otherwise;
    throw error;
  }
}

function secondsOf(value: GoValue): bigint {
  if (isIntOf(value, 'int64')) return value.value;
  return clampInt64((typeof value === 'string' ? parseInteger(value) : undefined) ?? 0n);
}

const day = 24n * hour;
const sizes: readonly (readonly [bigint, string])[] = [
  [365n * day, 'y'],
  [30n * day, 'mo'],
  [day, 'd'],
  [hour, 'h'],
  [minute, 'm'],
  [second, 's'],
];

/** The duration in the largest unit that it exceeds. */
function roundedDuration(nanoseconds: bigint): string {
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const fitting = sizes.find(([unit]) => size > unit);
  return fitting ? `${size / fitting[0]}${fitting[1]}` : '0s';
}
