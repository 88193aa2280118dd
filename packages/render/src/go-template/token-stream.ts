import { lex } from './lexer.ts';
import { TemplateParseError } from './parse-error.ts';
import type { Token } from './token.ts';

/** The tokens of a template with lookahead, and the errors for unexpected ones. */
export abstract class TokenStream {
  protected readonly file: string;
  protected at = 0;
  /** The start of the current action; 0 outside of one. */
  protected actionLine = 0;
  private readonly lexer: Iterator<Token>;
  private readonly tokens: Token[] = [];

  constructor(file: string, source: string) {
    this.file = file;
    this.lexer = lex(source);
  }

  protected next(): Token {
    const token = this.peek();
    this.at++;
    return token;
  }

  protected peek(): Token {
    while (this.tokens.length <= this.at) {
      const last = this.tokens.at(-1);
      const { value } = this.lexer.next() as { value: Token | undefined };
      this.tokens.push(value ?? last!);
    }
    return this.tokens[this.at]!;
  }

  protected nextNonSpace(): Token {
    this.peekNonSpace();
    return this.next();
  }

  protected peekNonSpace(): Token {
    while (this.peek().type === 'space') this.at++;
    return this.peek();
  }

  /** Tokens are kept only as far as the parser may go back. */
  protected forget(): void {
    this.tokens.splice(0, this.at);
    this.at = 0;
  }

  protected expect(type: Token['type'], context: string): Token {
    const token = this.nextNonSpace();
    return token.type === type ? token : this.unexpected(token, context);
  }

  protected unexpected(token: Token, context: string): never {
    if (token.type === 'error') {
      const where = ` in action started at ${this.file}:${this.actionLine}`;
      const extra = this.actionLine !== 0 && this.actionLine !== token.line ? where : '';
      return this.fail(token.value + (token.value.endsWith(' action') ? extra.slice(' in action'.length) : extra));
    }
    return this.fail(`unexpected ${tokenText(token)} in ${context}`);
  }

  protected fail(reason: string): never {
    throw new TemplateParseError(this.file, this.tokens.at(-1)?.line ?? 1, reason);
  }
}

export const isKeyword = (token: Token, word: string): boolean => token.type === 'keyword' && token.value === word;
export const quote = (text: string): string => JSON.stringify(text);

function tokenText({ type, value }: Token): string {
  if (type === 'eof') return 'EOF';
  if (type === 'error') return value;
  if (type === 'keyword') return `<${value}>`;
  return value.length > 10 ? `${quote(value.slice(0, 10))}...` : quote(value);
}
