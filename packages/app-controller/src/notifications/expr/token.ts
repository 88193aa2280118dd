export type TokenKind = 'Identifier' | 'Number' | 'String' | 'Bytes' | 'Operator' | 'Bracket' | 'EOF';

export interface Token {
  readonly kind: TokenKind;
  readonly value: string;
  /** The index of its first character. */
  readonly at: number;
}

/** A token in messages: `Operator("=")`. */
export const tokenText = ({ kind, value }: Token): string =>
  value === '' ? kind : `${kind}(${JSON.stringify(value)})`;

const alphabetic = /^[\p{L}_$]$/u;
const digit = /^\p{Nd}$/u;
const space = /^[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]$/u;

export const isAlphaNumeric = (char: string | undefined): boolean =>
  char !== undefined && (alphabetic.test(char) || digit.test(char));
export const isSpace = (char: string): boolean => space.test(char);
/** Whether a word, such as the operator `not`, may also be the name of a field. */
export const isName = (text: string): boolean => /^[\p{L}_$][\p{L}_$\p{Nd}]*$/u.test(text);
