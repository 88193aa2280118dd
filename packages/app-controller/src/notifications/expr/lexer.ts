import { ExprError } from './expr-error.ts';
import { isAlphaNumeric, isSpace, type Token, type TokenKind } from './token.ts';
import { unescapeLiteral } from './unescape.ts';

const wordOperators = new Set([
  'in',
  'or',
  'and',
  'matches',
  'contains',
  'startsWith',
  'endsWith',
  'let',
  'if',
  'else',
]);

/** The tokens of an expression, one after the other; the last is EOF. */
export class Lexer {
  readonly #source: readonly string[];
  #at = 0;

  constructor(source: readonly string[]) {
    this.#source = source;
  }

  next(): Token {
    this.#skip();
    const start = this.#at;
    const char = this.#source[start];
    if (char === undefined) return { kind: 'EOF', value: '', at: Math.max(0, start - 1) };
    if (char === "'" || char === '"') return this.#string(start, char, false);
    if (char === '`') return this.#rawString(start);
    const quote = this.#source[start + 1];
    if ((char === 'b' || char === 'B') && (quote === "'" || quote === '"')) {
      this.#at += 1;
      return this.#string(start, quote, true);
    }
    if (isDigit(char) || (char === '.' && isDigit(quote))) return this.#number(start);
    if ('([{)]}'.includes(char)) return this.#take(start, 1, 'Bracket');
    if (isAlphaNumeric(char)) return this.#word(start);
    return this.#take(start, this.#operatorLength(char, quote), 'Operator');
  }

  fail(reason: string, at: number): never {
    throw new ExprError(reason, this.#source, at);
  }

  #operatorLength(char: string, next: string | undefined): number {
    const two = (allowed: string): number => (next !== undefined && allowed.includes(next) ? 2 : 1);
    if (char === '?') return two('.?');
    if (char === '|') return two('|');
    if (char === ':') return two(':');
    if (char === '#') return two('#');
    if (char === '.') return two('.');
    if (',;%+-^/'.includes(char)) return 1;
    if ('&!=*<>'.includes(char)) return two('&=*');
    return this.fail(`unrecognized character: ${JSON.stringify(char)}`, this.#at);
  }

  #take(start: number, length: number, kind: TokenKind): Token {
    this.#at = start + length;
    return { kind, value: this.#source.slice(start, this.#at).join(''), at: start };
  }

  /** Skips white space and comments. */
  #skip(): void {
    for (let char = this.#source[this.#at]; char !== undefined; char = this.#source[this.#at]) {
      const next = this.#source[this.#at + 1];
      if (isSpace(char)) this.#at += 1;
      else if (char === '/' && next === '/') this.#at = this.#indexOr('\n', this.#at, this.#source.length);
      else if (char === '/' && next === '*') this.#at = this.#endOfComment();
      else return;
    }
  }

  #indexOr(char: string, from: number, otherwise: number): number {
    const found = this.#source.indexOf(char, from);
    return found < 0 ? otherwise : found;
  }

  #endOfComment(): number {
    for (let at = this.#at + 2; at < this.#source.length; at++)
      if (this.#source[at] === '*' && this.#source[at + 1] === '/') return at + 2;
    return this.fail('unclosed comment', this.#source.length);
  }

  #string(start: number, quote: string, ofBytes: boolean): Token {
    for (let at = this.#at + 1; ; at++) {
      const char = this.#source[at];
      if (char === undefined || char === '\n') this.fail('literal not terminated', at);
      // The other quote needs no escape, and may not have one.
      if (char === '\\' && this.#source[at + 1] !== quote && `'"\`?X`.includes(this.#source[at + 1] ?? ''))
        this.fail('invalid char escape', at + 1);
      if (char === '\\') at += 1;
      else if (char === quote) {
        const literal = this.#source.slice(this.#at, at + 1).join('');
        this.#at = at + 1;
        const value = unescapeLiteral(literal, ofBytes) ?? this.fail('invalid char escape', start);
        return { kind: ofBytes ? 'Bytes' : 'String', value, at: start };
      }
    }
  }

  #rawString(start: number): Token {
    let value = '';
    for (let at = start + 1; ; at++) {
      const char = this.#source[at];
      if (char === undefined) this.fail('literal not terminated', at);
      if (char === '`') {
        if (this.#source[at + 1] !== '`') {
          this.#at = at + 1;
          return { kind: 'String', value, at: start };
        }
        at += 1;
      }
      value += char;
    }
  }

  #number(start: number): Token {
    const rest = this.#source.slice(start, start + 400).join('');
    const [digits = ''] = /^(?:0[xX][\da-fA-F_]*|0[oO][0-7_]*|0[bB][01_]*|[\d_]*)/u.exec(rest) ?? [];
    const prefixed = /^0[xXoObB]/u.test(digits);
    const fraction = prefixed ? '' : (/^\.(?!\.)[\d_]*/u.exec(rest.slice(digits.length))?.[0] ?? '');
    const exponent = prefixed ? '' : (/^[eE][+-]?[\d_]*/u.exec(rest.slice(digits.length + fraction.length))?.[0] ?? '');
    const length = digits.length + fraction.length + exponent.length;
    if (isAlphaNumeric(this.#source[start + length]))
      this.fail(`bad number syntax: ${JSON.stringify(rest.slice(0, length + 1))}`, start + length);
    return this.#take(start, length, 'Number');
  }

  #word(start: number): Token {
    let end = start;
    while (isAlphaNumeric(this.#source[end])) end += 1;
    const word = this.#source.slice(start, end).join('');
    const isOperator = word === 'not' || wordOperators.has(word);
    return this.#take(start, end - start, isOperator ? 'Operator' : 'Identifier');
  }
}

const isDigit = (char: string | undefined): boolean => char !== undefined && char >= '0' && char <= '9';
