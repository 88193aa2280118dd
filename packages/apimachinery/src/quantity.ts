/**
 * Amounts of resources (`500m`, `1.5Gi`, `1e3`) as in Kubernetes: exact decimals, never floating point. The value is `digits ×
 * 10^exponent`; the format is kept for printing.
 */
export interface Quantity {
  readonly digits: bigint;
  readonly exponent: number;
  readonly form: 'decimal' | 'binary' | 'exponent';
  /** The printed form: the original text if it is canonical enough for the server. */
  readonly text: string;
}

const wrongFormat = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const wrongSuffix = "unable to parse quantity's suffix";

const decimalSuffixes = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);
const suffixOfPower = new Map([...decimalSuffixes].map(([suffix, power]) => [power, suffix]));
const binarySuffixes = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const largestBinary = 2n ** 63n - 1n;
/** Larger exponents are meaningless for resources, and must not cost memory to compare. */
const largestExponent = 399;

const shape = /^([+-]?)0*(\d*)(?:(\.)(\d*))?([eEinumkKMGTP]*[-+]?\d*)$/;

/** An error is returned as a message. */
export function readQuantity(given: string): Quantity | { readonly problem: string } {
  const text = given.trim();
  const parts = text === '' ? null : shape.exec(text);
  if (!parts) return { problem: wrongFormat };
  const [, sign, whole = '', , fraction = '', suffix = ''] = parts;
  const scale = scaleOf(suffix);
  if (!scale) return { problem: wrongSuffix };
  const plain = `${whole || '0'}${fraction}`;
  const magnitude = BigInt(plain);
  const negate = (value: bigint): bigint => (sign === '-' ? -value : value);

  if (scale.form === 'binary') {
    const value = magnitude * 1024n ** BigInt(scale.power);
    if (fraction === '' && fitsQuickly(plain.length, scale.power) && value <= largestBinary) {
      return written(negate(value), 0, 'binary', (magnitude & 7n) !== 0n ? text : undefined);
    }
    return bounded(negate(value), -fraction.length, 'binary');
  }
  const exponent = scale.power - fraction.length;
  if (plain.length <= 18 && exponent >= -9) {
    const isCanonical = exponent % 3 === 0 && !plain.endsWith('000') && !plain.startsWith('0');
    return written(negate(magnitude), exponent, scale.form, isCanonical ? text : undefined);
  }
  return bounded(negate(magnitude), exponent, scale.form);
}

/** Binary amounts that the server handles as 64-bit integers and whose text it keeps. */
const fitsQuickly = (length: number, power: number): boolean => 15 - length - Math.trunc(power * 3) - 1 >= 0;

function scaleOf(suffix: string): { form: Quantity['form']; power: number } | undefined {
  const power = decimalSuffixes.get(suffix);
  if (power !== undefined) return { form: 'decimal', power };
  const binary = binarySuffixes.indexOf(suffix);
  if (binary >= 0) return { form: 'binary', power: binary + 1 };
  return /^[eE][-+]?\d+$/.test(suffix) ? { form: 'exponent', power: clamp(Number(suffix.slice(1))) } : undefined;
}

const clamp = (exponent: number): number => Math.max(-largestExponent, Math.min(largestExponent, exponent));

/** Rounded up to billionths, away from zero; binary amounts end at 2^63-1 and are decimal below one. */
function bounded(digits: bigint, exponent: number, form: Quantity['form']): Quantity {
  let value = digits;
  let power = exponent;
  if (power < -9) {
    value = divideAway(value, 10n ** BigInt(-9 - power));
    power = -9;
  }
  if (form === 'binary') {
    const unit = 10n ** BigInt(-power);
    const size = value < 0n ? -value : value;
    if (size > largestBinary * unit) return written(value < 0n ? -largestBinary : largestBinary, 0, form);
    if (size < unit) return written(value, power, 'decimal');
  }
  return written(value, power, form);
}

function written(digits: bigint, exponent: number, form: Quantity['form'], text?: string): Quantity {
  return { digits, exponent, form, text: text ?? formatQuantity(digits, exponent, form) };
}

/** The canonical form: no fraction, the largest suffix that loses nothing. */
export function formatQuantity(digits: bigint, exponent: number, form: Quantity['form']): string {
  if (digits === 0n) return '0';
  if (form === 'binary') {
    const value = scaled(digits, exponent, 0);
    const isExact = exponent >= 0 || digits % 10n ** BigInt(-exponent) === 0n;
    if (isExact && (value >= 1024n || value <= -1024n)) return formatBinary(value);
  }
  let value = digits;
  let power = exponent;
  // Beyond the largest exponent, the text would be read as another value.
  while (value % 10n === 0n && power < largestExponent) {
    value /= 10n;
    power++;
  }
  const isExponent = form === 'exponent';
  while (power % 3 !== 0 || (!isExponent && power > 18)) {
    value *= 10n;
    power--;
  }
  return `${value}${isExponent ? (power === 0 ? '' : `e${power}`) : (suffixOfPower.get(power) ?? '')}`;
}

function formatBinary(value: bigint): string {
  let rest = value;
  let at = -1;
  while (rest % 1024n === 0n && at < binarySuffixes.length - 1) {
    rest /= 1024n;
    at++;
  }
  return `${rest}${at < 0 ? '' : binarySuffixes[at]}`;
}

/** The value in units of `10^power`, rounded away from zero. */
function scaled(digits: bigint, exponent: number, power: number): bigint {
  const shift = exponent - power;
  return shift >= 0 ? digits * 10n ** BigInt(shift) : divideAway(digits, 10n ** BigInt(-shift));
}

function divideAway(value: bigint, by: bigint): bigint {
  const whole = value / by;
  if (value % by === 0n) return whole;
  return value < 0n ? whole - 1n : whole + 1n;
}

/** For decoded text: anything else is a programming error. */
export function parseQuantity(text: string): Quantity {
  const quantity = readQuantity(text);
  if ('problem' in quantity) throw new Error(`${JSON.stringify(text)}: ${quantity.problem}`);
  return quantity;
}

export const isQuantity = (text: string): boolean => !('problem' in readQuantity(text));

/** `1000m` is `1`, `0.5Gi` is `512Mi`. */
export const canonicalQuantity = (text: string): string => parseQuantity(text).text;

export function compareQuantity(a: string, b: string): number {
  const difference = billionths(parseQuantity(a)) - billionths(parseQuantity(b));
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

const billionths = (quantity: Quantity): bigint => scaled(quantity.digits, quantity.exponent, -9);

/** In whole units, rounded up. */
export const quantityValue = (text: string): number => {
  const { digits, exponent } = parseQuantity(text);
  return Number(scaled(digits, exponent, 0));
};

/** In thousandths, rounded up. */
export const milliValue = (text: string): number => {
  const { digits, exponent } = parseQuantity(text);
  return Number(scaled(digits, exponent, -3));
};

/** The sum in the format of the first, or of the second if the first is zero. */
export function addQuantities(a: string, b: string): string {
  const left = parseQuantity(a);
  const right = parseQuantity(b);
  const form = left.digits === 0n ? right.form : left.form;
  const exponent = Math.min(left.exponent, right.exponent);
  const sum = scaled(left.digits, left.exponent, exponent) + scaled(right.digits, right.exponent, exponent);
  return formatQuantity(sum, exponent, form);
}

export function subtractQuantity(a: string, b: string): string {
  const { digits, exponent, form } = parseQuantity(b);
  return addQuantities(a, formatQuantity(-digits, exponent, form));
}
