import { formatTime } from '@fairlead/apimachinery';
import { type Overload, overload } from '../overloads.ts';
import { CelError, type Duration, Timestamp } from '../values.ts';

const form = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/** RFC 3339, down to nanoseconds. */
export function parseTimestamp(text: string): Timestamp {
  const match = form.exec(text);
  const problem = () => new CelError(`cannot parse ${JSON.stringify(text)} as a timestamp`);
  if (!match) throw problem();
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || hour > 23 || minute > 59 || second > 59)
    throw problem();
  const offset = match[8] ? (match[8] === '-' ? 1 : -1) * (Number(match[9]) * 60 + Number(match[10])) : 0;
  const nanos = BigInt((match[7] ?? '').padEnd(9, '0'));
  return new Timestamp((BigInt(date.getTime()) + BigInt(offset) * 60_000n) * 1_000_000n + nanos);
}

const millisOf = ({ nanos }: Timestamp): number =>
  Number((nanos - (((nanos % 1_000_000n) + 1_000_000n) % 1_000_000n)) / 1_000_000n);

export function formatTimestamp(time: Timestamp): string {
  const fraction = (((time.nanos % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n)
    .toString()
    .padStart(9, '0')
    .replace(/0+$/, '');
  const seconds = formatTime(millisOf(time));
  return fraction ? seconds.replace('Z', `.${fraction}Z`) : seconds;
}

/** The same time in the local time of a zone, as if it were UTC. */
function inZone(time: Timestamp, zone: string): Date {
  const millis = millisOf(time);
  const offset = /^([+-]?)(\d{2}):(\d{2})$/.exec(zone);
  if (offset)
    return new Date(millis + (offset[1] === '-' ? -1 : 1) * (Number(offset[2]) * 60 + Number(offset[3])) * 60_000);
  try {
    const parts = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    }).formatToParts(new Date(millis));
    const part = (type: string) => Number(parts.find((p) => p.type === type)?.value ?? 0);
    return new Date(
      Date.UTC(
        part('year'),
        part('month') - 1,
        part('day'),
        part('hour'),
        part('minute'),
        part('second'),
        ((millis % 1000) + 1000) % 1000,
      ),
    );
  } catch {
    throw new CelError(`unknown time zone ${zone}`);
  }
}

const dayOfYear = (date: Date): number =>
  Math.floor(
    (Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()) - Date.UTC(date.getUTCFullYear(), 0, 1)) /
      86_400_000,
  );

const parts: Readonly<Record<string, (date: Date) => number>> = {
  getFullYear: (date) => date.getUTCFullYear(),
  getMonth: (date) => date.getUTCMonth(),
  getDate: (date) => date.getUTCDate(),
  getDayOfMonth: (date) => date.getUTCDate() - 1,
  getDayOfWeek: (date) => date.getUTCDay(),
  getDayOfYear: dayOfYear,
  getHours: (date) => date.getUTCHours(),
  getMinutes: (date) => date.getUTCMinutes(),
  getSeconds: (date) => date.getUTCSeconds(),
  getMilliseconds: (date) => date.getUTCMilliseconds(),
};

const nanosPer: Readonly<Record<string, bigint>> = {
  getHours: 3_600_000_000_000n,
  getMinutes: 60_000_000_000n,
  getSeconds: 1_000_000_000n,
};

export const time: Overload[] = [
  ...Object.entries(parts).flatMap(([name, read]) => [
    overload(`timestamp.${name}(): int`, (t: Timestamp) => BigInt(read(inZone(t, '+00:00')))),
    overload(`timestamp.${name}(string): int`, (t: Timestamp, zone: string) => BigInt(read(inZone(t, zone)))),
  ]),
  ...Object.entries(nanosPer).map(([name, unit]) =>
    overload(`duration.${name}(): int`, (d: Duration) => d.nanos / unit),
  ),
  overload('duration.getMilliseconds(): int', (d: Duration) => (d.nanos % 1_000_000_000n) / 1_000_000n),
];
