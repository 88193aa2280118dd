import { isPrintable } from './format-number.ts';
import { toBytes } from './go-string.ts';

const html: Record<string, string> = {
  '"': '&#34;',
  "'": '&#39;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\0': '\ufffd',
};
export const escapeHtml = (text: string): string => text.replace(/["'&<>\0]/g, (char) => html[char] ?? char);

const unicodeEscape = (code: number): string => `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`;

export function escapeJs(text: string): string {
  let out = '';
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    if (char === '\\' || char === "'" || char === '"') out += `\\${char}`;
    else if ('<>&='.includes(char) || code < 0x20) out += unicodeEscape(code);
    else if (code < 0x80 || isPrintable(char)) out += char;
    else out += unicodeEscape(code);
  }
  return out;
}

/** url.QueryEscape. */
export function escapeQuery(text: string): string {
  let out = '';
  for (const byte of toBytes(text)) {
    const char = String.fromCharCode(byte);
    if (char === ' ') out += '+';
    else if (/[A-Za-z0-9\-_.~]/.test(char)) out += char;
    else out += `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return out;
}
