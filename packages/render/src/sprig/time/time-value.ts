import { formatGoDuration } from '@fairlead/apimachinery/primitives';
import { fn } from '../../go-template/function.ts';
import { type GoType, int64Type, intType, named, structType } from '../../go-template/go-type.ts';
import { type GoFunction, GoInt, GoObject, type GoValue, int, int64 } from '../../go-template/go-value.ts';
import { formatTime, rfc3339, timeText } from './format.ts';
import { addNanoseconds, civilOf, daysFromCivil, type Instant, unixNanoseconds, zeroSeconds } from './instant.ts';
import { dayNames, monthNames } from './layout.ts';
import { utc } from './zone.ts';

export const timeType = structType('time.Time');
const number = (name: string, under: GoType, text: (value: bigint) => string): GoType => ({
  ...named(name, under),
  text,
  methods: (value) => ({ String: fn('', () => text(value)) }),
});
const monthType = number('time.Month', intType, (n) => monthNames[Number(n) - 1] ?? `%!Month(${n})`);
const weekdayType = number('time.Weekday', intType, (n) => dayNames[Number(n)] ?? `%!Weekday(${n})`);
const perUnit = (nanoseconds: bigint, unit: number): number => Number(nanoseconds) / unit;

const durationMethods = (value: bigint): Readonly<Record<string, GoFunction>> => ({
  Hours: fn('', () => perUnit(value, 3.6e12)),
  Minutes: fn('', () => perUnit(value, 6e10)),
  Seconds: fn('', () => perUnit(value, 1e9)),
  Milliseconds: fn('', () => int64(value / 1_000_000n)),
  Microseconds: fn('', () => int64(value / 1000n)),
  Nanoseconds: fn('', () => int64(value)),
  Abs: fn('', () => durationValue(value < 0n ? -value : value)),
  Truncate: fn('duration', ({ value: unit }: GoInt) => durationValue(unit > 0n ? value - (value % unit) : value), {
    duration: durationType,
  }),
  Round: fn('duration', ({ value: unit }: GoInt) => durationValue(rounded(value, unit)), { duration: durationType }),
  String: fn('', () => formatGoDuration(value)),
});

/** The nearest multiple of a unit, away from zero at a half. */
function rounded(value: bigint, unit: bigint): bigint {
  if (unit <= 0n) return value;
  const size = value < 0n ? -value : value;
  const nearest = size - (size % unit) + ((size % unit) * 2n < unit ? 0n : unit);
  return value < 0n ? -nearest : nearest;
}
export const durationType: GoType = {
  ...number('time.Duration', int64Type, formatGoDuration),
  methods: durationMethods,
};
export const durationValue = (nanoseconds: bigint): GoInt => new GoInt(nanoseconds, durationType);

export const instantOf = (value: GoObject): Instant => value.inner as Instant;
export const isTime = (value: GoValue): value is GoObject => value instanceof GoObject && value.type === timeType;
const types = { time: timeType, duration: durationType };

/** How far a time is after the last multiple of a unit since the zero time. */
function sinceZero(instant: Instant, { value: unit }: GoInt): bigint {
  return unit <= 0n ? 0n : (unixNanoseconds(instant) - BigInt(zeroSeconds) * 1_000_000_000n) % unit;
}

/** What to add to a remainder for the nearest multiple of a unit. */
const toNearest = (remainder: bigint, { value: unit }: GoInt): bigint =>
  remainder + remainder < unit ? -remainder : unit - remainder;

/** A time.Time, with the methods that templates use on it. */
export function timeValue(instant: Instant): GoObject {
  const civil = (): ReturnType<typeof civilOf> => civilOf(instant);
  const getter = (get: () => GoValue): GoFunction => fn('', get);
  const compare = (other: GoObject): bigint => unixNanoseconds(instant) - unixNanoseconds(instantOf(other));
  const inUtc = getter(() => timeValue({ ...instant, zone: utc }));
  return new GoObject(timeType, {
    inner: instant,
    text: () => timeText(instant),
    methods: {
      Year: getter(() => int(civil().year)),
      Month: getter(() => new GoInt(BigInt(civil().month), monthType)),
      Day: getter(() => int(civil().day)),
      Weekday: getter(() => new GoInt(BigInt(civil().weekday), weekdayType)),
      YearDay: getter(() => int(civil().yearDay)),
      Hour: getter(() => int(civil().hour)),
      Minute: getter(() => int(civil().minute)),
      Second: getter(() => int(civil().second)),
      Nanosecond: getter(() => int(instant.nanoseconds)),
      Unix: getter(() => int64(instant.seconds)),
      UnixMilli: getter(() => int64(unixNanoseconds(instant) / 1_000_000n)),
      UnixMicro: getter(() => int64(unixNanoseconds(instant) / 1000n)),
      UnixNano: getter(() => int64(unixNanoseconds(instant))),
      String: getter(() => timeText(instant)),
      GoString: getter(() => timeText(instant)),
      IsZero: getter(() => instant.seconds === zeroSeconds && instant.nanoseconds === 0),
      UTC: inUtc,
      Local: inUtc,
      Format: fn('string', (layout: string) => formatTime(instant, layout)),
      MarshalText: getter(() => rfc3339(instant)),
      Add: fn('duration', (duration: GoInt) => timeValue(addNanoseconds(instant, duration.value)), types),
      Truncate: fn('duration', (unit: GoInt) => timeValue(addNanoseconds(instant, -sinceZero(instant, unit))), types),
      Round: fn(
        'duration',
        (unit: GoInt) => timeValue(addNanoseconds(instant, toNearest(sinceZero(instant, unit), unit))),
        types,
      ),
      AddDate: fn('int int int', (years: number, months: number, days: number) => {
        const t = civil();
        const date = daysFromCivil(t.year + years, t.month + months, t.day + days);
        const seconds = date * 86400 + t.hour * 3600 + t.minute * 60 + t.second - t.offset;
        return timeValue({ ...instant, seconds });
      }),
      Sub: fn('time', (other: GoObject) => durationValue(compare(other)), types),
      Before: fn('time', (other: GoObject) => compare(other) < 0n, types),
      After: fn('time', (other: GoObject) => compare(other) > 0n, types),
      Equal: fn('time', (other: GoObject) => compare(other) === 0n, types),
      Compare: fn('time', (other: GoObject) => int(compare(other) < 0n ? -1 : compare(other) > 0n ? 1 : 0), types),
    },
  });
}
