import { GoInt, type GoValue, int, itemsOf, parseFloat64, parseInteger } from '@fairlead/render/go-template';
import { compare } from '../operations.ts';
import { fail, isNumeric, isPlainInt, toFloat, typeText } from '../values.ts';
import type { Builtin } from './builtin.ts';

const float = (value: GoValue, name: string): number =>
  isNumeric(value) ? toFloat(value) : fail(`invalid argument for ${name} (type ${typeText(value)})`);
const rounded =
  (name: string, round: (value: number) => number): Builtin =>
  ([value]) =>
    round(float(value, name));

/** Away from zero at a half. */
const roundHalf = (value: number): number => Math.sign(value) * Math.round(Math.abs(value));

/** All numbers of the arguments; lists may be nested. */
function numbersIn(values: readonly GoValue[], name: string, depth = 0): (GoInt | number)[] {
  if (depth > 100) return fail('recursion depth exceeded');
  return values.flatMap((value) => {
    const items = itemsOf(value);
    if (items) return numbersIn(items, name, depth + 1);
    return isNumeric(value) ? [value] : fail(`invalid argument for ${name} (type ${typeText(value)})`);
  });
}

const extreme =
  (name: string, sign: number): Builtin =>
  (args) => {
    const [only] = args;
    if (args.length === 1 && !itemsOf(only) && !isNumeric(only)) return only ?? null;
    const numbers = numbersIn(args, name);
    return numbers.reduce<GoValue>(
      (best, one) => (best === null || sign * compare('<', one, best) > 0 ? one : best),
      null,
    );
  };

function median(values: readonly number[]): number {
  const ordered = values.toSorted((a, b) => a - b);
  const middle = Math.floor(ordered.length / 2);
  const upper = ordered[middle] ?? 0;
  return ordered.length % 2 === 1 ? upper : ((ordered[middle - 1] ?? 0) + upper) / 2;
}

const bits = (name: string, work: (x: bigint, y: bigint) => bigint): Builtin => {
  return ([a, b]) => {
    if (!isPlainInt(a ?? null) || !isPlainInt(b ?? null)) return fail(`${name} takes integers`);
    const [x, y] = [a, b].map((one) => (one instanceof GoInt ? one.value : 0n));
    return int(work(x ?? 0n, y ?? 0n));
  };
};
const shift = (name: string, work: (x: bigint, y: bigint) => bigint): Builtin =>
  bits(name, (x, y) => {
    if (y < 0n) return fail(`invalid operation: negative shift count ${y} (type int)`);
    return y > 64n ? (name === 'bitshr' && x < 0n ? -1n : 0n) : work(x, y);
  });

export const numberBuiltins: Readonly<Record<string, Builtin>> = {
  abs: ([value]) => {
    if (value instanceof GoInt && isPlainInt(value))
      return value.value < 0n ? new GoInt(-value.value, value.type) : value;
    return Math.abs(float(value, 'abs'));
  },
  ceil: rounded('ceil', Math.ceil),
  floor: rounded('floor', Math.floor),
  round: rounded('round', roundHalf),
  int: ([value]) => {
    if (value instanceof GoInt) return int(value.value);
    if (typeof value === 'number') return Number.isFinite(value) ? int(Math.trunc(value)) : int(-(2n ** 63n));
    const number = typeof value === 'string' ? parseInteger(value) : undefined;
    return number === undefined
      ? fail(`invalid operation: int(${typeof value === 'string' ? value : typeText(value)})`)
      : int(number);
  },
  float: ([value]) => {
    if (isNumeric(value)) return toFloat(value);
    const number = typeof value === 'string' ? parseFloat64(value) : undefined;
    return number ?? fail(`invalid operation: float(${typeof value === 'string' ? value : typeText(value)})`);
  },
  max: extreme('max', 1),
  min: extreme('min', -1),
  mean: (args) => {
    const numbers = numbersIn(args, 'mean').map(toFloat);
    return numbers.length === 0 ? 0 : numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
  },
  median: (args) => median(numbersIn(args, 'median').map(toFloat)),
  bitand: bits('bitand', (x, y) => x & y),
  bitor: bits('bitor', (x, y) => x | y),
  bitxor: bits('bitxor', (x, y) => x ^ y),
  bitnand: bits('bitnand', (x, y) => x & ~y),
  bitshl: shift('bitshl', (x, y) => x << y),
  bitshr: shift('bitshr', (x, y) => x >> y),
  bitushr: shift('bitushr', (x, y) => BigInt.asUintN(64, x) >> y),
  bitnot: ([value]) =>
    value instanceof GoInt && isPlainInt(value) ? int(~value.value) : fail('bitnot takes an integer'),
};
