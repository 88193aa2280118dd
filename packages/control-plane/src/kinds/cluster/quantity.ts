import { compareQuantity, milliValue, quantityValue } from '../../decode/quantity.ts';

export type ResourceList = Record<string, string>;

export const compare = compareQuantity;
export const isNegative = (text: string): boolean => compareQuantity(text, '0') < 0;
/** Whole but for what is smaller than a thousandth, which the server rounds up before it looks. */
export const isWhole = (text: string): boolean => milliValue(text) % 1000 === 0;
/** Rounded up. */
export const wholeUnits = quantityValue;
export const thousandths = milliValue;
