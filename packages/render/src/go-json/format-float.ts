/** Digits and decimal exponent of a finite number's shortest form: 0.d1d2d3… × 10^point. */
function shortest(text: string): { digits: string; point: number } {
  const [mantissa = '', exponent = '0'] = text.split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const all = whole + fraction;
  const digits = all.replace(/^0+/u, '');
  const point = whole.length + Number(exponent) - (all.length - digits.length);
  return { digits: digits.replace(/0+$/u, '') || '0', point: digits === '' ? 1 : point };
}

/** The shortest decimal that reads back as the same float32, in JavaScript's notation. */
function shortestFloat32(value: number): string {
  const target = Math.fround(value);
  for (let precision = 1; precision < 10; precision++) {
    const text = target.toPrecision(precision);
    if (Math.fround(Number(text)) === target) return String(Number(text));
  }
  return String(target);
}

const exponentText = (exponent: number): string =>
  `e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;

/** A float as Go's `strconv.FormatFloat(value, 'g', -1, bits)` writes it: `1e+06`, `1.5`, `1e-05`. */
export function formatFloat(value: number, bits: 32 | 64 = 64): string {
  if (Number.isNaN(value)) return 'NaN';
  const finite = bits === 32 ? Math.fround(value) : value;
  if (!Number.isFinite(finite)) return value > 0 ? '+Inf' : '-Inf';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const { digits, point } = shortest(bits === 32 ? shortestFloat32(Math.abs(value)) : String(Math.abs(value)));
  const exponent = point - 1;
  if (exponent < -4 || exponent >= 6) {
    const fraction = digits.length > 1 ? `.${digits.slice(1)}` : '';
    return `${sign}${digits[0]}${fraction}${exponentText(exponent)}`;
  }
  return sign + fixed(digits, point);
}

function fixed(digits: string, point: number): string {
  if (point <= 0) return `0.${'0'.repeat(-point)}${digits}`;
  if (digits.length <= point) return digits + '0'.repeat(point - digits.length);
  return `${digits.slice(0, point)}.${digits.slice(point)}`;
}
