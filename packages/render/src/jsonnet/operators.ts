import { elementAt } from '@fairlead/apimachinery/primitives';
import type { Evaluator } from './evaluate.ts';
import { format } from './format.ts';
import { JsonnetError } from './jsonnet-error.ts';
import { toText } from './manifest.ts';
import { compareText, isFunction, JsonnetArray, JsonnetObject, typeOf, type Value } from './value.ts';

type Operator = (evaluator: Evaluator, a: Value, b: Value) => Value;

export const add: Operator = (evaluator, a, b) => {
  if (typeof a === 'number' && typeof b === 'number') return finite(a + b);
  if (typeof a === 'string' || typeof b === 'string') {
    const text = toText(evaluator, a) + toText(evaluator, b);
    evaluator.checkSize(text.length);
    return text;
  }
  if (a instanceof JsonnetArray && b instanceof JsonnetArray) {
    evaluator.checkSize(8 * (a.items.length + b.items.length));
    return new JsonnetArray([...a.items, ...b.items]);
  }
  if (a instanceof JsonnetObject && b instanceof JsonnetObject) {
    evaluator.checkSize(a.layers.length + b.layers.length);
    return new JsonnetObject([...a.layers, ...b.layers]);
  }
  throw unfit('+', a, b);
};

const unfit = (operator: string, a: Value, b: Value): JsonnetError =>
  new JsonnetError(`binary operator ${operator} does not work on ${typeOf(a)} and ${typeOf(b)}`);

export function finite(value: number): number {
  if (Number.isFinite(value)) return value;
  throw new JsonnetError(Number.isNaN(value) ? 'not a number' : 'overflow');
}

const arithmetic =
  (operator: string, compute: (a: number, b: number) => number): Operator =>
  (_, a, b) => {
    if (typeof a !== 'number' || typeof b !== 'number') throw unfit(operator, a, b);
    return finite(compute(a, b));
  };

const bitwise = (operator: string, compute: (a: bigint, b: bigint) => bigint): Operator =>
  arithmetic(operator, (a, b) => Number(BigInt.asIntN(64, compute(wholeBits(a), wholeBits(b)))));

/** Only safe integers support bitwise operations. */
export function wholeBits(value: number): bigint {
  if (!Number.isSafeInteger(Math.trunc(value)))
    throw new JsonnetError('numeric value outside safe integer range for bitwise operation');
  return BigInt(Math.trunc(value));
}

function shift(operator: string, compute: (a: bigint, b: bigint) => bigint): Operator {
  const run = bitwise(operator, (a, b) => compute(a, b % 64n));
  return (evaluator, a, b) => {
    if (typeof b === 'number' && b < 0) throw new JsonnetError('shift by negative exponent');
    if (operator === '<<' && typeof a === 'number' && typeof b === 'number' && !Number.isSafeInteger(a * 2 ** (b % 64)))
      throw new JsonnetError('numeric value outside safe integer range for bitwise operation');
    return run(evaluator, a, b);
  };
}

function nonZero(value: number): number {
  if (value === 0) throw new JsonnetError('division by zero');
  return value;
}

const comparison =
  (operator: string, accept: (order: number) => boolean): Operator =>
  (evaluator, a, b) =>
    accept(compare(evaluator, a, b, operator));

/** Compares numbers, strings, and arrays of them. */
export function compare(evaluator: Evaluator, a: Value, b: Value, operator = '<'): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  if (!(a instanceof JsonnetArray && b instanceof JsonnetArray)) throw unfit(operator, a, b);
  for (const [i, item] of a.items.entries()) {
    const other = b.items[i];
    if (!other) break;
    const order = compare(evaluator, item.force(), other.force(), operator);
    if (order !== 0) return order;
  }
  return a.items.length - b.items.length;
}

export function equal(evaluator: Evaluator, a: Value, b: Value): boolean {
  if (a === b && !isFunction(a)) return true;
  if (isFunction(a) || isFunction(b)) {
    if (isFunction(a) && isFunction(b)) throw new JsonnetError('cannot test equality of functions');
    return false;
  }
  if (a instanceof JsonnetArray && b instanceof JsonnetArray)
    return (
      a.items.length === b.items.length &&
      a.items.every((item, i) => equal(evaluator, item.force(), elementAt(b.items, i).force()))
    );
  if (!(a instanceof JsonnetObject && b instanceof JsonnetObject)) return false;
  const [left, right] = [a.names(false), b.names(false)];
  return (
    left.length === right.length &&
    left.every((name, i) => name === right[i]) &&
    left.every((name) => equal(evaluator, evaluator.field(a, name), evaluator.field(b, name)))
  );
}

const remainder = arithmetic('%', (a, b) => a % nonZero(b));

/** `%`: a remainder, or Python's formatting where the left side is text. */
export const modulo: Operator = (evaluator, a, b) =>
  typeof a === 'string' ? format(evaluator, a, b) : remainder(evaluator, a, b);

export const binaryOperators: Readonly<Record<string, Operator>> = {
  '+': add,
  '-': arithmetic('-', (a, b) => a - b),
  '*': arithmetic('*', (a, b) => a * b),
  '/': arithmetic('/', (a, b) => a / nonZero(b)),
  '%': modulo,
  '<<': shift('<<', (a, b) => a << b),
  '>>': shift('>>', (a, b) => a >> b),
  '&': bitwise('&', (a, b) => a & b),
  '^': bitwise('^', (a, b) => a ^ b),
  '|': bitwise('|', (a, b) => a | b),
  '<': comparison('<', (order) => order < 0),
  '>': comparison('>', (order) => order > 0),
  '<=': comparison('<=', (order) => order <= 0),
  '>=': comparison('>=', (order) => order >= 0),
  '==': (evaluator, a, b) => equal(evaluator, a, b),
  '!=': (evaluator, a, b) => !equal(evaluator, a, b),
  in: (_, a, b) => {
    if (typeof a !== 'string' || !(b instanceof JsonnetObject)) throw unfit('in', a, b);
    return b.layerOf(a) >= 0;
  },
};
