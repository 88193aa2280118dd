import { sanitizeName } from './sanitize-name.ts';

const substitutes: Readonly<Record<string, string>> = {
  '&': 'and',
  '@': 'at',
  '"': '',
  "'": '',
  '’': '',
  '‒': '-',
  '–': '-',
  '—': '-',
  '―': '-',
};

/** Letters that do not decompose into an ASCII letter and a mark. */
const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  đ: 'd',
  Đ: 'D',
  ł: 'l',
  Ł: 'L',
  þ: 'th',
  Þ: 'Th',
  ð: 'd',
  Ð: 'D',
  ı: 'i',
};

export interface SlugOptions {
  readonly maxLength: number;
  /** Cut between words and not within one. */
  readonly smartTruncate: boolean;
}

/** A text for a URL: ASCII letters, digits, `-` and `_`. */
export function slug(text: string, { maxLength, smartTruncate }: SlugOptions): string {
  let result = ascii([...text.trim()].map((char) => substitutes[char] ?? char).join('')).toLowerCase();
  if (!smartTruncate && result.length >= maxLength) result = result.slice(0, maxLength);
  result = trimmed(result.replaceAll(/[^a-z0-9_-]/gu, '-').replaceAll(/-+/gu, '-'), /^[-_]+|[-_]+$/gu);
  return smartTruncate && maxLength > 0 ? cutBetweenWords(result, maxLength) : result;
}

/** The slug of a branch name in the parameters of pull requests. */
export const branchSlug = (branch: string): string =>
  slug(branch.trim().replaceAll('_', '-'), { maxLength: 50, smartTruncate: true });

/** The template function `slugify`. */
export const slugify = (text: string, options: SlugOptions): string => slug(sanitizeName(text), options);

const trimmed = (text: string, ends: RegExp): string => text.replace(ends, '');

const ascii = (text: string): string =>
  [...text.normalize('NFD')].map((char) => letters[char] ?? (char.charCodeAt(0) < 128 ? char : '')).join('');

function cutBetweenWords(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const words = text.split(/(?<=-)/u);
  const [first = ''] = words;
  if (first.length > maxLength) return first.slice(0, maxLength);
  let cut = '';
  for (const word of words) {
    if (cut.length + word.length - 1 > maxLength) break;
    cut += word;
  }
  return trimmed(cut, /^-+|-+$/gu);
}
