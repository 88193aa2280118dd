import type { ScalarStyle } from '../../go-yaml/token.ts';

export type NodeKind = 'scalar' | 'map' | 'sequence';

export interface Entry {
  key: Node;
  value: Node;
}

/**
 * A value of a document with the text, tag and style that it was written with: Kustomize decides the type of a scalar only when the
 * result is written. A tag is short (`!!str`), and `''` for a created node without a tag.
 *
 * Nodes have identity. Kustomize uses one node in several locations (the same label in metadata, selector and template), and a later
 * change affects all of them.
 */
export class Node {
  kind: NodeKind;
  tag: string;
  value: string;
  style: ScalarStyle;
  /** The tag is explicit, and is written. */
  tagged = false;
  /** Written with braces or brackets. */
  flow = false;
  /** Of a map. */
  entries: Entry[];
  /** Of a sequence. */
  items: Node[];

  constructor(kind: NodeKind, tag = '', value = '', style: ScalarStyle = 'plain') {
    this.kind = kind;
    this.tag = tag;
    this.value = value;
    this.style = style;
    this.entries = kind === 'map' ? [] : none;
    this.items = kind === 'sequence' ? [] : none;
  }

  /** Copies the other node into this one. */
  assign(other: Node): void {
    this.kind = other.kind;
    this.tag = other.tag;
    this.value = other.value;
    this.takeStyle(other);
    this.entries = other.kind === 'map' ? [...other.entries] : none;
    this.items = other.kind === 'sequence' ? [...other.items] : none;
  }

  takeStyle({ style, tagged, flow }: Node): void {
    this.style = style;
    this.tagged = tagged;
    this.flow = flow;
  }

  copy(): Node {
    const copy = new Node(this.kind, this.tag, this.value, this.style);
    copy.takeStyle(this);
    if (this.kind === 'map')
      copy.entries = this.entries.map(({ key, value }) => ({ key: key.copy(), value: value.copy() }));
    if (this.kind === 'sequence') copy.items = this.items.map((item) => item.copy());
    return copy;
  }

  /** Changes a null node into an empty one of another kind. */
  become(kind: NodeKind, tag: string): void {
    this.kind = kind;
    this.tag = tag;
    this.entries = kind === 'map' ? [] : none;
    this.items = kind === 'sequence' ? [] : none;
  }
}

const none: never[] = [];

/** A scalar whose type depends on its text. */
export const scalar = (value: string): Node => new Node('scalar', '', value);
/** A scalar that is always a string. */
export const text = (value: string): Node =>
  new Node('scalar', '!!str', value, value.includes('\n') ? 'literal' : 'plain');

export const isNull = (node: Node): boolean => node.tag === '!!null';
declare const present: unique symbol;
/** A node that exists and is not null. */
export type PresentNode = Node & { readonly [present]: true };

export const isPresent = (node: Node | undefined): node is PresentNode => node !== undefined && !isNull(node);

export const isEmpty = (node: Node | undefined): boolean =>
  node === undefined ||
  isNull(node) ||
  (node.kind === 'map' && node.entries.length === 0) ||
  (node.kind === 'sequence' && node.items.length === 0);

/** A string, or a created scalar without a type. */
export const isText = (node: Node): boolean => node.kind === 'scalar' && (node.tag === '!!str' || node.tag === '');
