import { GoError } from '../go-template/go-value.ts';

/** An exact decimal: digits × 10^exponent. Sprig's float arithmetic uses decimals, so 0.1 + 0.2 is 0.3. */
export interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/** How many decimals a quotient has. */
const divisionPrecision = 16;

export function decimalOf(value: number): Decimal {
  if (!Number.isFinite(value))
    throw new GoError(`Cannot create a Decimal from ${Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'}`);
  const [mantissa = '', exponent = ''] = value.toExponential().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

export const floatOf = ({ digits, exponent }: Decimal): number => Number(`${digits}e${exponent}`);

const scaled = (a: Decimal, exponent: number): bigint => a.digits * 10n ** BigInt(a.exponent - exponent);

export function add(a: Decimal, b: Decimal): Decimal {
  const exponent = Math.min(a.exponent, b.exponent);
  return { digits: scaled(a, exponent) + scaled(b, exponent), exponent };
}

export const subtract = (a: Decimal, b: Decimal): Decimal => add(a, { ...b, digits: -b.digits });
export const multiply = (a: Decimal, b: Decimal): Decimal => ({
  digits: a.digits * b.digits,
  exponent: a.exponent + b.exponent,
});

/** Rounded half away from zero. */
export function divide(a: Decimal, b: Decimal): Decimal {
  if (b.digits === 0n) throw new GoError('decimal division by 0');
  const shift = a.exponent - b.exponent + divisionPrecision;
  const numerator = shift >= 0 ? a.digits * 10n ** BigInt(shift) : a.digits;
  const denominator = shift >= 0 ? b.digits : b.digits * 10n ** BigInt(-shift);
  const abs = (n: bigint): bigint => (n < 0n ? -n : n);
  const [n, d] = [abs(numerator), abs(denominator)];
  let quotient = n / d;
  if ((n % d) * 2n >= d) quotient++;
  const negative = numerator < 0n !== denominator < 0n;
  return { digits: negative ? -quotient : quotient, exponent: -divisionPrecision };
}
