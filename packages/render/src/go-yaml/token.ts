export type TokenType =
  | 'stream-start'
  | 'stream-end'
  | 'version-directive'
  | 'tag-directive'
  | 'document-start'
  | 'document-end'
  | 'block-sequence-start'
  | 'block-mapping-start'
  | 'block-end'
  | 'flow-sequence-start'
  | 'flow-sequence-end'
  | 'flow-mapping-start'
  | 'flow-mapping-end'
  | 'flow-entry'
  | 'block-entry'
  | 'key'
  | 'value'
  | 'alias'
  | 'anchor'
  | 'tag'
  | 'scalar';

export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal' | 'folded';

export interface Token {
  readonly type: TokenType;
  /** The start, counted from 0. */
  readonly line: number;
  readonly column: number;
  /** A scalar's text, an anchor's name, a tag's suffix, a directive's value. */
  readonly value: string;
  /** A tag's handle. */
  readonly handle: string;
  readonly style: ScalarStyle;
}
