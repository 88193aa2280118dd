import { compareElements, type PathElement, showElement } from './path-element.ts';

/**
 * A set of fields: a tree of path elements. A node of the tree is in the set only if `member` is true. A set is immutable, and an operation
 * without effect returns its input, so that `===` detects changes.
 */
export type FieldSet = ReadonlyMap<PathElement, FieldNode>;

export interface FieldNode {
  readonly member: boolean;
  /** Absent rather than empty. */
  readonly children?: FieldSet | undefined;
}

/** A mutable set during construction. */
export type FieldSetBuilder = Map<PathElement, FieldNodeBuilder>;

interface FieldNodeBuilder {
  member: boolean;
  children?: FieldSetBuilder | undefined;
}

export const noFields: FieldSet = new Map();

const leaf: FieldNode = { member: true };

export function insert(set: FieldSetBuilder, path: readonly PathElement[]): void {
  let node: FieldNodeBuilder | undefined;
  for (const element of path) {
    const level: FieldSetBuilder = node ? (node.children ??= new Map()) : set;
    node = level.get(element);
    if (!node) level.set(element, (node = { member: false }));
  }
  if (node) node.member = true;
}

export function fieldSet(...paths: readonly (readonly PathElement[])[]): FieldSet {
  const set: FieldSetBuilder = new Map();
  for (const path of paths) insert(set, path);
  return set;
}

export function has(set: FieldSet, path: readonly PathElement[]): boolean {
  let at: FieldSet | undefined = set;
  for (const [depth, element] of path.entries()) {
    const node: FieldNode | undefined = at?.get(element);
    if (!node) return false;
    if (depth === path.length - 1) return node.member;
    at = node.children;
  }
  return false;
}

export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (b.size === 0 || a === b) return a;
  if (a.size === 0) return b;
  const out = new Map(a);
  let changed = false;
  for (const [element, node] of b) {
    const mine = out.get(element);
    const joined = mine ? unionNode(mine, node) : node;
    if (joined === mine) continue;
    out.set(element, joined);
    changed = true;
  }
  return changed ? out : a;
}

function unionNode(a: FieldNode, b: FieldNode): FieldNode {
  const children = a.children && b.children ? union(a.children, b.children) : (a.children ?? b.children);
  const member = a.member || b.member;
  return children === a.children && member === a.member ? a : { member, children };
}

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  const out = new Map<PathElement, FieldNode>();
  for (const [element, node] of a) {
    const other = b.get(element);
    if (!other) continue;
    const children = node.children && other.children ? intersection(node.children, other.children) : noFields;
    const member = node.member && other.member;
    if (member || children.size > 0) out.set(element, nodeOf(member, children));
  }
  return out;
}

/** Without the members of `b`. A field is kept even if its parent is removed. */
export const difference = (a: FieldSet, b: FieldSet): FieldSet => subtract(a, b, false);

/** Without the members of `b` and their descendants. */
export const recursiveDifference = (a: FieldSet, b: FieldSet): FieldSet => subtract(a, b, true);

function subtract(a: FieldSet, b: FieldSet, recursive: boolean): FieldSet {
  if (a.size === 0 || b.size === 0) return a;
  let out: Map<PathElement, FieldNode> | undefined;
  const [few, many] = b.size < a.size ? [b, a] : [a, b];
  for (const element of few.keys()) {
    if (!many.has(element)) continue;
    const [node, other] = [a.get(element), b.get(element)];
    if (!node || !other) continue;
    const rest = subtractNode(node, other, recursive);
    if (rest === node) continue;
    out ??= new Map(a);
    if (rest) out.set(element, rest);
    else out.delete(element);
  }
  return out ?? a;
}

function subtractNode(a: FieldNode, b: FieldNode, recursive: boolean): FieldNode | undefined {
  if (recursive && b.member) return undefined;
  const children = a.children && b.children ? subtract(a.children, b.children, recursive) : (a.children ?? noFields);
  const member = a.member && !b.member;
  if (member === a.member && children === (a.children ?? noFields)) return a;
  return member || children.size > 0 ? nodeOf(member, children) : undefined;
}

export const nodeOf = (member: boolean, children: FieldSet): FieldNode =>
  children.size > 0 ? { member, children } : member ? leaf : { member };

export function equalSets(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true;
  if (a.size !== b.size) return false;
  for (const [element, node] of a) {
    const other = b.get(element);
    if (!other || other.member !== node.member) return false;
    if (!equalSets(node.children ?? noFields, other.children ?? noFields)) return false;
  }
  return true;
}

export const sortedElements = (set: FieldSet): PathElement[] => [...set.keys()].sort(compareElements);

/** All members as paths: at each level first its members, then the levels below. */
export function* membersOf(set: FieldSet, prefix: readonly PathElement[] = []): Generator<PathElement[]> {
  const elements = sortedElements(set);
  for (const element of elements) if (set.get(element)?.member) yield [...prefix, element];
  for (const element of elements) {
    const children = set.get(element)?.children;
    if (children) yield* membersOf(children, [...prefix, element]);
  }
}

export const showPath = (path: readonly PathElement[]): string => path.map(showElement).join('');
