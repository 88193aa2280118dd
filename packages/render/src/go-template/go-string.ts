/**
 * Strings in Go are bytes; ours are JavaScript strings in which a byte that is not part of UTF-8 is the lone surrogate U+DC00 + byte. Valid
 * UTF-8 text, which is nearly all of it, needs no conversion.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is all of ASCII
const ascii = /^[\x00-\x7f]*$/u;
const escapedByte = /[\udc80-\udcff]/;

export const isAscii = (text: string): boolean => ascii.test(text);
/** Whether the text contains bytes that are not UTF-8. (A cheap check first: the pattern also matches halves of pairs.) */
export const hasRawBytes = (text: string): boolean => escapedByte.test(text) && !text.isWellFormed();

export function toBytes(text: string): Buffer {
  if (!hasRawBytes(text)) return Buffer.from(text, 'utf8');
  const parts: Buffer[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0xd800 && code <= 0xdbff && isLow(text.charCodeAt(at + 1))) {
      at++;
    } else if (code >= 0xdc80 && code <= 0xdcff) {
      parts.push(Buffer.from(text.slice(from, at), 'utf8'), Buffer.of(code - 0xdc00));
      from = at + 1;
    }
  }
  parts.push(Buffer.from(text.slice(from), 'utf8'));
  return Buffer.concat(parts);
}

const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function fromBytes(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    return decodeLeniently(bytes);
  }
}

function decodeLeniently(bytes: Uint8Array): string {
  let text = '';
  let good = 0;
  const flush = (end: number): void => {
    if (end > good) text += decoder.decode(bytes.subarray(good, end));
  };
  for (let at = 0; at < bytes.length; ) {
    const size = runeSize(bytes, at);
    if (size > 0) {
      at += size;
    } else {
      flush(at);
      text += String.fromCharCode(0xdc00 + bytes[at]!);
      good = ++at;
    }
  }
  flush(bytes.length);
  return text;
}

/** The length of the UTF-8 sequence at a position; 0 if there is none. */
function runeSize(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return 1;
  const size =
    first >= 0xc2 && first <= 0xdf ? 2 : first >= 0xe0 && first <= 0xef ? 3 : first >= 0xf0 && first <= 0xf4 ? 4 : 0;
  if (size === 0 || at + size > bytes.length) return 0;
  for (let i = 1; i < size; i++) if ((bytes[at + i]! & 0xc0) !== 0x80) return 0;
  const second = bytes[at + 1]!;
  if ((first === 0xe0 && second < 0xa0) || (first === 0xed && second > 0x9f)) return 0;
  if ((first === 0xf0 && second < 0x90) || (first === 0xf4 && second > 0x8f)) return 0;
  return size;
}

export const byteLength = (text: string): number => {
  if (isAscii(text)) return text.length;
  return hasRawBytes(text) ? toBytes(text).length : Buffer.byteLength(text, 'utf8');
};

/** `text[start:end]` in bytes. The caller has checked the bounds. */
export function byteSlice(text: string, start: number, end: number): string {
  return isAscii(text) ? text.slice(start, end) : fromBytes(toBytes(text).subarray(start, end));
}

/** The runes of a text as code points. As in Go, a byte that is not UTF-8 is U+FFFD. */
export function* runes(text: string): Generator<number> {
  for (const char of text) {
    const code = char.codePointAt(0)!;
    yield code >= 0xd800 && code <= 0xdfff ? 0xfffd : code;
  }
}

/** Replaces bytes that are not UTF-8, as ranging over a string or converting it to runes does. */
export const replaceRawBytes = (text: string): string => (hasRawBytes(text) ? text.toWellFormed() : text);

/** Go compares strings by bytes, which is by code point; JavaScript by UTF-16 units. They differ only above the surrogates. */
export function compareStrings(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (x !== y) {
      if (x >= 0xd800 && y >= 0xd800) return Buffer.compare(toBytes(a), toBytes(b));
      return x - y;
    }
  }
  return a.length - b.length;
}
