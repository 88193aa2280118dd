import { isPrintable } from './format-number.ts';
import { replaceRawBytes } from './go-string.ts';

const escapes: Record<number, string> = { 7: '\\a', 8: '\\b', 9: '\\t', 10: '\\n', 11: '\\v', 12: '\\f', 13: '\\r' };
const hex = (code: number, width: number): string => code.toString(16).padStart(width, '0');

/** strconv.Quote, or QuoteToASCII. */
export function quoteString(text: string, asciiOnly = false): string {
  if (/^[ !#-[\]-~]*$/.test(text)) return `"${text}"`;
  let out = '"';
  for (const char of text) out += escapeChar(char, '"', asciiOnly);
  return `${out}"`;
}

/** strconv.QuoteRune, or QuoteRuneToASCII. */
export function quoteRune(code: bigint, asciiOnly = false): string {
  const valid = code >= 0n && code <= 0x10ffffn && !(code >= 0xd800n && code <= 0xdfffn);
  return `'${escapeChar(String.fromCodePoint(valid ? Number(code) : 0xfffd), "'", asciiOnly)}'`;
}

function escapeChar(char: string, quote: string, asciiOnly: boolean): string {
  const code = char.codePointAt(0) ?? 0;
  if (char === quote || char === '\\') return `\\${char}`;
  if (code >= 0xdc80 && code <= 0xdcff) return `\\x${hex(code - 0xdc00, 2)}`;
  if (asciiOnly ? code >= 0x20 && code < 0x7f : isPrintable(char)) return char;
  const short = escapes[code];
  if (short) return short;
  if (code < 0x20 || code === 0x7f) return `\\x${hex(code, 2)}`;
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

/** Whether a text needs no escaping between backquotes. */
export function canBackquote(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters
  return replaceRawBytes(text) === text && !/[\x00-\x08\x0a-\x1f\x7f`\ufeff]/.test(text);
}
