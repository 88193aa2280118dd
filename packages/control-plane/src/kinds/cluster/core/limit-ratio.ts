import { thousandths, wholeUnits } from '../quantity.ts';

const manageable = BigInt(Number.MAX_SAFE_INTEGER) / 1000n;

/** max/min if the allowed ratio of limit to request exceeds it: such a ratio never has an effect. */
export function ratioAbove(ratio: string, min: string | undefined, max: string | undefined): number | undefined {
  if (min === undefined || max === undefined) return undefined;
  const exact = [ratio, min, max].every((text) => wholeUnits(text) < manageable);
  const read = (text: string): number => Number(exact ? thousandths(text) : wholeUnits(text));
  const limit = read(max) / read(min);
  const allowed = exact ? read(ratio) / 1000 : read(ratio);
  return allowed > limit ? limit : undefined;
}
