import { isTimestamp } from './timestamp.ts';

/** The type and value of an untagged scalar. Integers that a float64 cannot represent are bigints. */
export type Resolved =
  | { readonly type: 'str'; readonly value: string }
  | { readonly type: 'int'; readonly value: number | bigint }
  | { readonly type: 'float'; readonly value: number }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'null' }
  | { readonly type: 'timestamp'; readonly value: string };

/** goyaml.v2 reads `yes` as true; goyaml.v3 only reads `true` and `false`. */
export type YamlVersion = 'v2' | 'v3';

const words = new Map<string, Resolved>();
const define = (resolved: Resolved, ...texts: string[]): void => {
  for (const text of texts) words.set(text, resolved);
};
define({ type: 'bool', value: true }, 'true', 'True', 'TRUE');
define({ type: 'bool', value: false }, 'false', 'False', 'FALSE');
define({ type: 'null' }, '', '~', 'null', 'Null', 'NULL');
define({ type: 'float', value: Number.NaN }, '.nan', '.NaN', '.NAN');
define({ type: 'float', value: Number.POSITIVE_INFINITY }, '.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF');
define({ type: 'float', value: Number.NEGATIVE_INFINITY }, '-.inf', '-.Inf', '-.INF');

const oldBooleans = new Map<string, Resolved>();
for (const text of ['y', 'Y', 'yes', 'Yes', 'YES', 'on', 'On', 'ON'])
  oldBooleans.set(text, { type: 'bool', value: true });
for (const text of ['n', 'N', 'no', 'No', 'NO', 'off', 'Off', 'OFF'])
  oldBooleans.set(text, { type: 'bool', value: false });

/** `y`, `no`, `On`: booleans in YAML 1.1. goyaml.v3 quotes them, although it reads them as text. */
export const isOldBoolean = (text: string): boolean => oldBooleans.has(text);

export function resolvePlain(text: string, version: YamlVersion = 'v2'): Resolved {
  const code = text.charCodeAt(0);
  const numeric = (code >= 0x30 && code <= 0x39) || code === 0x2b || code === 0x2d;
  if (!numeric && code !== 0x2e) {
    const word =
      text.length <= 5 ? (words.get(text) ?? (version === 'v2' ? oldBooleans.get(text) : undefined)) : undefined;
    return word ?? { type: 'str', value: text };
  }
  const word = text.length <= 5 ? words.get(text) : undefined;
  if (word) return word;
  if (code === 0x2e) return pointFloat.test(text) ? floatOrText(text, text) : { type: 'str', value: text };
  if (isTimestamp(text)) return { type: 'timestamp', value: text };
  return resolveNumber(text);
}

const pointFloat = /^\.\d+(?:[eE][-+]?\d+)?$/u;
const decimalFloat = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/u;
const integer = /^([-+]?)(?:0[xX]([\da-fA-F]+)|0[bB]([01]+)|0[oO]([0-7]+)|0([0-7]+)|(0|[1-9]\d*))$/u;

function resolveNumber(text: string): Resolved {
  const plain = text.includes('_') ? text.replaceAll('_', '') : text;
  const match = integer.exec(plain);
  if (match) {
    const [, sign, hex, binary, octal, oldOctal, decimal] = match;
    const digits =
      hex !== undefined
        ? `0x${hex}`
        : binary !== undefined
          ? `0b${binary}`
          : (octal ?? oldOctal) !== undefined
            ? `0o${octal ?? oldOctal}`
            : decimal!;
    const value = digits.length < 13 ? Number(digits) : BigInt(digits);
    if (sign === '-' ? value <= 1n << 63n : value < (sign === '+' ? 1n << 63n : 1n << 64n))
      return { type: 'int', value: narrow(sign === '-' ? -value : value) };
  }
  return decimalFloat.test(plain) ? floatOrText(plain, text) : { type: 'str', value: text };
}

const narrow = (value: number | bigint): number | bigint => {
  if (typeof value === 'number') return value === 0 ? 0 : value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
};

/** A number too large for a float64 is text. */
const floatOrText = (plain: string, text: string): Resolved => {
  const value = Number(plain);
  return Number.isFinite(value) ? { type: 'float', value } : { type: 'str', value: text };
};
