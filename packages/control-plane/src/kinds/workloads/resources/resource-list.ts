import {
  addQuantities,
  compareQuantity,
  formatQuantity,
  isQuantity,
  milliValue,
  parseQuantity,
  quantityValue,
  subtractQuantity,
} from '@fairlead/apimachinery';
import type { ResourceList, ResourceRequirements } from '../pod-spec/types.ts';

export { compareQuantity as compare } from '@fairlead/apimachinery';

export const isNegative = (quantity: string): boolean => parseQuantity(quantity).digits < 0n;
export const isPositive = (quantity: string): boolean => parseQuantity(quantity).digits > 0n;
export const isZeroQuantity = (quantity: string): boolean => parseQuantity(quantity).digits === 0n;
export const isWhole = (quantity: string): boolean => milliValue(quantity) % 1000 === 0;

/** Whether an amount is a whole number of units, as huge pages must be of their page size. */
export function isMultipleOf(quantity: string, unit: string): boolean {
  if (!isQuantity(unit) || !isPositive(unit) || !isWhole(unit)) return false;
  return BigInt(quantityValue(quantity)) % BigInt(quantityValue(unit)) === 0n;
}

/** Thousandths are the smallest part of a resource: anything finer is rounded up. What needs no rounding keeps its form. */
export function roundUpToMilli(list: ResourceList | undefined): void {
  for (const [name, text] of Object.entries(list ?? {})) {
    const { digits, exponent, form } = parseQuantity(text);
    if (exponent >= -3 || digits % 10n ** BigInt(-3 - exponent) === 0n) continue;
    list![name] = formatQuantity(BigInt(milliValue(text)), -3, form);
  }
}

export function roundUp({ limits, requests }: ResourceRequirements): void {
  roundUpToMilli(limits);
  roundUpToMilli(requests);
}

/** The sum, resource by resource. */
export function add(left: ResourceList, right: ResourceList | undefined): ResourceList {
  const sum = { ...left };
  for (const [name, quantity] of Object.entries(right ?? {})) {
    sum[name] = sum[name] === undefined ? quantity : addQuantities(sum[name], quantity);
  }
  return sum;
}

/** The larger of the two, resource by resource. */
export function larger(left: ResourceList, right: ResourceList | undefined): ResourceList {
  const most = { ...left };
  for (const [name, quantity] of Object.entries(right ?? {})) {
    if (most[name] === undefined || compareQuantity(quantity, most[name]) > 0) most[name] = quantity;
  }
  return most;
}

/** What is left of the first after the second, and never less than nothing. */
export function minus(left: string, right: string): string {
  const rest = subtractQuantity(left, right);
  return isPositive(rest) ? rest : '0';
}
