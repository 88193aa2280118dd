import { compareStrings, deepEqual, GoInt, GoSlice, type GoValue, int, itemsOf } from '@fairlead/render/go-template';
import {
  addNanoseconds,
  durationType,
  durationValue,
  instantOf,
  isTime,
  timeValue,
  unixNanoseconds,
} from '@fairlead/render/sprig';
import { fail, isNil, isNumeric, isPlainInt, toFloat, typeText } from './values.ts';

const isDuration = (value: GoValue): value is GoInt => value instanceof GoInt && value.type === durationType;
const wrong = (operator: string, a: GoValue, b: GoValue): never =>
  fail(`invalid operation: ${typeText(a)} ${operator} ${typeText(b)}`);

/** `==`: numbers by value whatever their type, lists element by element, anything else only within its type. */
export function equal(a: GoValue, b: GoValue): boolean {
  if (isNumeric(a) && isNumeric(b))
    return isPlainInt(a) && isPlainInt(b) ? a.value === b.value : toFloat(a) === toFloat(b);
  if (isTime(a) && isTime(b)) return unixNanoseconds(instantOf(a)) === unixNanoseconds(instantOf(b));
  const [x, y] = [itemsOf(a), itemsOf(b)];
  if (x && y && (Array.isArray(a) || Array.isArray(b)))
    return x.length === y.length && x.every((item, i) => equal(item, y[i]));
  if (isNil(a) && isNil(b)) return true;
  return deepEqual(a, b);
}

/** Less than 0, 0 or greater than 0. Fails for values that have no order. */
export function compare(operator: string, a: GoValue, b: GoValue): number {
  if (isNumeric(a) && isNumeric(b)) {
    if (isPlainInt(a) && isPlainInt(b)) return a.value < b.value ? -1 : a.value > b.value ? 1 : 0;
    const [x, y] = [toFloat(a), toFloat(b)];
    return x < y ? -1 : x > y ? 1 : x === y ? 0 : Number.NaN;
  }
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b);
  if (isTime(a) && isTime(b)) return Number(unixNanoseconds(instantOf(a)) - unixNanoseconds(instantOf(b)));
  if (isDuration(a) && isDuration(b)) return a.value < b.value ? -1 : a.value > b.value ? 1 : 0;
  return wrong(operator, a, b);
}

export function add(a: GoValue, b: GoValue): GoValue {
  if (isNumeric(a) && isNumeric(b))
    return isPlainInt(a) && isPlainInt(b) ? int(a.value + b.value) : toFloat(a) + toFloat(b);
  if (typeof a === 'string' && typeof b === 'string') return a + b;
  if (isTime(a) && isDuration(b)) return timeValue(addNanoseconds(instantOf(a), b.value));
  if (isDuration(a) && isTime(b)) return timeValue(addNanoseconds(instantOf(b), a.value));
  if (isDuration(a) && isDuration(b)) return durationValue(a.value + b.value);
  return wrong('+', a, b);
}

function subtract(a: GoValue, b: GoValue): GoValue {
  if (isNumeric(a) && isNumeric(b))
    return isPlainInt(a) && isPlainInt(b) ? int(a.value - b.value) : toFloat(a) - toFloat(b);
  if (isTime(a) && isTime(b)) return durationValue(unixNanoseconds(instantOf(a)) - unixNanoseconds(instantOf(b)));
  if (isTime(a) && isDuration(b)) return timeValue(addNanoseconds(instantOf(a), -b.value));
  if (isDuration(a) && isDuration(b)) return durationValue(a.value - b.value);
  return wrong('-', a, b);
}

function multiply(a: GoValue, b: GoValue): GoValue {
  const isFactor = (value: GoValue): value is GoInt | number => isNumeric(value) || isDuration(value);
  if (!isFactor(a) || !isFactor(b)) return wrong('*', a, b);
  if (typeof a === 'number' || typeof b === 'number') return toFloat(a) * toFloat(b);
  const product = a.value * b.value;
  return isDuration(a) || isDuration(b) ? durationValue(product) : int(product);
}

function modulo(a: GoValue, b: GoValue): GoValue {
  if (!isPlainInt(a) || !isPlainInt(b)) return wrong('%', a, b);
  if (b.value === 0n) return fail('runtime error: integer divide by zero');
  return int(a.value % b.value);
}

const numbers = (operator: string, a: GoValue, b: GoValue): readonly [number, number] =>
  isNumeric(a) && isNumeric(b) ? [toFloat(a), toFloat(b)] : wrong(operator, a, b);

export function arithmetic(operator: string, a: GoValue, b: GoValue): GoValue {
  switch (operator) {
    case '+':
      return add(a, b);
    case '-':
      return subtract(a, b);
    case '*':
      return multiply(a, b);
    case '%':
      return modulo(a, b);
    case '/': {
      const [x, y] = numbers('/', a, b);
      return x / y;
    }
  }
  const [x, y] = numbers(operator, a, b);
  return x ** y;
}

export function negate(value: GoValue): GoValue {
  if (typeof value === 'number') return -value;
  return isPlainInt(value) ? new GoInt(-value.value, value.type) : fail(`invalid operation: - ${typeText(value)}`);
}

/** A part of a list with the type of the whole. */
export const sublist = (list: GoValue, items: GoValue[]): GoValue =>
  list instanceof GoSlice ? new GoSlice(items, list.type) : items;
