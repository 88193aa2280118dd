import { fn } from '../go-template/function.ts';
import { clampInt64, fitsInt64, parseInteger } from '../go-template/go-number.ts';
import { intSlice } from '../go-template/go-type.ts';
import { GoError, type GoFunction, GoSlice, type GoValue, int, int64 } from '../go-template/go-value.ts';
import { sprint } from '../go-template/printf.ts';
import { toFloat64, toInt64 } from './cast.ts';
import { add, type Decimal, decimalOf, divide, floatOf, multiply, subtract } from './decimal.ts';

const integers = (start: GoValue, rest: GoValue[], step: (a: bigint, b: bigint) => bigint): GoValue =>
  int64(rest.reduce<bigint>((result, next) => BigInt.asIntN(64, step(result, toInt64(next))), toInt64(start)));

const decimals = (start: GoValue, rest: GoValue[], step: (a: Decimal, b: Decimal) => Decimal): number =>
  floatOf(
    rest.reduce<Decimal>((result, next) => step(result, decimalOf(toFloat64(next))), decimalOf(toFloat64(start))),
  );

const byZero = (): never => {
  throw new GoError('runtime error: integer divide by zero');
};

export const mathFunctions: Readonly<Record<string, GoFunction>> = {
  add1: fn('any', (a: GoValue) => int64(toInt64(a) + 1n)),
  add: fn('...any', (...all: GoValue[]) => integers(int(0), all, (a, b) => a + b)),
  sub: fn('any any', (a: GoValue, b: GoValue) => integers(a, [b], (x, y) => x - y)),
  div: fn('any any', (a: GoValue, b: GoValue) => integers(a, [b], (x, y) => (y === 0n ? byZero() : x / y))),
  mod: fn('any any', (a: GoValue, b: GoValue) => integers(a, [b], (x, y) => (y === 0n ? byZero() : x % y))),
  mul: fn('any ...any', (a: GoValue, ...rest: GoValue[]) => integers(a, rest, (x, y) => x * y)),
  max: fn('any ...any', max),
  biggest: fn('any ...any', max),
  min: fn('any ...any', (a: GoValue, ...rest: GoValue[]) => integers(a, rest, (x, y) => (y < x ? y : x))),
  add1f: fn('any', (a: GoValue) => decimals(a, [1], add)),
  addf: fn('...any', (...all: GoValue[]) => decimals(0, all, add)),
  subf: fn('any ...any', (a: GoValue, ...rest: GoValue[]) => decimals(a, rest, subtract)),
  divf: fn('any ...any', (a: GoValue, ...rest: GoValue[]) => decimals(a, rest, divide)),
  mulf: fn('any ...any', (a: GoValue, ...rest: GoValue[]) => decimals(a, rest, multiply)),
  maxf: fn('any ...any', (a: GoValue, ...rest: GoValue[]) => extreme(a, rest, Math.max, Infinity)),
  minf: fn('any ...any', (a: GoValue, ...rest: GoValue[]) => extreme(a, rest, Math.min, -Infinity)),
  ceil: fn('any', (a: GoValue) => Math.ceil(toFloat64(a))),
  floor: fn('any', (a: GoValue) => Math.floor(toFloat64(a))),
  round: fn('any int ...float64', round),
  int: fn('any', (a: GoValue) => int(toInt64(a))),
  int64: fn('any', (a: GoValue) => int64(toInt64(a))),
  float64: fn('any', (a: GoValue) => toFloat64(a)),
  atoi: fn('string', (text: string) => int(clampInt64(parseInteger(text) ?? 0n))),
  toDecimal: fn('any', (value: GoValue) => int64(inRange(parseInteger(sprint([value]), 8)))),
  until: fn('int', (count: number) => list(untilStep(0, count, count < 0 ? -1 : 1))),
  untilStep: fn('int int int', (start: number, stop: number, step: number) => list(untilStep(start, stop, step))),
  seq: fn('...int', seq),
};

function max(a: GoValue, ...rest: GoValue[]): GoValue {
  return integers(a, rest, (x, y) => (y > x ? y : x));
}

const inRange = (value: bigint | undefined): bigint => (value !== undefined && fitsInt64(value) ? value : 0n);

/** An infinity in the given direction has precedence even over NaN. */
function extreme(start: GoValue, rest: GoValue[], pick: (a: number, b: number) => number, limit: number): number {
  return rest.map(toFloat64).reduce((a, b) => (a === limit || b === limit ? limit : pick(a, b)), toFloat64(start));
}

function round(value: GoValue, places: number, roundOn = 0.5): number {
  const power = 10 ** places;
  const digits = power * toFloat64(value);
  const fraction = digits - Math.trunc(digits);
  return (fraction >= roundOn ? Math.ceil(digits) : Math.floor(digits)) / power;
}

const list = (numbers: number[]): GoValue => new GoSlice(numbers.map(int), intSlice);
const maxCount = 2_000_000;

function untilStep(start: number, stop: number, step: number): number[] {
  if (stop < start ? step >= 0 : step <= 0) return [];
  const count = Math.ceil((stop - start) / step);
  if (count > maxCount) throw new GoError(`a list of ${count} numbers is too long`);
  return Array.from({ length: count }, (_, i) => start + i * step);
}

function seq(...params: number[]): string {
  const written = (numbers: number[]): string => numbers.join(' ');
  const [first = 0, second = 0, third = 0] = params;
  switch (params.length) {
    case 1: {
      const increment = first < 1 ? -1 : 1;
      return written(untilStep(1, first + increment, increment));
    }
    case 2: {
      const step = second < first ? -1 : 1;
      return written(untilStep(first, second + step, step));
    }
    case 3:
      if (third < first && second > 0) return '';
      return written(untilStep(first, third + (third < first ? -1 : 1), second));
    default:
      return '';
  }
}
