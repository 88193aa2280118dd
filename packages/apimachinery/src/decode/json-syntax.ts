/** Explains why a text is not JSON, with the message of Go's scanner. */
export function describeSyntaxError(text: string): string {
  const scanner = new Scanner(Buffer.from(text));
  try {
    scanner.document();
  } catch (error) {
    if (error instanceof SyntaxProblem) return error.message;
    throw error;
  }
  return 'unexpected end of JSON input';
}

class SyntaxProblem extends Error {}

const maxDepth = 10_000;

/** Follows the grammar with an explicit stack, so that the nesting depth does not matter. */
class Scanner {
  private readonly bytes: Buffer;
  private at = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  document(): void {
    const open: ('object' | 'array')[] = [];
    this.value(open);
    while (open.length > 0) this.next(open);
    this.space();
    if (this.at < this.bytes.length) throw this.invalid('after top-level value');
  }

  /** What may follow a value inside the innermost open structure. */
  private next(open: ('object' | 'array')[]): void {
    const isObject = open.at(-1) === 'object';
    this.space();
    if (this.is(isObject ? '}' : ']')) {
      this.at++;
      open.pop();
    } else if (this.is(',')) {
      this.at++;
      if (isObject) this.key();
      this.value(open);
    } else throw this.invalid(isObject ? 'after object key:value pair' : 'after array element');
  }

  /** Opens the structures that start here, down to the first scalar or empty structure. */
  private value(open: ('object' | 'array')[]): void {
    for (;;) {
      this.space();
      const isObject = this.is('{');
      if (!isObject && !this.is('[')) return this.scalar();
      this.at++;
      this.space();
      if (this.is(isObject ? '}' : ']')) {
        this.at++;
        return;
      }
      open.push(isObject ? 'object' : 'array');
      if (open.length > maxDepth) throw new SyntaxProblem('exceeded max depth');
      if (isObject) this.key();
    }
  }

  private key(): void {
    this.space();
    if (!this.is('"')) throw this.invalid('looking for beginning of object key string');
    this.string();
    this.space();
    if (!this.is(':')) throw this.invalid('after object key');
    this.at++;
  }

  private scalar(): void {
    if (this.is('"')) this.string();
    else if (this.is('t')) this.literal('true');
    else if (this.is('f')) this.literal('false');
    else if (this.is('n')) this.literal('null');
    else if (this.is('-') || this.digit()) this.number();
    else throw this.invalid('looking for beginning of value');
  }

  private literal(word: string): void {
    for (const [index, char] of [...word].entries()) {
      if (!this.is(char)) throw this.invalid(`in literal ${word} (expecting ${quoteByte(word.charCodeAt(index))})`);
      this.at++;
    }
  }

  private number(): void {
    if (this.is('-')) {
      this.at++;
      if (!this.digit()) throw this.invalid('in numeric literal');
    }
    if (this.is('0')) this.at++;
    else this.digits();
    if (this.is('.')) {
      this.at++;
      if (!this.digit()) throw this.invalid('after decimal point in numeric literal');
      this.digits();
    }
    if (this.is('e') || this.is('E')) {
      this.at++;
      if (this.is('+') || this.is('-')) this.at++;
      if (!this.digit()) throw this.invalid('in exponent of numeric literal');
      this.digits();
    }
  }

  private digits(): void {
    while (this.digit()) this.at++;
  }

  private string(): void {
    this.at++;
    while (!this.is('"')) {
      if ((this.bytes[this.at] ?? 0x20) < 0x20) throw this.invalid('in string literal');
      if (this.is('\\')) this.escape();
      else if (this.at >= this.bytes.length) throw this.invalid('');
      else this.at++;
    }
    this.at++;
  }

  private escape(): void {
    this.at++;
    if (this.is('u')) {
      for (let i = 0; i < 4; i++) {
        this.at++;
        if (!/[0-9a-fA-F]/.test(this.char())) throw this.invalid('in \\u hexadecimal character escape');
      }
    } else if (!/["\\/bfnrt]/.test(this.char())) throw this.invalid('in string escape code');
    this.at++;
  }

  private space(): void {
    while (/[ \t\r\n]/.test(this.char())) this.at++;
  }

  private char(): string {
    const byte = this.bytes[this.at];
    return byte === undefined ? '' : String.fromCharCode(byte);
  }

  private is(char: string): boolean {
    return this.bytes[this.at] === char.charCodeAt(0);
  }

  private digit(): boolean {
    const byte = this.bytes[this.at];
    return byte !== undefined && byte >= 0x30 && byte <= 0x39;
  }

  private invalid(where: string): SyntaxProblem {
    const byte = this.bytes[this.at];
    if (byte === undefined) return new SyntaxProblem('unexpected end of JSON input');
    return new SyntaxProblem(`invalid character ${quoteByte(byte)} ${where}`);
  }
}

/** Go quotes the byte as a separate character, also within a multi-byte character. */
function quoteByte(byte: number): string {
  if (byte === 0x27) return "'\\''";
  if (byte === 0x22) return `'"'`;
  if (byte >= 0x20 && byte < 0x7f) return `'${byte === 0x5c ? '\\\\' : String.fromCharCode(byte)}'`;
  const named: Record<number, string> = { 7: '\\a', 8: '\\b', 9: '\\t', 10: '\\n', 11: '\\v', 12: '\\f', 13: '\\r' };
  if (named[byte]) return `'${named[byte]}'`;
  if (byte < 0xa1 || byte === 0xad)
    return byte < 0x80 ? `'\\x${byte.toString(16).padStart(2, '0')}'` : `'\\u00${byte.toString(16)}'`;
  return `'${String.fromCharCode(byte)}'`;
}
