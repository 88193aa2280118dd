import { fieldError, percent } from '@fairlead/apimachinery';
import { type Findings, invalid, nonNegative } from './checks.ts';

/** A number of pods, or a percentage (`25%`). */
export type IntOrPercent = number | string;

const percentOf = (value: IntOrPercent): number | undefined =>
  typeof value === 'string' && percent(value).length === 0 ? Number(value.slice(0, -1)) : undefined;

/** Text that is not a percentage counts as zero. */
export function amountOf(value: IntOrPercent | undefined): number {
  if (value === undefined) return 0;
  const share = percentOf(value);
  if (share !== undefined) return share;
  return typeof value === 'number' ? value : /^[+-]?\d+$/.test(value) ? Number(value) : 0;
}

export function* countOrShare(value: IntOrPercent | undefined, path: string): Findings {
  if (typeof value === 'string') yield* invalid(path, value, percent(value));
  else yield* nonNegative(value, path);
}

export function* atMostAll(value: IntOrPercent | undefined, path: string): Findings {
  if (value !== undefined && (percentOf(value) ?? 0) > 100) {
    yield fieldError.invalid(path, value, 'must not be greater than 100%');
  }
}
