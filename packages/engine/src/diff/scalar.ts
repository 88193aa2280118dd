import { equalJson, type Json, type Schema } from '@fairlead/apimachinery';

/** Whether two values mean the same to the server: `1000m` and `1`, two ways to write an instant. */
export function sameScalar(schema: Schema | undefined, a: Json, b: Json): boolean {
  if (equalJson(a, b)) return true;
  switch (schema?.type) {
    case 'quantity':
      return sameQuantity(String(a), String(b));
    case 'time':
    case 'micro-time':
      return Date.parse(String(a)) === Date.parse(String(b));
    default:
      return false;
  }
}

const binary: Readonly<Record<string, number>> = { Ki: 1, Mi: 2, Gi: 3, Ti: 4, Pi: 5, Ei: 6 };
const decimal: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };

export function sameQuantity(a: string, b: string): boolean {
  const [x, y] = [nanosOf(a), nanosOf(b)];
  return x !== undefined && x === y;
}

/** A quantity in billionths, exact; undefined when it is none. Digits beyond billionths are rounded up, as the server does. */
function nanosOf(text: string): bigint | undefined {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:([KMGTPE]i)|([numkMGTPE])|[eE]([+-]?\d{1,3}))?$/u.exec(text);
  if (!match) return undefined;
  const [, sign, whole = '', fraction = '', power, suffix = '', exponent] = match;
  if (whole === '' && fraction === '') return undefined;
  const digits = BigInt(`${whole}${fraction}`);
  const factor = power === undefined ? 1n : 1024n ** BigInt(binary[power]!);
  const shift = 9 + (exponent === undefined ? (decimal[suffix] ?? 0) : Number(exponent)) - fraction.length;
  const scaled = digits * factor;
  const nanos = shift >= 0 ? scaled * 10n ** BigInt(shift) : roundUp(scaled, 10n ** BigInt(-shift));
  return sign === '-' ? -nanos : nanos;
}

const roundUp = (value: bigint, by: bigint): bigint => (value + by - 1n) / by;
