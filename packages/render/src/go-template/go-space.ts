/** White space in Go: unlike in JavaScript, not the byte order mark, but U+0085. */
const space = '[\\t-\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const leading = new RegExp(`^${space}+`, 'u');
const trailing = new RegExp(`${space}+$`, 'u');

export const trimSpaceLeft = (text: string): string => text.replace(leading, '');

export function trimSpace(text: string): string {
  const left = trimSpaceLeft(text);
  // The last character is checked first, because the search is slow in long text.
  return /[\s\x85]$/u.test(left) ? left.replace(trailing, '') : left;
}
