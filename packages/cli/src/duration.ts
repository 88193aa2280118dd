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

export { ageOf, formatAge } from '@fairlead/app-controller/application-text';
