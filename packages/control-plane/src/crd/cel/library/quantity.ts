import { type Overload, overload, perCharacter } from '../overloads.ts';
import { CelError, integer, Opaque } from '../values.ts';

const suffixes: Readonly<Record<string, readonly [base: bigint, power: number]>> = {
  n: [10n, -9],
  u: [10n, -6],
  m: [10n, -3],
  '': [10n, 0],
  k: [10n, 3],
  M: [10n, 6],
  G: [10n, 9],
  T: [10n, 12],
  P: [10n, 15],
  E: [10n, 18],
  Ki: [1024n, 1],
  Mi: [1024n, 2],
  Gi: [1024n, 3],
  Ti: [1024n, 4],
  Pi: [1024n, 5],
  Ei: [1024n, 6],
};

const form = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3})|([KMGTPE]i|[numkMGTPE])?)$/;

/** A quantity in billionths, the finest that the server keeps; what is finer is rounded up, away from zero. */
function parseQuantity(text: string): bigint | undefined {
  const match = form.exec(text);
  if (!match || text.length > 100) return undefined;
  const [, sign, whole = '', fraction = '', exponent, suffix = ''] = match;
  if (whole === '' && fraction === '') return undefined;
  const [base, power] = exponent === undefined ? suffixes[suffix]! : ([10n, Number(exponent)] as const);
  if (power > 60 || power < -60) return undefined;
  const digits = BigInt(`${whole}${fraction}`) * 1_000_000_000n;
  const up = power > 0 ? base ** BigInt(power) : 1n;
  const down = 10n ** BigInt(fraction.length) * (power < 0 ? base ** BigInt(-power) : 1n);
  const size = (digits * up + down - 1n) / down;
  return sign === '-' ? -size : size;
}

const unit = 1_000_000_000n;
const quantityValue = (nanos: bigint): Opaque => new Opaque('Quantity', nanos, (other) => other === nanos);
const nanosOf = (value: Opaque): bigint => value.content as bigint;

function toQuantity(text: string): Opaque {
  const nanos = parseQuantity(text);
  if (nanos === undefined)
    throw new CelError("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
  return quantityValue(nanos);
}

const fitsInteger = (nanos: bigint): boolean =>
  nanos % unit === 0n && nanos / unit >= -(2n ** 63n) && nanos / unit < 2n ** 63n;

function toInteger(value: Opaque): bigint {
  if (!fitsInteger(nanosOf(value))) throw new CelError('cannot convert value to integer');
  return integer(nanosOf(value) / unit);
}

const order = (a: Opaque, b: Opaque): bigint => (nanosOf(a) < nanosOf(b) ? -1n : nanosOf(a) > nanosOf(b) ? 1n : 0n);
const sign = (value: Opaque): bigint => (nanosOf(value) < 0n ? -1n : nanosOf(value) > 0n ? 1n : 0n);

export const quantity: Overload[] = [
  overload('quantity(string): Quantity', toQuantity, perCharacter),
  overload('isQuantity(string): bool', (text: string) => parseQuantity(text) !== undefined, perCharacter),
  overload('sign(Quantity): int', sign),
  overload('Quantity.sign(): int', sign),
  overload('Quantity.isGreaterThan(Quantity): bool', (a: Opaque, b: Opaque) => order(a, b) > 0n),
  overload('Quantity.isLessThan(Quantity): bool', (a: Opaque, b: Opaque) => order(a, b) < 0n),
  overload('Quantity.compareTo(Quantity): int', order),
  overload('Quantity.asApproximateFloat(): double', (value: Opaque) => Number(nanosOf(value)) / 1e9),
  overload('Quantity.asInteger(): int', toInteger),
  overload('Quantity.isInteger(): bool', (value: Opaque) => fitsInteger(nanosOf(value))),
  overload('Quantity.add(Quantity): Quantity', (a: Opaque, b: Opaque) => quantityValue(nanosOf(a) + nanosOf(b))),
  overload('Quantity.add(int): Quantity', (a: Opaque, b: bigint) => quantityValue(nanosOf(a) + b * unit)),
  overload('Quantity.sub(Quantity): Quantity', (a: Opaque, b: Opaque) => quantityValue(nanosOf(a) - nanosOf(b))),
  overload('Quantity.sub(int): Quantity', (a: Opaque, b: bigint) => quantityValue(nanosOf(a) - b * unit)),
];
