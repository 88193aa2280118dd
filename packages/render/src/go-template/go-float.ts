/** Writes floats like Go's strconv.FormatFloat, from the digits of JavaScript's. */

interface Digits {
  /** Significant digits without leading zeros; `0` for zero. */
  readonly digits: string;
  /** The value is 0.DIGITS × 10^point. */
  readonly point: number;
}

const shortest = (value: number): Digits => fromExponential(value.toExponential());

function fromExponential(text: string): Digits {
  const [mantissa = '', exponent = ''] = text.split('e');
  const digits = mantissa.replace('.', '');
  return { digits, point: digits === '0' ? 0 : Number(exponent) + 1 };
}

/** Rounds exactly to any number of significant digits. JavaScript supports at most 100. */
function rounded(value: number, count: number): Digits {
  if (count >= 1 && count <= 100) return fromExponential(value.toExponential(count - 1));
  return exactDigits(value, (point) => count - point);
}

/** Rounds the exact decimal expansion of a float half to even. */
function exactDigits(value: number, decimalsFor: (point: number) => number): Digits {
  const [mantissa, exponent] = binaryParts(value);
  let numerator = mantissa;
  let scale = 0;
  if (exponent >= 0) numerator <<= BigInt(exponent);
  else {
    numerator *= 5n ** BigInt(-exponent);
    scale = -exponent;
  }
  const all = numerator.toString();
  const point = all === '0' ? 0 : all.length - scale;
  const keep = point + decimalsFor(point);
  if (keep >= all.length) return { digits: all, point };
  if (keep < 0) return { digits: '0', point: 0 };
  const divisor = 10n ** BigInt(all.length - keep);
  let quotient = numerator / divisor;
  const twice = (numerator % divisor) * 2n;
  if (twice > divisor || (twice === divisor && quotient % 2n === 1n)) quotient++;
  const digits = quotient === 0n ? '' : quotient.toString();
  return { digits: digits === '' ? '0' : digits, point: digits === '' ? 0 : point + (digits.length - keep) };
}

/** A finite float's magnitude as mantissa × 2^exponent. */
function binaryParts(value: number): [mantissa: bigint, exponent: number] {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(value));
  const bits = view.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & ((1n << 52n) - 1n);
  return exponent === 0 ? [fraction, -1074] : [fraction | (1n << 52n), exponent - 1075];
}

/** FormatFloat(value, format, precision, 64); a precision of -1 means the shortest text that parses to the same value. */
export function formatFloat(value: number, format: string, precision = -1): string {
  if (Number.isNaN(value)) return 'NaN';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const magnitude = Math.abs(value);
  if (magnitude === Infinity) return sign === '-' ? '-Inf' : '+Inf';
  switch (format) {
    case 'b': {
      const [mantissa, exponent] = binaryParts(value);
      return `${sign}${mantissa}p${exponent >= 0 ? '+' : ''}${exponent}`;
    }
    case 'x':
    case 'X': {
      const text = sign + hexFloat(magnitude, precision);
      return format === 'X' ? text.toUpperCase() : text;
    }
    case 'e':
    case 'E': {
      const digits = precision < 0 ? shortest(magnitude) : rounded(magnitude, precision + 1);
      return sign + exponential(digits, precision < 0 ? digits.digits.length - 1 : precision, format);
    }
    case 'f':
    case 'F': {
      const digits = precision < 0 ? shortest(magnitude) : exactDigits(magnitude, () => precision);
      return sign + fixed(digits, precision < 0 ? Math.max(digits.digits.length - digits.point, 0) : precision);
    }
    default:
      return sign + general(magnitude, precision, format === 'G' ? 'E' : 'e');
  }
}

function general(value: number, precision: number, exponentLetter: string): string {
  const { digits, point } = precision < 0 ? shortest(value) : rounded(value, precision === 0 ? 1 : precision);
  const kept = { digits: digits.replace(/(?<=.)0+$/, ''), point };
  const count = kept.digits.length;
  let limit = precision < 0 ? 6 : Math.max(precision, 1);
  if (precision >= 0 && limit > count && count >= point) limit = count;
  const exponent = point - 1;
  if (kept.digits !== '0' && (exponent < -4 || exponent >= limit)) return exponential(kept, count - 1, exponentLetter);
  return fixed(kept, kept.digits === '0' ? 0 : Math.max(count - point, 0));
}

function exponential({ digits, point }: Digits, decimals: number, letter: string): string {
  const exponent = digits === '0' ? 0 : point - 1;
  const fraction = digits.slice(1).padEnd(decimals, '0').slice(0, decimals);
  const size = String(Math.abs(exponent)).padStart(2, '0');
  return `${digits.charAt(0)}${decimals > 0 ? `.${fraction}` : ''}${letter}${exponent < 0 ? '-' : '+'}${size}`;
}

function fixed({ digits, point }: Digits, decimals: number): string {
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0';
  if (decimals === 0) return whole;
  const zeros = '0'.repeat(Math.min(Math.max(-point, 0), decimals));
  const rest = digits === '0' ? '' : digits.slice(Math.max(point, 0));
  return `${whole}.${(zeros + rest).slice(0, decimals).padEnd(decimals, '0')}`;
}

function hexFloat(value: number, precision: number): string {
  if (value === 0) return `0x0${precision > 0 ? `.${'0'.repeat(precision)}` : ''}p+00`;
  let [mantissa, exponent] = binaryParts(value);
  while (mantissa < 1n << 52n) {
    mantissa <<= 1n;
    exponent--;
  }
  exponent += 52;
  if (precision >= 0 && precision < 13) {
    const shift = BigInt(52 - precision * 4);
    const half = 1n << (shift - 1n);
    const extra = mantissa & ((1n << shift) - 1n);
    mantissa >>= shift;
    if (extra > half || (extra === half && mantissa % 2n === 1n)) mantissa++;
    mantissa <<= shift;
    if (mantissa >= 1n << 53n) {
      mantissa >>= 1n;
      exponent++;
    }
  }
  const all = (mantissa & ((1n << 52n) - 1n)).toString(16).padStart(13, '0');
  const fraction = precision < 0 ? all.replace(/0+$/, '') : all.padEnd(precision, '0').slice(0, precision);
  const size = String(Math.abs(exponent)).padStart(2, '0');
  return `0x1${fraction === '' ? '' : `.${fraction}`}p${exponent < 0 ? '-' : '+'}${size}`;
}
