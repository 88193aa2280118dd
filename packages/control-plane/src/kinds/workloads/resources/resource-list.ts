import { isQuantity, milliValue, parseQuantity, quantityValue, subtractQuantity } from '@fairlead/apimachinery';

export { compareQuantity as compare } from '@fairlead/apimachinery';

export const isNegative = (quantity: string): boolean => parseQuantity(quantity).digits < 0n;
export const isPositive = (quantity: string): boolean => parseQuantity(quantity).digits > 0n;
export const isZeroQuantity = (quantity: string): boolean => parseQuantity(quantity).digits === 0n;
export const isWhole = (quantity: string): boolean => milliValue(quantity) % 1000 === 0;

/** Whether a quantity is a multiple of a unit, as huge pages must be of their page size. */
export function isMultipleOf(quantity: string, unit: string): boolean {
  if (!isQuantity(unit) || !isPositive(unit) || !isWhole(unit)) return false;
  return BigInt(quantityValue(quantity)) % BigInt(quantityValue(unit)) === 0n;
}

/** The first minus the second, at least zero. */
export function minus(left: string, right: string): string {
  const rest = subtractQuantity(left, right);
  return isPositive(rest) ? rest : '0';
}
