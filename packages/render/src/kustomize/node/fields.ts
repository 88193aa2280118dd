import { resolvePlain } from '../../go-yaml/resolve.ts';
import type { ScalarStyle } from '../../go-yaml/token.ts';
import { KustomizeError } from '../kustomize-error.ts';
import { isNull, isText, Node, type NodeKind } from './node.ts';

const kindNames: Readonly<Record<NodeKind, string>> = {
  map: 'MappingNode',
  sequence: 'SequenceNode',
  scalar: 'ScalarNode',
};

export class WrongKindError extends KustomizeError {
  readonly actual: NodeKind;

  constructor(expected: NodeKind, actual: NodeKind) {
    super(`wrong node kind: expected ${kindNames[expected]} but got ${kindNames[actual]}`);
    this.actual = actual;
  }
}

/** A null node is accepted as any kind. */
export function demandKind(node: Node, kind: NodeKind): void {
  if (node.kind !== kind && !isNull(node)) throw new WrongKindError(kind, node.kind);
}

export function field(node: Node | undefined, name: string): Node | undefined {
  if (node?.kind !== 'map') return undefined;
  for (const entry of node.entries) if (entry.key.value === name) return entry.value;
  return undefined;
}

export function clearField(node: Node, name: string): void {
  demandKind(node, 'map');
  const at = node.entries.findIndex((entry) => entry.key.value === name);
  if (at >= 0) node.entries.splice(at, 1);
}

/** Whether YAML 1.1 would not read the text as a string, so that Kustomize quotes it. */
function isYaml11NonString(text: string): boolean {
  if (text === '' || text.includes('\n')) return false;
  const { type } = resolvePlain(text.trim(), 'v2');
  return type !== 'str' && type !== 'timestamp';
}

function quoteIfNeeded(value: Node): void {
  if (isText(value) && value.style === 'plain' && !value.tagged && isYaml11NonString(value.value))
    value.style = 'double';
}

/**
 * Sets a field of a map. An existing field is changed in place and keeps its style. A null value removes the field, unless `keepNull` is
 * set.
 */
export function setField(
  node: Node,
  name: string,
  value: Node | undefined,
  options: { readonly keepNull?: boolean; readonly keyStyle?: ScalarStyle } = {},
): Node | undefined {
  if (value) quoteIfNeeded(value);
  if (value === undefined || (isNull(value) && !options.keepNull)) {
    clearField(node, name);
    return undefined;
  }
  demandKind(node, 'map');
  const existing = isNull(node) ? undefined : field(node, name);
  if (existing) {
    value.takeStyle(existing);
    if (existing !== value) existing.assign(value);
    return existing;
  }
  node.entries.push({ key: new Node('scalar', '', name, options.keyStyle ?? 'plain'), value });
  return value;
}

/** Changes a scalar in place; its style stays. */
export function setScalar(node: Node, value: Node): void {
  quoteIfNeeded(value);
  demandKind(node, 'scalar');
  if (isNull(value)) return;
  value.takeStyle(node);
  node.assign(value);
}
