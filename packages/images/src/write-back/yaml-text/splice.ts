import { must } from '@fairlead/apimachinery';
import { isMap, isNode, isScalar, type Node, type Pair, type Scalar, type YAMLMap } from 'yaml';
import { scalarText } from './plain-scalar.ts';

/** Nodes of a parsed document have a range. */
export const startOf = (node: Node): number => must(node.range, 'the range of a node')[0];
export const endOf = (node: Node): number => must(node.range, 'the range of a node')[1];

/** The key of a pair in a parsed document. */
export const keyOf = ({ key }: Pair): Node => must(isNode(key) ? key : undefined, 'the key of a pair');

export const splice = (text: string, from: number, to: number, put: string): string =>
  text.slice(0, from) + put + text.slice(to);

/** The width of the indentation before this position in its line. */
export function columnOf(text: string, at: number): number {
  return at - (text.lastIndexOf('\n', at - 1) + 1);
}

/** Replaces a scalar by another, in its own style. A block scalar becomes one line. */
export function replaceScalar(text: string, node: Scalar, value: string, inFlow: boolean): string {
  const [from, to] = [startOf(node), endOf(node)];
  if (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED') {
    return splice(text, from, to, `${scalarText(value, 'plain', inFlow)}${text[to - 1] === '\n' ? '\n' : ''}`);
  }
  const style = node.type === 'QUOTE_SINGLE' ? 'single' : node.type === 'QUOTE_DOUBLE' ? 'double' : 'plain';
  const put = scalarText(value, style, inFlow);
  // A key without a value has no space after its colon.
  return splice(text, from, to, from === to && text[from - 1] === ':' ? ` ${put}` : put);
}

/** Whether a node is inside braces or brackets. */
export function isInFlow(root: Node, node: Node): boolean {
  if (!('items' in root) || !Array.isArray(root.items)) return false;
  const inside = startOf(root) <= startOf(node) && endOf(node) <= endOf(root);
  if (!inside) return false;
  if ('flow' in root && root.flow === true) return true;
  return root.items.some((item: unknown) => {
    const value = isPairLike(item) ? item.value : item;
    return isNodeLike(value) && isInFlow(value, node);
  });
}

const isPairLike = (item: unknown): item is { value: unknown } =>
  typeof item === 'object' && item !== null && 'key' in item;
const isNodeLike = (value: unknown): value is Node => isNode(value) && Array.isArray(value.range);

/** Adds a key at the end of a map. `lines` follows it: a value, or unindented lines below. */
export function addToMap(text: string, map: YAMLMap, key: string, value: BlockValue, flow: boolean): string {
  const name = scalarText(key, 'plain', flow);
  if (flow || map.flow) {
    const at = endOf(map) - 1;
    const entry = `${name}: ${value.flow}`;
    if (map.items.length === 0) return splice(text, startOf(map) + 1, at, entry);
    const last = text.slice(0, at).trimEnd().length;
    return splice(text, last, last, `${text[last - 1] === ',' ? ' ' : ', '}${entry}`);
  }
  const indent = ' '.repeat(columnOf(text, startOf(map)));
  return insertLines(text, lastEnd(map), `${indent}${name}:${block(value, indent)}`);
}

/** The text after a key, in both styles. */
export interface BlockValue {
  readonly flow: string;
  /** One line that follows the key, or lines below it. */
  readonly block: { readonly inline: string } | { readonly lines: readonly string[] };
}

const block = (value: BlockValue, indent: string): string =>
  'inline' in value.block
    ? ` ${value.block.inline}`
    : `\n${value.block.lines.map((line) => `${indent}${line}`).join('\n')}`;

/** The end of the last value of a map; comments after it belong to the next node. */
function lastEnd(node: Node): number {
  if (isMap(node) && !node.flow) {
    const last = node.items.at(-1);
    if (last && isNodeLike(last.value)) return lastEnd(last.value);
    if (last && isNodeLike(last.key)) return endOf(last.key) + 1;
  } else if ('items' in node && Array.isArray(node.items) && !('flow' in node && node.flow)) {
    const last: unknown = node.items.at(-1);
    if (isNodeLike(last)) return lastEnd(last);
  }
  return endOf(node);
}

/** Inserts lines below the line in which a node ends. */
export function insertLines(text: string, end: number, lines: string): string {
  if (end > 0 && text[end - 1] === '\n') return splice(text, end, end, `${lines}\n`);
  const newline = text.indexOf('\n', end);
  return newline < 0 ? `${text}\n${lines}` : splice(text, newline, newline, `\n${lines}`);
}

export { isNodeLike, isScalar, lastEnd };
