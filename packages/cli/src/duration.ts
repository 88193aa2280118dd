import { CliError } from './cli-error.ts';

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `90`, `90s`, `5m`, `1h30m` in ms; a number alone is seconds. 0 and nothing mean never. */
export function durationFlag(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d+$/u.test(text)) return Number(text) * 1_000 || undefined;
  if (!/^(\d+(\.\d+)?(ms|s|m|h|d))+$/u.test(text))
    throw new CliError(`--${flag} ${text} is no time: give seconds, or such as 90s, 5m, 1h30m`);
  let total = 0;
  for (const [, number, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/gu))
    total += Number(number) * units[unit!]!;
  return total || undefined;
}

/** How long ago, in one unit or two: `12s`, `4m`, `3h10m`, `5d`. */
export function told(ms: number): string {
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
  return Number.isNaN(at) ? '' : told(now - at);
};
