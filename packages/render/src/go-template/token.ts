export type TokenType =
  | 'text'
  | 'left-delim'
  | 'right-delim'
  | 'space'
  | 'identifier'
  | 'field'
  | 'variable'
  | 'bool'
  | 'char-constant'
  | 'string'
  | 'raw-string'
  | 'number'
  | 'complex'
  | 'pipe'
  | 'left-paren'
  | 'right-paren'
  | 'assign'
  | 'declare'
  | 'char'
  | 'error'
  | 'eof'
  | 'keyword';

export interface Token {
  readonly type: TokenType;
  /** The text as written, or the message of an error. */
  readonly value: string;
  readonly position: number;
  readonly line: number;
}

/** Keywords, including the dot and nil. */
export const keywords = new Set([
  '.',
  'block',
  'break',
  'continue',
  'define',
  'else',
  'end',
  'if',
  'nil',
  'range',
  'template',
  'with',
]);
