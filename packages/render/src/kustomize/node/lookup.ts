import { KustomizeError } from '../kustomize-error.ts';
import { demandKind, field, setField } from './fields.ts';
import { isPresent, Node, type NodeKind, scalar } from './node.ts';
import { isIndexNumber, isListIndex, isNumber } from './path.ts';

/** The node at a path of field names, indexes, `-` and `[name=value]`. Undefined if there is none. */
export function lookup(node: Node, path: readonly string[]): Node | undefined {
  return walk(node, path, undefined);
}

/** Like `lookup`, but creates missing nodes: maps and lists along the path, and a node of the given kind at its end. */
export function lookupCreate(node: Node, path: readonly string[], kind: NodeKind): Node | undefined {
  return walk(node, path, kind);
}

/** The map under field names; creates what is missing. */
export function mapAt(node: Node, ...names: readonly string[]): Node {
  const map = walk(node, names, 'map');
  if (!map) throw new KustomizeError(`${names.join('.')} is not a map`);
  return map;
}

function walk(node: Node, path: readonly string[], create: NodeKind | undefined): Node | undefined {
  const parts = path.map((part) => part.trim()).filter((part) => part !== '');
  let at: Node | undefined = node;
  for (const [i, part] of parts.entries()) at &&= step(at, part, parts[i + 1] ?? '', create);
  return at;
}

function step(node: Node, part: string, next: string, create: NodeKind | undefined): Node | undefined {
  if (isNumber(part)) {
    const index = Number(part);
    if (index < 0) throw new KustomizeError(`array index ${index} cannot be negative`);
    demandKind(node, 'sequence');
    return node.items[index];
  }
  if (part === '-') {
    demandKind(node, 'sequence');
    return node.items.at(-1);
  }
  if (part === '*') throw new KustomizeError('wildcard is not supported in PathGetter');
  if (isListIndex(part)) return elementAt(node, part, create !== undefined);
  return fieldAt(node, part, create && pathPartKind(next, create));
}

function fieldAt(node: Node, name: string, create: NodeKind | undefined): Node | undefined {
  if (!isPresent(node)) return undefined;
  demandKind(node, 'map');
  return field(node, name) ?? (create && setField(node, name, new Node(create)));
}

/** The kind of node to create for a part of a path, which depends on the next part. */
export const pathPartKind = (next: string, last: NodeKind): NodeKind => {
  if (isListIndex(next) || isIndexNumber(next)) return 'sequence';
  return next === '' ? last : 'map';
};

export function splitElementPart(part: string): [name: string, value: string] {
  const inner = part.slice(1, -1);
  const equals = inner.indexOf('=');
  if (equals < 0) throw new KustomizeError('list path element must contain fieldName=fieldValue for element to match');
  return [inner.slice(0, equals), inner.slice(equals + 1)];
}

function elementAt(node: Node, part: string, create: boolean): Node | undefined {
  const [name, value] = splitElementPart(part);
  demandKind(node, 'sequence');
  const found = findElement(node, [name], [value]);
  if (found || !create) return found;
  const created = name === '' ? scalar(value) : new Node('map');
  if (name !== '') created.entries.push({ key: scalar(name), value: scalar(value) });
  node.items.push(created);
  return created;
}

/** The first element of a list whose fields have these values, or, with an empty key, the element with this value. */
export function findElement(list: Node, keys: readonly string[], values: readonly string[]): Node | undefined {
  if ((keys[0] ?? '') === '') return list.items.find((item) => item.value === (values[0] ?? ''));
  return list.items.find((item) => {
    if (item.kind !== 'map' || !isPresent(item)) return false;
    return keys.every((key, i) => field(item, key)?.value === values[i]);
  });
}
