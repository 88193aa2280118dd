import { utc, type Zone } from './zone.ts';

/** A time in nanoseconds, and its zone. */
export interface Instant {
  readonly seconds: number;
  readonly nanoseconds: number;
  readonly zone: Zone;
}

export interface Civil {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly weekday: number;
  readonly yearDay: number;
  readonly offset: number;
  readonly zoneName: string;
}

/** Go's zero time is the start of the year 1. */
export const zeroSeconds = -62135596800;
export const zeroInstant: Instant = { seconds: zeroSeconds, nanoseconds: 0, zone: utc };

/** Days since 1970 of a date in the proleptic Gregorian calendar; month and day may be out of their range. */
export function daysFromCivil(year: number, month: number, day: number): number {
  const y = year + Math.floor((month - 1) / 12);
  const m = ((((month - 1) % 12) + 12) % 12) + 1;
  const shifted = m <= 2 ? y - 1 : y;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (m + (m > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return era * 146097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719468;
}

export function civilOf({ seconds, zone }: Instant): Civil {
  const { offset, name } = zone.at(seconds);
  const local = seconds + offset;
  const days = Math.floor(local / 86400);
  const rest = local - days * 86400;
  const z = days + 719468;
  const era = Math.floor(z / 146097);
  const doe = z - era * 146097;
  const yoe = Math.floor((doe - Math.floor(doe / 1460) + Math.floor(doe / 36524) - Math.floor(doe / 146096)) / 365);
  const doy = doe - (365 * yoe + Math.floor(yoe / 4) - Math.floor(yoe / 100));
  const mp = Math.floor((5 * doy + 2) / 153);
  const month = mp < 10 ? mp + 3 : mp - 9;
  const year = yoe + era * 400 + (month <= 2 ? 1 : 0);
  return {
    year,
    month,
    day: doy - Math.floor((153 * mp + 2) / 5) + 1,
    hour: Math.floor(rest / 3600),
    minute: Math.floor((rest % 3600) / 60),
    second: rest % 60,
    weekday: (((days + 4) % 7) + 7) % 7,
    yearDay: days - daysFromCivil(year, 1, 1) + 1,
    offset,
    zoneName: name,
  };
}

export function addNanoseconds(instant: Instant, nanoseconds: bigint): Instant {
  const total = BigInt(instant.nanoseconds) + nanoseconds;
  let whole = total / 1_000_000_000n;
  let rest = total % 1_000_000_000n;
  if (rest < 0n) {
    rest += 1_000_000_000n;
    whole -= 1n;
  }
  return { ...instant, seconds: instant.seconds + Number(whole), nanoseconds: Number(rest) };
}

export const unixNanoseconds = ({ seconds, nanoseconds }: Instant): bigint =>
  BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds);
