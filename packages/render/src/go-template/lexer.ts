import { keywords, type Token, type TokenType } from './token.ts';

const leftDelim = '{{';
const rightDelim = '}}';
const alphaNumeric = /[\p{L}\p{Nd}_]/u;
/** A run of them, from its start position. */
const word = /[\p{L}\p{Nd}_]+/uy;
const isSpaceCode = (code: number): boolean => code === 32 || code === 9 || code === 10 || code === 13;
const isSpace = (char: string): boolean => isSpaceCode(char.charCodeAt(0));

/** The tokens of a template. The last one is `eof`, or an `error` whose value is its message. */
export function* lex(input: string): Generator<Token> {
  const lexer = new Lexer(input);
  for (;;) {
    const token = lexer.next();
    yield token;
    if (token.type === 'eof' || token.type === 'error') return;
  }
}

class Lexer {
  private readonly input: string;
  private position = 0;
  private start = 0;
  private line = 1;
  private startLine = 1;
  private parens = 0;
  private insideAction = false;

  constructor(input: string) {
    this.input = input;
  }

  next(): Token {
    if (this.insideAction) return this.action();
    return this.text();
  }

  private text(): Token {
    const { input } = this;
    for (;;) {
      const at = input.indexOf(leftDelim, this.position);
      if (at < 0) {
        if (this.position === input.length) return this.emit('eof');
        this.position = input.length;
        return this.emit('text');
      }
      const trims = this.trimsLeft(at + leftDelim.length);
      let end = at;
      if (trims) while (end > this.position && isSpace(input.charAt(end - 1))) end--;
      if (end > this.position) {
        this.position = end;
        const token = this.emit('text');
        this.skipTo(at);
        return token;
      }
      this.skipTo(at);
      const content = at + leftDelim.length + (trims ? 2 : 0);
      if (!input.startsWith('/*', content)) {
        this.position = at + leftDelim.length;
        const token = this.emit('left-delim');
        this.skipTo(content);
        this.insideAction = true;
        this.parens = 0;
        return token;
      }
      const problem = this.comment(content);
      if (problem) return problem;
    }
  }

  private comment(at: number): Token | undefined {
    this.skipTo(at);
    const end = this.input.indexOf('*/', at + 2);
    if (end < 0) return this.error('unclosed comment');
    this.skipTo(end + 2);
    if (!this.atRightDelim()) return this.error('comment ends before closing delimiter');
    this.closeDelim();
    return undefined;
  }

  private action(): Token {
    if (this.atRightDelim()) {
      if (this.parens > 0) return this.error('unclosed left paren');
      this.insideAction = false;
      const trims = this.trimsRight();
      if (trims) this.skipTo(this.position + 2);
      this.position += rightDelim.length;
      const token = this.emit('right-delim');
      if (trims) this.skipSpace();
      return token;
    }
    const char = this.take();
    if (char === '') return this.error('unclosed action');
    if (isSpace(char)) return this.space();
    switch (char) {
      case '=':
        return this.emit('assign');
      case ':':
        return this.take() === '=' ? this.emit('declare') : this.error('expected :=');
      case '|':
        return this.emit('pipe');
      case '"':
        return this.quoted('"', 'string', 'unterminated quoted string');
      case "'":
        return this.quoted("'", 'char-constant', 'unterminated character constant');
      case '`':
        return this.rawString();
      case '$':
        return this.name('variable');
      case '(':
        this.parens++;
        return this.emit('left-paren');
      case ')':
        return --this.parens < 0 ? this.error('unexpected right paren') : this.emit('right-paren');
    }
    if (char === '.' && !/\d/.test(this.peek()) && this.peek() !== '') return this.name('field');
    if (/[-+.\d]/.test(char)) return this.number();
    if (alphaNumeric.test(char)) return this.identifier();
    if (/[!-~]/.test(char)) return this.emit('char');
    return this.error(`unrecognized character in action: ${unicodeName(char)}`);
  }

  private space(): Token {
    while (isSpaceCode(this.input.charCodeAt(this.position))) this.position++;
    const before = this.position - 1;
    if (this.input.charAt(this.position) === '-' && this.input.startsWith(rightDelim, this.position + 1)) {
      if (before === this.start) {
        this.position = before;
        return this.action();
      }
      this.position = before;
    }
    return this.emit('space');
  }

  private identifier(): Token {
    this.skipWord();
    const word = this.input.slice(this.start, this.position);
    if (!this.atTerminator()) return this.badCharacter();
    if (keywords.has(word)) return this.emit('keyword');
    return this.emit(word === 'true' || word === 'false' ? 'bool' : 'identifier');
  }

  private name(type: 'field' | 'variable'): Token {
    if (this.atTerminator()) return this.emit(type === 'variable' ? 'variable' : 'keyword');
    this.skipWord();
    return this.atTerminator() ? this.emit(type) : this.badCharacter();
  }

  private number(): Token {
    this.position = this.start;
    if (!this.scanNumber()) return this.error(`bad number syntax: ${this.soFar()}`);
    if (this.peek() === '+' || this.peek() === '-') {
      if (!this.scanNumber() || this.input.charAt(this.position - 1) !== 'i')
        return this.error(`bad number syntax: ${this.soFar()}`);
      return this.emit('complex');
    }
    return this.emit('number');
  }

  private scanNumber(): boolean {
    const pattern =
      /[-+]?(?:0[xX][\da-fA-F_]*(?:\.[\da-fA-F_]*)?(?:[pP][-+]?[\d_]*)?|0[oO][0-7_]*(?:\.[0-7_]*)?|0[bB][01_]*(?:\.[01_]*)?|[\d_]*(?:\.[\d_]*)?(?:[eE][-+]?[\d_]*)?)i?/y;
    pattern.lastIndex = this.position;
    this.position += pattern.exec(this.input)![0].length;
    if (!alphaNumeric.test(this.peek())) return true;
    this.take();
    return false;
  }

  private quoted(quote: string, type: TokenType, unterminated: string): Token {
    for (;;) {
      let char = this.input.charAt(this.position++);
      if (char === '\\') {
        char = this.input.charAt(this.position++);
        if (char !== '' && char !== '\n') continue;
      }
      if (char === '' || char === '\n') return this.error(unterminated);
      if (char === quote) return this.emit(type);
    }
  }

  private rawString(): Token {
    const end = this.input.indexOf('`', this.position);
    if (end < 0) return this.error('unterminated raw quoted string');
    this.position = end + 1;
    return this.emit('raw-string');
  }

  private trimsLeft = (at: number): boolean => this.input.charAt(at) === '-' && isSpace(this.input.charAt(at + 1));
  private trimsRight = (): boolean =>
    isSpace(this.peek()) &&
    this.input.charAt(this.position + 1) === '-' &&
    this.input.startsWith(rightDelim, this.position + 2);
  private atRightDelim = (): boolean => this.trimsRight() || this.input.startsWith(rightDelim, this.position);

  private closeDelim(): void {
    const trims = this.trimsRight();
    this.skipTo(this.position + (trims ? 2 : 0) + rightDelim.length);
    if (trims) this.skipSpace();
  }

  /** What may follow a word: the parser decides whether it is valid. */
  private atTerminator(): boolean {
    const char = this.peek();
    return char === '' || /[ \t\r\n.,|:)(]/.test(char) || this.input.startsWith(rightDelim, this.position);
  }

  private skipWord(): void {
    word.lastIndex = this.position;
    if (word.test(this.input)) this.position = word.lastIndex;
  }

  private peek(): string {
    const code = this.input.charCodeAt(this.position);
    if (code < 0xd800) return this.input.charAt(this.position);
    const point = this.input.codePointAt(this.position);
    return point === undefined ? '' : String.fromCodePoint(point);
  }

  private take(): string {
    const char = this.peek();
    this.position += char.length;
    return char;
  }

  private skipSpace(): void {
    let at = this.position;
    while (isSpace(this.input.charAt(at))) at++;
    this.skipTo(at);
  }

  private skipTo(position: number): void {
    for (let at = this.start; at < position; at++) if (this.input.charCodeAt(at) === 10) this.line++;
    this.position = this.start = position;
    this.startLine = this.line;
  }

  private soFar = (): string => JSON.stringify(this.input.slice(this.start, this.position));

  private emit(type: TokenType): Token {
    const token = {
      type,
      value: this.input.slice(this.start, this.position),
      position: this.start,
      line: this.startLine,
    };
    this.skipTo(this.position);
    return token;
  }

  private badCharacter(): Token {
    const char = this.peek();
    return this.error(`bad character ${unicodeName(char)}`);
  }

  private error(message: string): Token {
    return { type: 'error', value: message, position: this.start, line: this.startLine };
  }
}

const unicodeName = (char: string): string => {
  const code = char.codePointAt(0) ?? 0;
  const hex = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return /\p{C}|\p{Z}/u.test(char) && char !== ' ' ? hex : `${hex} '${char}'`;
};
