/** The offset from UTC in seconds, and the name of the zone, at some time. */
export interface ZoneState {
  readonly offset: number;
  readonly name: string;
}

/** A time zone, or a fixed offset from UTC. */
export interface Zone {
  at(unixSeconds: number): ZoneState;
  readonly isUtc: boolean;
}

export const utc: Zone = { at: () => ({ offset: 0, name: 'UTC' }), isUtc: true };
export const fixedZone = (offset: number, name: string): Zone => ({ at: () => ({ offset, name }), isUtc: false });

/** English locales know different abbreviations; where one has a name, another has GMT+2. */
const locales = ['en-US', 'en-GB', 'en-AU', 'en-CA', 'en-IN', 'en-ZA', 'en-NZ'];

/** A zone of the time zone database. Undefined if the name is unknown. */
export function loadZone(name: string): Zone | undefined {
  if (name === '' || name === 'UTC' || name === 'Local') return utc;
  const options = { timeZone: name, hourCycle: 'h23' } as const;
  let parts: Intl.DateTimeFormat;
  try {
    parts = new Intl.DateTimeFormat('en-US', { ...options, timeZoneName: 'longOffset' });
  } catch {
    return undefined;
  }
  return {
    isUtc: false,
    at(unixSeconds) {
      const date = new Date(unixSeconds * 1000);
      const offsetText = zonePart(parts, date);
      const match = /GMT([-+])(\d+):(\d+)(?::(\d+))?/.exec(offsetText);
      const seconds = match ? Number(match[2]) * 3600 + Number(match[3]) * 60 + Number(match[4] ?? 0) : 0;
      const offset = match?.[1] === '-' ? -seconds : seconds;
      for (const locale of locales) {
        const short = zonePart(new Intl.DateTimeFormat(locale, { ...options, timeZoneName: 'short' }), date);
        if (/^[A-Z]{3,5}$/.test(short)) return { offset, name: short };
      }
      const hours = String(Math.floor(seconds / 3600)).padStart(2, '0');
      const minutes = Math.floor((seconds % 3600) / 60);
      return { offset, name: `${offset < 0 ? '-' : '+'}${hours}${minutes ? String(minutes).padStart(2, '0') : ''}` };
    },
  };
}

const zonePart = (format: Intl.DateTimeFormat, date: Date): string =>
  format.formatToParts(date).find((part) => part.type === 'timeZoneName')?.value ?? '';
