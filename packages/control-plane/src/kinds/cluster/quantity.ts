export type ResourceList = Record<string, string>;

const binary = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const decimal: Record<string, number> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const pattern = /^([+-]?)(\d*)(?:\.(\d*))?(?:([eE][+-]?\d+)|([KMGTPE]i)|([numkMGTPE]))?$/;

/** The quantity in billionths, rounded away from zero as the server does. Decoding has refused what is not a quantity. */
export function billionths(text: string): bigint {
  const match = pattern.exec(text);
  if (!match) return 0n;
  const [, sign, whole = '', fraction = '', exponent, binarySuffix, suffix] = match;
  const scale = exponent ? Number(exponent.slice(1)) : (decimal[suffix ?? ''] ?? 0);
  const digits =
    BigInt(`${whole}${fraction}` || '0') * 1024n ** BigInt(binarySuffix ? binary.indexOf(binarySuffix) : 0);
  const power = 9 + scale - fraction.length;
  const divisor = power < 0 ? 10n ** BigInt(-power) : 1n;
  const value = power < 0 ? (digits + divisor - 1n) / divisor : digits * 10n ** BigInt(power);
  return sign === '-' ? -value : value;
}

export function compare(left: string, right: string): number {
  const difference = billionths(left) - billionths(right);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

export const isNegative = (text: string): boolean => billionths(text) < 0n;
/** Whole but for what is smaller than a thousandth, which the server rounds up before it looks. */
export const isWhole = (text: string): boolean => ceiling(billionths(text), 1_000_000n) % 1000n === 0n;
/** The integer that the quantity is at most. */
export const wholeUnits = (text: string): bigint => ceiling(billionths(text), 1_000_000_000n);
export const thousandths = (text: string): bigint => ceiling(billionths(text), 1_000_000n);

const ceiling = (value: bigint, unit: bigint): bigint =>
  value / unit + (value % unit === 0n ? 0n : value > 0n ? 1n : -1n);
