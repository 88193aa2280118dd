import { ExprError } from './expr-error.ts';
import type { BinaryNode, Node } from './syntax-tree.ts';

/**
 * Evaluates what is constant. This is more than an optimization, and so it does what the original does: `x and false` is false whatever
 * x is, and membership in a list of texts is a lookup.
 */
export function foldConstants(node: Node, source: readonly string[]): Node {
  const fold = (one: Node): Node => foldConstants(one, source);
  switch (node.type) {
    case 'unary':
      return foldUnary({ ...node, operand: fold(node.operand) });
    case 'binary': {
      const texts = textsOf(node);
      if (texts) return { type: 'inTexts', left: fold(node.left), texts, at: node.at };
      return foldBinary({ ...node, left: fold(node.left), right: fold(node.right) }, source);
    }
    case 'member':
      return { ...node, object: fold(node.object), property: fold(node.property) };
    case 'chain':
      return { ...node, inner: fold(node.inner) };
    case 'slice':
      return { ...node, list: fold(node.list), from: node.from && fold(node.from), to: node.to && fold(node.to) };
    case 'call':
      return { ...node, callee: fold(node.callee), args: node.args.map(fold) };
    case 'builtin':
      return { ...node, args: node.args.map(fold) };
    case 'predicate':
      return { ...node, body: fold(node.body) };
    case 'conditional':
      return { ...node, condition: fold(node.condition), chosen: fold(node.chosen), otherwise: fold(node.otherwise) };
    case 'let':
      return { ...node, value: fold(node.value), body: fold(node.body) };
    case 'sequence':
    case 'array':
      return { ...node, items: node.items.map(fold) };
    case 'map':
      return { ...node, pairs: node.pairs.map(({ key, value }) => ({ key: fold(key), value: fold(value) })) };
  }
  return node;
}

/** The texts of `x in ['a', 'b']`. Undefined for anything else. */
function textsOf({ operator, right }: BinaryNode): ReadonlySet<string> | undefined {
  if (operator !== 'in' || right.type !== 'array' || right.items.length === 0) return undefined;
  const texts = right.items.flatMap((item) => (item.type === 'string' ? [item.value] : []));
  return texts.length === right.items.length ? new Set(texts) : undefined;
}

function foldUnary(node: Extract<Node, { type: 'unary' }>): Node {
  const { operator, operand, at } = node;
  if (operand.type === 'bool' && (operator === '!' || operator === 'not'))
    return { type: 'bool', value: !operand.value, at };
  if (operand.type === 'int') return { type: 'int', value: operator === '-' ? -operand.value : operand.value, at };
  if (operand.type === 'float') return { type: 'float', value: operator === '-' ? -operand.value : operand.value, at };
  return node;
}

function foldBinary(node: BinaryNode, source: readonly string[]): Node {
  const { operator, left, right, at } = node;
  if (operator === 'and' || operator === '&&') return foldLogic(node, true);
  if (operator === 'or' || operator === '||') return foldLogic(node, false);
  if (operator === '%' && left.type === 'int' && right.type === 'int' && right.value === 0n)
    throw new ExprError('integer divide by zero', source, at);
  return node;
}

/** `true and x` is x, `x and false` is false; likewise for `or`. */
function foldLogic(node: BinaryNode, neutral: boolean): Node {
  const { left, right, at } = node;
  const [a, b] = [left, right].map((side) => (side.type === 'bool' ? side.value : undefined));
  if (a === neutral) return right;
  if (b === neutral) return left;
  if (a !== undefined || b !== undefined) return { type: 'bool', value: !neutral, at };
  return node;
}
