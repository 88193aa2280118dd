import type { YamlVersion } from './resolve.ts';

const letter = /\p{L}/u;
const digit = /\p{Nd}/u;
const plainWord = /^[A-Za-z]*$/u;

/**
 * The order in which Go's YAML writes a map's keys: letters after everything else, runs of digits by their number (`a2` before `a10`).
 * It is not a total order (`v10a`, `v1a`, `v2a` form a cycle). In Go the result is random there too.
 */
export function compareKeys(a: string, b: string, version: YamlVersion = 'v2'): number {
  if (a === b) return 0;
  if (plainWord.test(a) && plainWord.test(b)) return a < b ? -1 : 1;
  return precedes([...a], [...b], version) ? -1 : 1;
}

function precedes(a: readonly string[], b: readonly string[], version: YamlVersion): boolean {
  let afterDigit = false;
  for (let i = 0; i < a.length && i < b.length; i++) {
    const [x, y] = [a[i]!, b[i]!];
    if (x === y) {
      afterDigit = digit.test(x);
      continue;
    }
    const [xLetter, yLetter] = [letter.test(x), letter.test(y)];
    if (xLetter && yLetter) return x.codePointAt(0)! < y.codePointAt(0)!;
    if (xLetter || yLetter) return version === 'v3' && afterDigit ? xLetter : yLetter;
    // A zero is a digit of the number only after a digit that is not zero.
    const carry = (x === '0' || y === '0') && followsNonZero(a, i) ? 1n : 0n;
    const [left, right] = [numberAt(a, i, carry), numberAt(b, i, carry)];
    if (left.value !== right.value) return left.value < right.value;
    if (left.end !== right.end) return left.end < right.end;
    return x.codePointAt(0)! < y.codePointAt(0)!;
  }
  return a.length < b.length;
}

function followsNonZero(key: readonly string[], at: number): boolean {
  for (let i = at - 1; i >= 0 && digit.test(key[i]!); i--) if (key[i] !== '0') return true;
  return false;
}

/** The number that starts at an index, modulo 2^64. */
function numberAt(key: readonly string[], at: number, carry: bigint): { value: bigint; end: number } {
  let value = carry;
  let end = at;
  for (; end < key.length && digit.test(key[end]!); end++)
    value = BigInt.asIntN(64, value * 10n + BigInt(key[end]!.codePointAt(0)! - 0x30));
  return { value, end };
}
