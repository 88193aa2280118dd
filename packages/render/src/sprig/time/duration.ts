import { parseGoDuration } from '@fairlead/apimachinery/primitives';
import { GoError } from '../../go-template/go-value.ts';

/** In nanoseconds. */
export const second = 1_000_000_000n;
export const minute = 60n * second;
export const hour = 60n * minute;

/** Nanoseconds. Throws Go's error if the text is not a duration. */
export function goDuration(text: string): bigint {
  const nanoseconds = parseGoDuration(text);
  if (nanoseconds === undefined) throw new GoError(problemOf(text));
  return nanoseconds;
}

const validPrefix = /^[-+]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h)(?![^.\d]))*/u;

function problemOf(text: string): string {
  const rest = text.replace(validPrefix, '');
  const unit = /^(?:\d+(?:\.\d*)?|\.\d+)([^.\d]*)/u.exec(rest)?.[1];
  if (unit === undefined) return `time: invalid duration ${JSON.stringify(text)}`;
  return unit === ''
    ? `time: missing unit in duration ${JSON.stringify(text)}`
    : `time: unknown unit ${JSON.stringify(unit)} in duration ${JSON.stringify(text)}`;
}
