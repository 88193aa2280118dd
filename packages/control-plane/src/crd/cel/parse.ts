import { type ASTNode, Environment, ParseError } from '@marcbachmann/cel-js';

export type Node = ASTNode;

/** Text that is no expression; `at` is where. */
export class SyntaxProblem extends Error {
  readonly at: number;
  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

/** Syntax of CEL that the parser does not read. */
export class UnsupportedSyntax extends Error {}

const parser = new Environment({
  unlistedVariablesAreDyn: true,
  enableOptionalTypes: true,
  limits: { maxAstNodes: 20_000, maxDepth: 100, maxListElements: 5_000, maxMapEntries: 5_000 },
});

const unexpectedEnd =
  "mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

/** The tree of an expression. Types and meaning are ours (see `compile`): the parser's own know nothing of schemas or cost. */
export function parse(source: string): Node {
  try {
    return parser.parse(source).ast;
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    const at = error.range?.start ?? 0;
    const found = /^(?:`|\?|\{)/.exec(source.slice(at))?.[0];
    if (found === '`') throw new UnsupportedSyntax('quoted field names');
    if (found === '?' && /[[{,]\s*$/.test(source.slice(0, at)))
      throw new UnsupportedSyntax('optional entries of literals');
    throw new SyntaxProblem(`Syntax error: ${at >= source.length ? unexpectedEnd : error.summary}`, at);
  }
}
