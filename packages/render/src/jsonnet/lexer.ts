import { JsonnetError, type Position } from './jsonnet-error.ts';

export interface Token {
  readonly kind: 'name' | 'keyword' | 'number' | 'string' | 'operator' | 'end';
  /** A string's value, everything else as written. */
  readonly text: string;
  readonly at: Position;
}

const keywords = new Set(
  'assert else error false for function if import importstr importbin in local null tailstrict then self super true'.split(
    ' ',
  ),
);
/** Longest first. */
const operators = '+::: +:: +: ::: :: : << >> <= >= == != && || ! ~ + - * / % & ^ | < > = $ { } [ ] ( ) , . ;'.split(
  ' ',
);
const number = /(?:0|[1-9]\d*(?:_\d+)*)(?:\.\d+(?:_\d+)*)?(?:[eE][-+]?\d+)?/y;
const name = /[A-Za-z_]\w*/y;
const blank = /(?:[ \t\r\n]+|\/\/[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\/)+/y;
const escapes: Record<string, string> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  '\\': '\\',
  '/': '/',
  '"': '"',
  "'": "'",
};

/** The tokens of a program. */
export function tokensOf(file: string, text: string): Token[] {
  const lineStarts = [0];
  for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) lineStarts.push(i + 1);
  let line = 0;
  const place = (offset: number): Position => {
    while (line + 1 < lineStarts.length && lineStarts[line + 1]! <= offset) line++;
    return { file, line: line + 1, column: offset - lineStarts[line]! + 1 };
  };
  const tokens: Token[] = [];
  let offset = 0;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = offset;
    return pattern.exec(text)?.[0];
  };
  for (;;) {
    offset += match(blank)?.length ?? 0;
    const at = place(offset);
    if (offset >= text.length) return [...tokens, { kind: 'end', text: 'end of file', at }];
    const character = text[offset] ?? '';
    const word = match(name);
    const digits = word === undefined ? match(number) : undefined;
    if (word !== undefined) {
      tokens.push({ kind: keywords.has(word) ? 'keyword' : 'name', text: word, at });
      offset += word.length;
    } else if (digits !== undefined) {
      tokens.push({ kind: 'number', text: digits, at });
      offset += digits.length;
    } else if (text.startsWith('|||', offset)) {
      const block = textBlock(text, offset, at);
      tokens.push({ kind: 'string', text: block.value, at });
      offset = block.end;
    } else if (character === '"' || character === "'") {
      const end = closing(text, offset + 1, character, at);
      tokens.push({ kind: 'string', text: unescaped(text.slice(offset + 1, end), at), at });
      offset = end + 1;
    } else if (character === '@' && /["']/.test(text[offset + 1] ?? '')) {
      const quote = text[offset + 1] ?? '';
      const verbatim = new RegExp(`((?:[^${quote}]|${quote}${quote})*)${quote}`, 'y');
      verbatim.lastIndex = offset + 2;
      const found = verbatim.exec(text);
      if (!found) throw new JsonnetError('unterminated string', at);
      tokens.push({ kind: 'string', text: (found[1] ?? '').replaceAll(quote + quote, quote), at });
      offset = verbatim.lastIndex;
    } else {
      const operator = operators.find((candidate) => text.startsWith(candidate, offset));
      if (operator === undefined)
        throw new JsonnetError(`could not lex the character ${JSON.stringify(character)}`, at);
      tokens.push({ kind: 'operator', text: operator, at });
      offset += operator.length;
    }
  }
}

function closing(text: string, from: number, quote: string, at: Position): number {
  for (let i = from; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === quote) return i;
  }
  throw new JsonnetError('unterminated string', at);
}

function unescaped(text: string, at: Position): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\(?:u([\dA-Fa-f]{4})|(u)|([\s\S]))/g, (_, hex?: string, bad?: string, one = '') => {
    if (hex) return String.fromCharCode(Number.parseInt(hex, 16));
    const value = bad ? undefined : escapes[one];
    if (value === undefined) throw new JsonnetError(`unknown escape sequence in string literal: \\${bad ?? one}`, at);
    return value;
  });
}

/** `|||` … `|||`: removes the indentation of the first line from all lines. `|||-` also removes the last newline. */
function textBlock(text: string, start: number, at: Position): { value: string; end: number } {
  const opening = /\|\|\|(-?)[ \t]*\r?\n/y;
  opening.lastIndex = start;
  const chomp = opening.exec(text);
  if (!chomp) throw new JsonnetError('text block requires new line after |||', at);
  let offset = opening.lastIndex;
  const indent = /^\n*([ \t]+)/.exec(text.slice(offset))?.[1];
  if (!indent) throw new JsonnetError("text block's first line must start with whitespace", at);
  let value = '';
  for (;;) {
    const end = text.indexOf('\n', offset);
    const line = end < 0 ? text.slice(offset) : text.slice(offset, end);
    if (line.startsWith(indent) && end >= 0) value += `${line.slice(indent.length)}\n`;
    else if (line === '' && end >= 0) value += '\n';
    else {
      const close = /^[ \t]*\|\|\|/.exec(line);
      if (!close) throw new JsonnetError('text block not terminated with |||', at);
      return { value: chomp[1] ? value.replace(/\n$/, '') : value, end: offset + close[0].length };
    }
    if (end < 0) throw new JsonnetError('text block not terminated with |||', at);
    offset = end + 1;
  }
}
