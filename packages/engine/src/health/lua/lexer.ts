import { LuaSyntaxError } from './values.ts';

/** `column` is that of the last character. */
export type Token = { readonly line: number; readonly column: number } & (
  | { readonly type: 'name' | 'symbol' | 'string'; readonly text: string }
  | { readonly type: 'number'; readonly text: string; readonly value: number }
  | { readonly type: 'end'; readonly text: '<eof>' }
);

export const keywords: ReadonlySet<string> = new Set(
  'and break do else elseif end false for function goto if in local nil not or repeat return then true until while'.split(
    ' ',
  ),
);

const symbols = /\.\.\.|\.\.|==|~=|<=|>=|::|[-+*/%^#<>=(){}[\];:,.]/y;
const names = /[A-Za-z_]\w*/y;
const numbers = /0[xX][\da-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const spaces = /[ \t\r\f\v]+/y;
const openLong = /\[(=*)\[\r?\n?/y;
const simpleEscapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\n': '\n',
};

/** The tokens of a program. Throws if a string or comment is not closed. */
export function tokenize(source: string): Token[] {
  return new Lexer(source).all();
}

class Lexer {
  readonly #source: string;
  readonly #tokens: Token[] = [];
  #at = 0;
  #line = 1;
  #lineStart = 0;

  constructor(source: string) {
    // A first line that starts with # is for the shell.
    this.#source = source.replace(/^#[^\n]*/u, '');
  }

  all(): Token[] {
    while (this.#at < this.#source.length) this.#next();
    this.#tokens.push({ type: 'end', text: '<eof>', line: this.#line, column: 0 });
    return this.#tokens;
  }

  #next(): void {
    const line = this.#line;
    const place = () => ({ line, column: this.#column });
    if (this.#take(spaces) !== undefined) return;
    if (this.#source[this.#at] === '\n') {
      this.#line += 1;
      this.#at += 1;
      this.#lineStart = this.#at;
      return;
    }
    if (this.#source.startsWith('--', this.#at)) {
      this.#comment();
      return;
    }
    const name = this.#take(names);
    if (name !== undefined) {
      this.#tokens.push({ type: keywords.has(name) ? 'symbol' : 'name', text: name, ...place() });
      return;
    }
    const number = this.#take(numbers);
    if (number !== undefined) {
      if (this.#take(names) !== undefined) throw this.#wrong('malformed number', number);
      this.#tokens.push({ type: 'number', text: number, value: Number(number), ...place() });
      return;
    }
    const long = this.#long();
    if (long !== undefined) {
      this.#tokens.push({ type: 'string', text: long, ...place() });
      return;
    }
    const quote = this.#source[this.#at];
    if (quote === '"' || quote === "'") {
      this.#tokens.push({ type: 'string', text: this.#quoted(quote), ...place() });
      return;
    }
    const symbol = this.#take(symbols);
    if (symbol === undefined) throw this.#wrong('unexpected symbol', quote);
    this.#tokens.push({ type: 'symbol', text: symbol, ...place() });
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#source);
    if (!match) return undefined;
    this.#at += match[0].length;
    return match[0];
  }

  #comment(): void {
    this.#at += 2;
    if (this.#long() !== undefined) return;
    const end = this.#source.indexOf('\n', this.#at);
    this.#at = end < 0 ? this.#source.length : end;
  }

  /** `[[…]]` and `[==[…]==]`; undefined if none starts here. */
  #long(): string | undefined {
    openLong.lastIndex = this.#at;
    const match = openLong.exec(this.#source);
    if (!match) return undefined;
    const begin = this.#at + match[0].length;
    const close = `]${match[1]}]`;
    const end = this.#source.indexOf(close, begin);
    if (end < 0) throw this.#wrong('unfinished long string');
    this.#countLines(this.#at, end);
    this.#at = end + close.length;
    return this.#source.slice(begin, end).replaceAll('\r\n', '\n');
  }

  #quoted(quote: string): string {
    let text = '';
    for (let at = this.#at + 1; ; at++) {
      const character = this.#source[at];
      if (character === undefined || character === '\n') throw this.#wrong('unfinished string');
      if (character === quote) {
        this.#at = at + 1;
        return text;
      }
      if (character !== '\\') {
        text += character;
        continue;
      }
      at += 1;
      const escaped = this.#source[at] ?? '';
      const code = /^\d{1,3}/u.exec(this.#source.slice(at, at + 3))?.[0];
      if (code !== undefined) {
        if (Number(code) > 255) throw this.#wrong('escape sequence too large');
        text += String.fromCharCode(Number(code));
        at += code.length - 1;
      } else {
        if (escaped === '\n') this.#countLines(at, at + 1);
        text += simpleEscapes[escaped] ?? escaped;
      }
    }
  }

  #countLines(from: number, to: number): void {
    const lines = this.#source.slice(from, to).split('\n');
    this.#line += lines.length - 1;
    if (lines.length > 1) this.#lineStart = to - (lines.at(-1)?.length ?? 0);
  }

  get #column(): number {
    return this.#at - this.#lineStart;
  }

  #wrong(message: string, text = ''): LuaSyntaxError {
    return new LuaSyntaxError({ line: this.#line, column: this.#column, text }, message);
  }
}
