import type { ScalarStyle } from './token.ts';

/** The syntax tree of a document. Lines start at 0; a tag is in its long form, `''` if there is none. */
export type YamlNode = ScalarNode | MapNode | SequenceNode | AliasNode;

export interface ScalarNode {
  readonly kind: 'scalar';
  readonly line: number;
  readonly tag: string;
  readonly value: string;
  readonly style: ScalarStyle;
}

export interface MapNode {
  readonly kind: 'map';
  readonly line: number;
  readonly tag: string;
  /** Written in braces. */
  readonly flow: boolean;
  readonly entries: (readonly [key: YamlNode, value: YamlNode])[];
}

export interface SequenceNode {
  readonly kind: 'sequence';
  readonly line: number;
  readonly tag: string;
  /** Written in brackets. */
  readonly flow: boolean;
  readonly items: YamlNode[];
}

export interface AliasNode {
  readonly kind: 'alias';
  readonly line: number;
  readonly name: string;
  readonly target: YamlNode;
}
