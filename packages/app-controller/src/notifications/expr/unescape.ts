import { fromBytes } from '@fairlead/render/go-template';

const simple: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '`': '`',
  '?': '?',
};

const escapePattern =
  /\\(?:u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|U([\da-fA-F]{8})|[xX]([\da-fA-F]{2})|([0-3][0-7]{2})|([abfnrtv\\'"`?]))/y;

/** The text of a literal without its quotes. Undefined if an escape is invalid. In a literal of bytes, `\xff` is a byte. */
export function unescapeLiteral(literal: string, ofBytes = false): string | undefined {
  const text = literal.slice(1, -1).replaceAll(/\r\n?/gu, '\n');
  let out = '';
  for (let at = 0; at < text.length; ) {
    if (text[at] !== '\\') {
      const end = text.indexOf('\\', at);
      out += text.slice(at, end < 0 ? text.length : end);
      at = end < 0 ? text.length : end;
      continue;
    }
    escapePattern.lastIndex = at;
    const match = escapePattern.exec(text);
    if (!match) return undefined;
    const [all, braced, short, long, hex, octal, char] = match;
    if (char !== undefined) out += simple[char];
    else {
      const code =
        octal === undefined ? Number.parseInt(braced ?? short ?? long ?? hex ?? '', 16) : Number.parseInt(octal, 8);
      if (code > 0x10ffff) return undefined;
      const isByte = ofBytes && (hex !== undefined || octal !== undefined);
      out += isByte ? fromBytes(Uint8Array.of(code)) : String.fromCodePoint(code).toWellFormed();
    }
    at += all.length;
  }
  return out;
}
