/** Classes of UTF-16 code units in Go's YAML reader and writer. The end of the text reads as 0. */

export const tab = 0x09;
export const space = 0x20;

export const isBreak = (code: number): boolean =>
  code === 0x0a || code === 0x0d || code === 0x85 || code === 0x2028 || code === 0x2029;
export const isBlank = (code: number): boolean => code === space || code === tab;
export const isBreakOrEnd = (code: number): boolean => code === 0 || isBreak(code);
export const isBlankOrEnd = (code: number): boolean => code === space || code === tab || isBreakOrEnd(code);
export const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

export const isWord = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || isDigit(code) || code === 0x5f || code === 0x2d;

/** Characters that a document may not contain unescaped. Lone surrogates represent bytes that are not UTF-8. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters
export const forbiddenCharacter = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\p{Surrogate}\ufffe\uffff]/u;
