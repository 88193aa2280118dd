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

/** A quantity in billionths, the precision of kube-apiserver; finer values are rounded up, away from zero. */
function parseQuantity(text: string): bigint | undefined {
  const match = form.exec(text);
  if (!match || text.length > 100) return undefined;
  const [, sign, whole = '', fraction = '', exponent, suffix = ''] = match;
  if (whole === '' && fraction === '') return undefined;
  const [base, power] = (exponent === undefined ? suffixes[suffix] : undefined) ?? [10n, Number(exponent ?? 0)];
  if (power > 60 || power < -60) return undefined;
  const digits = BigInt(`${whole}${fraction}`) * 1_000_000_000n;
  const up = power > 0 ? base ** BigInt(power) : 1n;
  const down = 10n ** BigInt(fraction.length) * (power < 0 ? base ** BigInt(-power) : 1n);
  const size = (digits * up + down - 1n) / down;
  return sign === '-' ? -size : size;
}

const unit = 1_000_000_000n;
type QuantityValue = Opaque<bigint>;
const quantityValue = (nanos: bigint): QuantityValue => new Opaque('Quantity', nanos, String(nanos));

function toQuantity(text: string): QuantityValue {
  const nanos = parseQuantity(text);
  if (nanos === undefined)
    throw new CelError("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
  return quantityValue(nanos);
}

const fitsInteger = (nanos: bigint): boolean =>
  nanos % unit === 0n && nanos / unit >= -(2n ** 63n) && nanos / unit < 2n ** 63n;

function toInteger(value: QuantityValue): bigint {
  if (!fitsInteger(value.content)) throw new CelError('cannot convert value to integer');
  return integer(value.content / unit);
}

const order = (a: QuantityValue, b: QuantityValue): bigint =>
  a.content < b.content ? -1n : a.content > b.content ? 1n : 0n;
const sign = (value: QuantityValue): bigint => (value.content < 0n ? -1n : value.content > 0n ? 1n : 0n);

export const quantity: Overload[] = [
  overload('quantity(string): Quantity', toQuantity, perCharacter),
  overload('isQuantity(string): bool', (text: string) => parseQuantity(text) !== undefined, perCharacter),
  overload('sign(Quantity): int', sign),
  overload('Quantity.sign(): int', sign),
  overload('Quantity.isGreaterThan(Quantity): bool', (a: QuantityValue, b: QuantityValue) => order(a, b) > 0n),
  overload('Quantity.isLessThan(Quantity): bool', (a: QuantityValue, b: QuantityValue) => order(a, b) < 0n),
  overload('Quantity.compareTo(Quantity): int', order),
  overload('Quantity.asApproximateFloat(): double', (value: QuantityValue) => Number(value.content) / 1e9),
  overload('Quantity.asInteger(): int', toInteger),
  overload('Quantity.isInteger(): bool', (value: QuantityValue) => fitsInteger(value.content)),
  overload('Quantity.add(Quantity): Quantity', (a: QuantityValue, b: QuantityValue) =>
    quantityValue(a.content + b.content),
  ),
  overload('Quantity.add(int): Quantity', (a: QuantityValue, b: bigint) => quantityValue(a.content + b * unit)),
  overload('Quantity.sub(Quantity): Quantity', (a: QuantityValue, b: QuantityValue) =>
    quantityValue(a.content - b.content),
  ),
  overload('Quantity.sub(int): Quantity', (a: QuantityValue, b: bigint) => quantityValue(a.content - b * unit)),
];
