import type { ResourceList, ResourceRequirements } from '../fields/pod-spec.ts';
import { addQuantities, compareQuantity, formatQuantity, milliValue, parseQuantity } from '../quantity.ts';

/** Rounds up to thousandths, the smallest unit. A quantity that needs no rounding keeps its format. */
export function roundUpToMilli(list: ResourceList | undefined): void {
  if (!list) return;
  for (const [name, text] of Object.entries(list)) {
    const { digits, exponent, form } = parseQuantity(text);
    if (exponent >= -3 || digits % 10n ** BigInt(-3 - exponent) === 0n) continue;
    list[name] = formatQuantity(BigInt(milliValue(text)), -3, form);
  }
}

export function roundUpRequirements({ limits, requests }: ResourceRequirements): void {
  roundUpToMilli(limits);
  roundUpToMilli(requests);
}

/** The sum, resource by resource. */
export function addResources(left: ResourceList, right: ResourceList | undefined): ResourceList {
  const sum = { ...left };
  for (const [name, quantity] of Object.entries(right ?? {})) {
    sum[name] = sum[name] === undefined ? quantity : addQuantities(sum[name], quantity);
  }
  return sum;
}

/** The larger of the two, resource by resource. */
export function maxResources(left: ResourceList, right: ResourceList | undefined): ResourceList {
  const most = { ...left };
  for (const [name, quantity] of Object.entries(right ?? {})) {
    if (most[name] === undefined || compareQuantity(quantity, most[name]) > 0) most[name] = quantity;
  }
  return most;
}
