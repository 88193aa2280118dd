import { fromBytes } from './go-string.ts';

const simple: Record<string, number> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11, '\\': 92, "'": 39, '"': 34 };

/** The value of a Go string literal, raw or quoted. Undefined on a syntax error. */
export function unquote(literal: string): string | undefined {
  const quote = literal.charAt(0);
  const inside = literal.slice(1, -1);
  if (quote === '`') return inside.includes('`') ? undefined : inside.replaceAll('\r', '');
  if (inside.includes('\n')) return undefined;
  const parts: (string | number)[] = [];
  for (let rest = inside; rest !== ''; ) {
    const char = unquoteChar(rest, quote);
    if (!char) return undefined;
    parts.push(char.value);
    rest = rest.slice(char.length);
  }
  if (!parts.some((part) => typeof part === 'number')) return parts.join('');
  const bytes = parts.map((part) => (typeof part === 'number' ? Buffer.of(part) : Buffer.from(part, 'utf8')));
  return fromBytes(Buffer.concat(bytes));
}

/** The first character of a quoted text: a string, or a number for a single byte written in octal or hexadecimal. */
export function unquoteChar(text: string, quote: string): { value: string | number; length: number } | undefined {
  const char = String.fromCodePoint(text.codePointAt(0) ?? 0);
  if (char === quote && (quote === "'" || quote === '"')) return undefined;
  if (char !== '\\') return { value: char, length: char.length };
  const letter = text.charAt(1);
  const hexDigits = { x: 2, u: 4, U: 8 }[letter];
  if (hexDigits) {
    const digits = text.slice(2, 2 + hexDigits);
    if (digits.length < hexDigits || !/^[\da-fA-F]+$/.test(digits)) return undefined;
    const code = Number.parseInt(digits, 16);
    if (letter === 'x') return { value: code < 0x80 ? String.fromCharCode(code) : code, length: 4 };
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return undefined;
    return { value: String.fromCodePoint(code), length: 2 + hexDigits };
  }
  if (/[0-7]/.test(letter)) {
    const digits = text.slice(1, 4);
    if (!/^[0-7]{3}$/.test(digits)) return undefined;
    const code = Number.parseInt(digits, 8);
    if (code > 255) return undefined;
    return { value: code < 0x80 ? String.fromCharCode(code) : code, length: 4 };
  }
  const code = simple[letter];
  if (code === undefined || ((letter === "'" || letter === '"') && letter !== quote)) return undefined;
  return { value: String.fromCharCode(code), length: 2 };
}
