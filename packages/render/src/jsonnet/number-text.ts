/** A number as Jsonnet writes it: integers in full, others with up to 17 digits. */
export function numberText(value: number): string {
  if (Number.isInteger(value)) return Object.is(value, -0) ? '-0' : BigInt(value).toString();
  return general(value, 17, false);
}

/** The shortest decimal that reads as the same number, without an exponent. */
export function plainNumber(value: number): string {
  const text = Object.is(value, -0) ? '-0' : String(value);
  if (!text.includes('e')) return text;
  if (Number.isInteger(value)) return BigInt(value).toString();
  const [digits = '', exponent = '0'] = text.replace('-', '').split('e');
  return `${value < 0 ? '-' : ''}0.${'0'.repeat(-Number(exponent) - 1)}${digits.replace('.', '')}`;
}

/** C's `%g`: the given number of significant digits, an exponent if that is shorter, and no trailing zeros unless asked for. */
export function general(value: number, precision: number, keepZeros: boolean): string {
  const digits = Math.max(1, Math.min(precision, 100));
  const [mantissa = '', power = '0'] = value.toExponential(digits - 1).split('e');
  const exponent = Number(power);
  const trimmed = (text: string): string => (keepZeros || !text.includes('.') ? text : text.replace(/\.?0+$/, ''));
  if (exponent < -4 || exponent >= digits) return `${trimmed(mantissa)}${exponentText(exponent)}`;
  return trimmed(value.toFixed(Math.min(100, Math.max(0, digits - 1 - exponent))));
}

export const exponentText = (exponent: number): string =>
  `e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
