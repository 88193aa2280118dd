import { type ASTNode, Environment, ParseError } from '@marcbachmann/cel-js';

export type Node = ASTNode;

/** Text that is not an expression; `at` is the position. */
export class SyntaxProblem extends Error {
  readonly at: number;
  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

/** CEL syntax that the parser does not support. */
export class UnsupportedSyntax extends Error {}

const parser = new Environment({
  unlistedVariablesAreDyn: true,
  enableOptionalTypes: true,
  limits: { maxAstNodes: 20_000, maxDepth: 100, maxListElements: 5_000, maxMapEntries: 5_000 },
});

const unexpectedEnd =
  "mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

/** The tree of an expression. Types and semantics are ours (see `compile`): the parser knows neither schemas nor cost. */
export function parse(source: string): Node {
  try {
    return shallow(parser.parse(source).ast);
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

const maxDepth = 600;

/** Chains (`a && b && …`) give deep trees without nesting in the text; functions that walk a tree use an explicit stack. */
function shallow(root: Node): Node {
  let level: Node[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) throw new SyntaxProblem(`expression recursion limit exceeded: ${maxDepth}`, 0);
    level = level.flatMap(partsOf);
  }
  return root;
}

const partsOf = ({ args }: Node): Node[] => nodesIn(args);

function nodesIn(value: unknown): Node[] {
  if (Array.isArray(value)) return value.flatMap(nodesIn);
  return typeof value === 'object' && value !== null && 'op' in value ? [value as Node] : [];
}
