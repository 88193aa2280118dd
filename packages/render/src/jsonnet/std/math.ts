import { JsonnetError } from '../jsonnet-error.ts';
import { finite } from '../operators.ts';
import { type Definition, define } from './define.ts';

const of = (compute: (x: number) => number): Definition => define('x', (_, x) => finite(compute(x.number)));
const of2 = (parameters: `${string} ${string}`, compute: (a: number, b: number) => number): Definition =>
  define(parameters, (_, a, b) => finite(compute(a.number, b.number)));
const test = (accept: (x: number) => boolean): Definition => define('x', (_, x) => accept(x.number));

function exponentOf(x: number): number {
  if (x === 0) return 0;
  let exponent = Math.floor(Math.log2(Math.abs(x))) + 1;
  if (Math.abs(x) / 2 ** exponent >= 1) exponent++;
  if (Math.abs(x) / 2 ** exponent < 0.5) exponent--;
  return exponent;
}

export const math: Readonly<Record<string, Definition>> = {
  abs: define('n', (_, n) => Math.abs(n.number)),
  sign: define('n', (_, n) => Math.sign(n.number)),
  floor: of(Math.floor),
  ceil: of(Math.ceil),
  round: of((x) => Math.sign(x) * Math.round(Math.abs(x))),
  sqrt: of(Math.sqrt),
  exp: of(Math.exp),
  log: of(Math.log),
  log2: of(Math.log2),
  log10: of(Math.log10),
  sin: of(Math.sin),
  cos: of(Math.cos),
  tan: of(Math.tan),
  asin: of(Math.asin),
  acos: of(Math.acos),
  atan: of(Math.atan),
  deg2rad: of((x) => (x * Math.PI) / 180),
  rad2deg: of((x) => (x * 180) / Math.PI),
  exponent: of(exponentOf),
  mantissa: of((x) => x / 2 ** exponentOf(x)),
  atan2: of2('y x', Math.atan2),
  hypot: of2('a b', Math.hypot),
  pow: of2('x n', (x, n) => x ** n),
  max: of2('a b', Math.max),
  min: of2('a b', Math.min),
  modulo: of2('x y', (x, y) => {
    if (y === 0) throw new JsonnetError('division by zero');
    return x % y;
  }),
  clamp: define('x minVal maxVal', (_, x, min, max) => Math.min(Math.max(x.number, min.number), max.number)),
  isEven: test((x) => Math.trunc(x) % 2 === 0),
  isOdd: test((x) => Math.abs(Math.trunc(x) % 2) === 1),
  isInteger: test(Number.isInteger),
  isDecimal: test((x) => !Number.isInteger(x)),
  xor: define('x y', (_, x, y) => x.truth !== y.truth),
  xnor: define('x y', (_, x, y) => x.truth === y.truth),
};
