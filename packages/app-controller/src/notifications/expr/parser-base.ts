import { Lexer } from './lexer.ts';
import type { Node } from './syntax-tree.ts';
import { type Token, type TokenKind, tokenText } from './token.ts';

/** Limits of one expression. Upstream has the same limit of nodes. */
const maxNodes = 10_000;
const maxNesting = 400;

/** The tokens under the parser, and its limits. */
export abstract class ParserBase {
  protected current: Token;
  readonly #lexer: Lexer;
  #stashed: Token | undefined;
  #nodes = 0;
  #nesting = 0;

  constructor(source: readonly string[]) {
    this.#lexer = new Lexer(source);
    this.current = this.#lexer.next();
  }

  protected next(): void {
    if (this.current.kind === 'EOF') this.fail('unexpected end of expression');
    this.current = this.#stashed ?? this.#lexer.next();
    this.#stashed = undefined;
  }

  /** Goes back by one token. */
  protected stepBack(to: Token): void {
    this.#stashed = this.current;
    this.current = to;
  }

  protected is(kind: TokenKind, ...values: string[]): boolean {
    return this.current.kind === kind && (values.length === 0 || values.includes(this.current.value));
  }

  protected expect(kind: TokenKind, value?: string): Token {
    const token = this.current;
    if (!(value === undefined ? this.is(kind) : this.is(kind, value))) this.unexpected();
    this.next();
    return token;
  }

  protected unexpected(token = this.current): never {
    return this.fail(`unexpected token ${tokenText(token)}`, token);
  }

  protected fail(reason: string, token = this.current): never {
    return this.#lexer.fail(reason, token.at);
  }

  protected node<N extends Node>(node: N): N {
    this.#nodes += 1;
    if (this.#nodes > maxNodes) this.fail(`the expression has more than ${maxNodes} parts`);
    return node;
  }

  protected nested<T>(parse: () => T): T {
    this.#nesting += 1;
    if (this.#nesting > maxNesting) this.fail(`the expression is nested more than ${maxNesting} levels deep`);
    const result = parse();
    this.#nesting -= 1;
    return result;
  }
}
