import { toBytes } from '../go-template/go-string.ts';
import { GoError } from '../go-template/go-value.ts';
import { quoteString } from '../go-template/quote.ts';

/** Go's encoding/json error for text that is not JSON. Positions are in bytes. */
export function jsonSyntaxError(text: string): GoError {
  try {
    new Checker(text).check();
  } catch (error) {
    if (error instanceof GoError) return error;
    throw error;
  }
  return new GoError('invalid character after top-level value');
}

const maxDepth = 10_000;

class Checker {
  private readonly bytes: Uint8Array;
  private at = 0;
  private depth = 0;

  constructor(text: string) {
    this.bytes = toBytes(text);
  }

  check(): void {
    this.value();
    this.skipSpace();
    if (this.at < this.bytes.length) this.fail('after top-level value');
  }

  private value(): void {
    if (++this.depth > maxDepth) throw new GoError('exceeded max depth');
    const char = this.next();
    if (char === '{') this.object();
    else if (char === '[') this.array();
    else if (char === '"') this.string();
    else if (char === '-' || isDigit(char)) this.number();
    else if (char === 't') this.literal('true');
    else if (char === 'f') this.literal('false');
    else if (char === 'n') this.literal('null');
    else this.fail('looking for beginning of value');
    this.depth--;
  }

  private object(): void {
    this.at++;
    if (this.next() === '}') return this.skip();
    for (;;) {
      if (this.next() !== '"') this.fail('looking for beginning of object key string');
      this.string();
      if (this.next() !== ':') this.fail('after object key');
      this.at++;
      this.value();
      const char = this.next();
      if (char === '}') return this.skip();
      if (char !== ',') this.fail('after object key:value pair');
      this.at++;
    }
  }

  private array(): void {
    this.at++;
    if (this.next() === ']') return this.skip();
    for (;;) {
      this.value();
      const char = this.next();
      if (char === ']') return this.skip();
      if (char !== ',') this.fail('after array element');
      this.at++;
    }
  }

  private string(): void {
    for (this.at++; ; this.at++) {
      const char = this.here();
      if (char === '"') return this.skip();
      if (char < ' ') this.fail('in string literal');
      if (char !== '\\') continue;
      this.at++;
      if (this.here() === 'u') {
        for (let i = 0; i < 4; i++) {
          this.at++;
          if (!/[\da-fA-F]/.test(this.here())) this.fail('in \\u hexadecimal character escape');
        }
      } else if (!'"\\/bfnrt'.includes(this.here())) this.fail('in string escape code');
    }
  }

  private number(): void {
    if (this.here() === '-') {
      this.at++;
      if (!isDigit(this.here())) this.fail('in numeric literal');
    }
    if (this.here() === '0') this.at++;
    else this.digits();
    if (this.peek() === '.') {
      this.at++;
      if (!isDigit(this.here())) this.fail('after decimal point in numeric literal');
      this.digits();
    }
    if (this.peek() === 'e' || this.peek() === 'E') {
      this.at++;
      if (this.here() === '+' || this.here() === '-') this.at++;
      if (!isDigit(this.here())) this.fail('in exponent of numeric literal');
      this.digits();
    }
  }

  private digits(): void {
    while (isDigit(this.peek())) this.at++;
  }

  private literal(word: string): void {
    for (const [i, expected] of [...word].entries()) {
      if (i > 0 && this.here() !== expected) this.fail(`in literal ${word} (expecting '${expected}')`);
      this.at++;
    }
  }

  private skip(): void {
    this.at++;
  }

  private skipSpace(): void {
    while (' \t\r\n'.includes(this.peek()) && this.peek() !== '') this.at++;
  }

  private next(): string {
    this.skipSpace();
    return this.here();
  }

  private peek(): string {
    return this.at < this.bytes.length ? String.fromCharCode(this.bytes[this.at] ?? 0) : '';
  }

  private here(): string {
    if (this.at >= this.bytes.length) throw new GoError('unexpected end of JSON input');
    return this.peek();
  }

  private fail(where: string): never {
    const char = this.here();
    const quoted = char === "'" ? "'\\''" : char === '"' ? `'"'` : `'${quoteString(char).slice(1, -1)}'`;
    throw new GoError(`invalid character ${quoted} ${where}`);
  }
}

const isDigit = (char: string): boolean => char >= '0' && char <= '9';

/** The first number that a float64 cannot represent. */
export function overflowingNumber(text: string): string | undefined {
  const outsideStrings = text.replace(/"(?:[^"\\]|\\.)*"/gs, '""');
  return outsideStrings.match(/-?\d[\d.eE+-]*/g)?.find((number) => !Number.isFinite(Number(number)));
}
