/** What Go takes for space: not a byte order mark, as JavaScript does, but the next-line control character. */
const space = '[\\t-\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const leading = new RegExp(`^${space}+`, 'u');
const trailing = new RegExp(`${space}+$`, 'u');

export const trimSpaceLeft = (text: string): string => text.replace(leading, '');

export function trimSpace(text: string): string {
  const left = trimSpaceLeft(text);
  // Only a text that ends so is searched: the search is slow in long ones.
  return /[\s\x85]$/u.test(left) ? left.replace(trailing, '') : left;
}
