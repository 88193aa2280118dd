const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(zone, format);
  }
  return format;
}

const isUtc = (zone: string): boolean => ['', 'UTC', 'Local', 'Factory'].includes(zone);

/** The offset of a time zone from UTC, in milliseconds. */
export function offsetAt(instant: number, zone: string): number {
  if (isUtc(zone)) return 0;
  const whole = Math.floor(instant / 1000) * 1000;
  const shown: Record<string, number> = {};
  for (const { type, value } of formatOf(zone).formatToParts(whole)) shown[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown;
  return Date.UTC(year, month - 1, day, hour, minute, second) - whole;
}

const dayMs = 86_400_000;

/** The first change of the offset of a zone after `from`, up to `to`; undefined if there is none. */
export function nextClockChange(from: number, to: number, zone: string): number | undefined {
  if (isUtc(zone)) return undefined;
  const offset = offsetAt(from, zone);
  // An offset is constant for weeks at least, so that a larger step over a longer period misses nothing.
  const stride = to - from > 60 * dayMs ? 7 * dayMs : dayMs;
  for (let low = from; low < to; low += stride) {
    let high = Math.min(low + stride, to);
    if (offsetAt(high, zone) === offset) continue;
    for (let start = low; high - start > 1000; ) {
      const middle = Math.floor((start + high) / 2000) * 1000;
      if (middle <= start) break;
      if (offsetAt(middle, zone) === offset) start = middle;
      else high = middle;
    }
    return Math.floor(high / 1000) * 1000;
  }
  return undefined;
}

/** `2026-03-01T12:00:00+01:00`, and `Z` for UTC. */
export function formatInZone(instant: number, zone: string): string {
  const offset = offsetAt(instant, zone);
  const text = new Date(instant + offset).toISOString().slice(0, 19);
  if (offset === 0) return `${text}Z`;
  const minutes = Math.abs(offset) / 60_000;
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  return `${text}${offset < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
}
