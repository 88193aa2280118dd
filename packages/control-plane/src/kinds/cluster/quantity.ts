import { compareQuantity, parseQuantity } from '@fairlead/apimachinery';

export type ResourceList = Record<string, string>;

export const compare = compareQuantity;
export const isNegative = (text: string): boolean => compareQuantity(text, '0') < 0;
/** Whole after rounding up to thousandths, as in kube-apiserver. */
export const isWhole = (text: string): boolean => thousandths(text) % 1000n === 0n;
export const billionths = (text: string): bigint => inUnitsOf(text, -9);
export const thousandths = (text: string): bigint => inUnitsOf(text, -3);
export const wholeUnits = (text: string): bigint => inUnitsOf(text, 0);

/** In units of `10^power`, rounded away from zero. */
function inUnitsOf(text: string, power: number): bigint {
  const { digits, exponent } = parseQuantity(text);
  if (exponent >= power) return digits * 10n ** BigInt(exponent - power);
  const unit = 10n ** BigInt(power - exponent);
  const rest = digits % unit;
  return digits / unit + (rest === 0n ? 0n : rest > 0n ? 1n : -1n);
}
