/**
 * Go's `unicode.ToUpper`, `ToLower` and `ToTitle`: one character maps to one character. JavaScript uses full mappings (`ß` → `SS`), so a
 * mapping to several characters is replaced by the simple mapping, which is the character itself except for those below.
 */
const single = (mapped: string): boolean => [...mapped].length === 1;

/** Greek letters with iota subscript. Their simple uppercase is one letter, their full uppercase has a separate iota. */
function greekUpper(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code >= 0x1f80 && code <= 0x1faf && (code & 8) === 0) return String.fromCodePoint(code + 8);
  if (code === 0x1fb3 || code === 0x1fc3 || code === 0x1ff3) return String.fromCodePoint(code + 9);
  return char;
}

/** Letters whose title case is not their upper case. */
const titleForms: Readonly<Record<string, string>> = {
  ...{ Ǆ: 'ǅ', ǅ: 'ǅ', ǆ: 'ǅ', Ǉ: 'ǈ', ǈ: 'ǈ', ǉ: 'ǈ' },
  ...{ Ǌ: 'ǋ', ǋ: 'ǋ', ǌ: 'ǋ', Ǳ: 'ǲ', ǲ: 'ǲ', ǳ: 'ǲ' },
};

export function upperChar(char: string): string {
  const mapped = char.toUpperCase();
  return single(mapped) ? mapped : greekUpper(char);
}

export function lowerChar(char: string): string {
  if (char === 'İ') return 'i';
  const mapped = char.toLowerCase();
  return single(mapped) ? mapped : char;
}

export const titleChar = (char: string): string => titleForms[char] ?? (/[ა-ჿ]/u.test(char) ? char : upperChar(char));
