import { goRegExp } from '../go-reg-exp.ts';
import { KustomizeError } from '../kustomize-error.ts';
import { demandKind, field, setField } from './fields.ts';
import { pathPartKind, splitElementPart } from './lookup.ts';
import { isPresent, Node, type NodeKind, scalar } from './node.ts';
import { nodeText } from './node-text.ts';
import { isIndexNumber, isListIndex } from './path.ts';
import { readNode } from './read-nodes.ts';

/**
 * All nodes at a path in which `*` matches every element and `[field=pattern]` the elements that match a regular expression. `create`
 * creates missing nodes, with a node of that kind at the end.
 */
export function matchPath(node: Node | undefined, path: readonly string[], create?: NodeKind): Node[] {
  const [part, ...rest] = path;
  if (part === undefined) return node ? [node] : [];
  if (isIndexNumber(part)) return matchIndex(node, Number(part), rest, create);
  if (isListIndex(part)) return matchElements(node, part, rest, create);
  if (part === '*') return elements(node).flatMap((item) => matchPath(item, rest, create));
  return matchField(node, part, rest, create);
}

function elements(node: Node | undefined): Node[] {
  if (!node) return [];
  demandKind(node, 'sequence');
  return node.items;
}

function matchField(node: Node | undefined, name: string, rest: readonly string[], create?: NodeKind): Node[] {
  if (!node) return [];
  let found: Node | undefined;
  if (isPresent(node)) {
    demandKind(node, 'map');
    found = field(node, name);
  }
  if (!found) {
    if (!create) return [];
    found = new Node(pathPartKind(rest[0] ?? '', create));
    setField(node, name, found);
  }
  // Text may contain a nested document, in which the path continues.
  if (found.kind === 'scalar' && rest.length > 0) return matchPath(readNode(found.value), rest, create);
  return matchPath(found, rest, create);
}

function matchIndex(node: Node | undefined, index: number, rest: readonly string[], create?: NodeKind): Node[] {
  const items = elements(node);
  if (items.length === index && create && node?.kind === 'sequence')
    items.push(new Node(pathPartKind(rest[0] ?? '', create)));
  const item = items[index];
  if (!item) throw new KustomizeError(`index ${index} specified but only ${items.length} elements found`);
  return matchPath(item, rest, create);
}

function matchElements(node: Node | undefined, part: string, rest: readonly string[], create?: NodeKind): Node[] {
  const [name, pattern] = splitElementPart(part);
  const matches = goRegExp(pattern);
  const found = elements(node).flatMap((item) => {
    if (name === '') return matches(nodeText(item).trim()) ? [item] : [];
    const value = field(item, name);
    return value && matches(nodeText(value).trim()) ? matchPath(item, rest, create) : [];
  });
  if (found.length > 0 || !create || node?.kind !== 'sequence') return found;
  const created = name === '' ? scalar(pattern) : new Node('map');
  if (name !== '') created.entries.push({ key: scalar(name), value: scalar(pattern) });
  node.items.push(created);
  return matchPath(created, name === '' ? [] : rest, create);
}
