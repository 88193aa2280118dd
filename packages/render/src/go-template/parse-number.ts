import { fitsInt64, fitsUint64, parseFloat64, parseInteger } from './go-number.ts';
import type { NumberNode } from './node.ts';
import type { Token } from './token.ts';
import { unquoteChar } from './unquote.ts';

/** All types that the text of a number allows, or the error. */
export function parseNumber({ type, value: text, position }: Token): NumberNode | string {
  const node = { type: 'number' as const, position, text };
  if (type === 'char-constant') return charConstant(text, position);
  if (type === 'complex') {
    const match = /^(.*?[\d.])([-+].+)i$/.exec(text);
    const [real, imaginary] = [parseFloat64(match?.[1] ?? ''), parseFloat64(match?.[2] ?? '')];
    if (real === undefined || imaginary === undefined) return `illegal number syntax: ${JSON.stringify(text)}`;
    return { ...node, ...simplified(real, imaginary) };
  }
  if (text.endsWith('i')) {
    const imaginary = parseFloat64(text.slice(0, -1));
    if (imaginary !== undefined) return { ...node, ...simplified(0, imaginary) };
  }
  const whole = parseInteger(text, 0);
  const int = whole !== undefined && fitsInt64(whole) ? whole : undefined;
  const unsigned = !/^[-+]/.test(text) && whole !== undefined && fitsUint64(whole) ? whole : undefined;
  const uint = int === 0n ? 0n : unsigned;
  if (int !== undefined || uint !== undefined)
    return { ...node, int, uint, float: Number(int ?? uint), complex: undefined };
  const float = parseFloat64(text);
  if (float === undefined || !Number.isFinite(float)) return `illegal number syntax: ${JSON.stringify(text)}`;
  if (!/[.eEpP]/.test(text)) return `integer overflow: ${JSON.stringify(text)}`;
  return { ...node, ...integersOf(float), float, complex: undefined };
}

function integersOf(float: number): { int: bigint | undefined; uint: bigint | undefined } {
  const whole = Number.isInteger(float) ? BigInt(float) : undefined;
  return {
    int: whole !== undefined && fitsInt64(whole) ? whole : undefined,
    uint: whole !== undefined && fitsUint64(whole) ? whole : undefined,
  };
}

function simplified(real: number, imaginary: number): Pick<NumberNode, 'int' | 'uint' | 'float' | 'complex'> {
  const complex = [real, imaginary] as const;
  if (imaginary !== 0) return { int: undefined, uint: undefined, float: undefined, complex };
  return { ...integersOf(real), float: real, complex };
}

function charConstant(text: string, position: number): NumberNode | string {
  const char = text.length > 2 ? unquoteChar(text.slice(1), "'") : undefined;
  if (!char) return 'invalid syntax';
  if (text.slice(1 + char.length) !== "'") return `malformed character constant: ${text}`;
  const code = typeof char.value === 'number' ? char.value : (char.value.codePointAt(0) ?? 0);
  const rune = code >= 0xdc80 && code <= 0xdcff ? 0xfffd : code;
  return { type: 'number', position, text, int: BigInt(rune), uint: BigInt(rune), float: rune, complex: undefined };
}
