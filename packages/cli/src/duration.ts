import { parseDuration } from '@fairlead/apimachinery';
import { CliError } from './cli-error.ts';

const dayMs = 86_400_000;

/** `90`, `90s`, `5m`, `1h30m`, `2d` in milliseconds; a plain number is seconds. Undefined for 0 or no flag: no limit. */
export function durationFlag(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d+$/u.test(text)) return Number(text) * 1_000 || undefined;
  // Go has no unit for days.
  const [, days = '0', rest = ''] = /^(?:(\d+(?:\.\d+)?)d)?(.*)$/u.exec(text) ?? [];
  const ms = rest === '' ? 0 : parseDuration(rest);
  if (text === '' || ms === undefined || ms < 0)
    throw new CliError(`invalid --${flag} ${text}: use seconds, or a duration such as 90s, 5m or 1h30m`);
  return Number(days) * dayMs + ms || undefined;
}

/** A duration in one or two units: `12s`, `4m`, `3h10m`, `5d`. */
export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 10 && minutes % 60 > 0) return `${hours}h${minutes % 60}m`;
  return hours < 48 ? `${hours}h` : `${Math.floor(hours / 24)}d`;
}

export const ageOf = (instant: string | undefined, now: number): string => {
  const at = Date.parse(instant ?? '');
  return Number.isNaN(at) ? '' : formatAge(now - at);
};
