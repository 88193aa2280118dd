import { replaceRawBytes, toBytes } from '../go-template/go-string.ts';
import { lowerChar, titleChar, upperChar } from './simple-case.ts';

const isSpace = (char: string): boolean =>
  /[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/u.test(char);
const isUpper = (char: string): boolean => /\p{Lu}/u.test(char);
const isLower = (char: string): boolean => /\p{Ll}/u.test(char);
const isTitle = (char: string): boolean => /\p{Lt}/u.test(char);
const isLetter = (char: string): boolean => /\p{L}/u.test(char);
const isDigit = (char: string): boolean => /\p{Nd}/u.test(char);
const isPunctuation = (char: string): boolean => /\p{P}/u.test(char);
const isNumber = (char: string): boolean => /\p{N}/u.test(char);
const isConnector = (char: string): boolean => char === '-' || char === '_' || isSpace(char);
/** xstrings treats Chinese characters as symbols. */
const isAlphabet = (char: string): boolean =>
  isLetter(char) && !/[\u3400-\u4d85\u4e00-\u9fcc\u{20000}-\u{2b81d}]/u.test(char);

/** The first letter of each word. Words are separated by space, and by ASCII characters other than letters, digits and underscores. */
export function titleCase(text: string): string {
  let previous = ' ';
  let out = '';
  for (const char of replaceRawBytes(text)) {
    out += separates(previous) ? titleChar(char) : char;
    previous = char;
  }
  return out;
}

function separates(char: string): boolean {
  if (char < '\u0080') return !/[A-Za-z0-9_]/.test(char);
  return !isLetter(char) && !isDigit(char) && isSpace(char);
}

export function untitle(text: string): string {
  let next = true;
  let out = '';
  for (const char of replaceRawBytes(text)) {
    if (isSpace(char)) next = true;
    else if (next) {
      out += lowerChar(char);
      next = false;
      continue;
    }
    out += char;
  }
  return out;
}

/** Bytes as Latin-1 characters, which Go's goutils uses. */
const latin1 = (text: string): string[] => [...toBytes(text)].map((byte) => String.fromCharCode(byte));

export function initials(text: string): string {
  let gap = true;
  let out = '';
  for (const char of latin1(text)) {
    if (isSpace(char)) gap = true;
    else if (gap) {
      out += char;
      gap = false;
    }
  }
  return out;
}

export function swapCase(text: string): string {
  let afterSpace = true;
  let out = '';
  for (const char of replaceRawBytes(text)) {
    if (isUpper(char) || isTitle(char)) out += lowerChar(char);
    else if (isLower(char)) out += afterSpace ? titleChar(char) : upperChar(char);
    else out += char;
    afterSpace = !isUpper(char) && !isLower(char) && isSpace(char);
  }
  return out;
}

export function withoutSpace(text: string): string {
  const kept = latin1(text).filter((char) => !isSpace(char));
  return kept.length === toBytes(text).length ? text : kept.join('');
}

/**
 * `some_words here` → `SomeWordsHere`, as ToPascalCase of xstrings 1.5 does. Only capitals that start a word become lower case:
 * `HTTPServer` → `Httpserver`, `camelCase` → `CamelCase`. Connectors at the start, and all but one of several, are kept.
 */
export function camelCase(text: string): string {
  const chars = [...replaceRawBytes(text)];
  const start = chars.findIndex((char) => !isConnector(char));
  const [first, ...rest] = start < 0 ? [] : chars.slice(start);
  // xstrings writes the last of nothing but connectors twice.
  if (first === undefined) return chars.join('') + (chars.at(-1) ?? '');
  let out = chars.slice(0, start).join('');
  let inCapitals = isUpper(first);
  let current = upperChar(first);
  for (const char of rest) {
    const previous = current;
    current = char;
    if (isConnector(previous)) {
      if (isConnector(char)) {
        out += previous;
      } else {
        inCapitals = isUpper(char);
        current = upperChar(char);
      }
      continue;
    }
    if (inCapitals) {
      inCapitals = isUpper(char);
      if (inCapitals) current = lowerChar(char);
    }
    out += previous;
  }
  return out + current;
}

type WordKind = 'none' | 'number' | 'upper' | 'letters' | 'connector' | 'punctuation' | 'other';
interface Word {
  readonly kind: WordKind;
  readonly text: string;
}

/** `HTTPServer2xx` → `http_server_2xx`. */
export function separatedCase(text: string, connector: string): string {
  const words = wordsOf(text);
  let at = 0;
  let out = '';
  const next = (): Word => words[at++] ?? { kind: 'none', text: '' };
  const write = ({ kind, text: word }: Word): void => {
    out +=
      kind === 'upper' || kind === 'connector'
        ? [...word].map((c) => (isConnector(c) ? connector : isUpper(c) ? lowerChar(c) : c)).join('')
        : word;
  };
  const separate = (kind: WordKind): void => {
    if (kind !== 'none' && kind !== 'connector' && kind !== 'punctuation') out += connector;
  };
  const writeRun = (): void => {
    while (word.kind === 'letters' || word.kind === 'number') {
      write(word);
      word = next();
    }
  };
  let word = next();
  while (at < words.length) {
    if (word.kind !== 'connector') write(word);
    const previous = word;
    word = next();
    if (previous.kind === 'number') {
      writeRun();
      separate(word.kind);
    } else if (previous.kind === 'connector') {
      write(previous);
    } else if (previous.kind !== 'punctuation') {
      if (word.kind !== 'number') {
        separate(word.kind);
        continue;
      }
      if (at >= words.length) continue;
      const number = word;
      word = next();
      if (word.kind !== 'letters') {
        write(number);
        separate(word.kind);
        continue;
      }
      out += connector;
      write(number);
      writeRun();
      separate(word.kind);
    }
  }
  write(word);
  return out;
}

function wordsOf(text: string): Word[] {
  const chars = [...text];
  const words: Word[] = [];
  for (let at = 0; at < chars.length; ) {
    const [kind, end] = wordAt(chars, at);
    words.push({ kind, text: chars.slice(at, end).join('') });
    at = end;
  }
  return words;
}

function wordAt(chars: string[], start: number): [WordKind, number] {
  const first = chars[start]!;
  const run = (from: number, belongs: (char: string) => boolean): number => {
    let at = from;
    while (at < chars.length && belongs(chars[at]!)) at++;
    return at;
  };
  const small = (char: string): boolean => isAlphabet(char) && !isUpper(char);
  if (isConnector(first)) return ['connector', run(start, isConnector)];
  if (isPunctuation(first)) return ['punctuation', run(start, isPunctuation)];
  if (isUpper(first)) {
    const second = chars[start + 1];
    if (second === undefined || !isAlphabet(second)) return ['upper', start + 1];
    if (!isUpper(second)) return ['upper', run(start + 1, small)];
    const end = run(start + 1, isUpper);
    return ['upper', end < chars.length && isAlphabet(chars[end]!) ? end - 1 : end];
  }
  if (isAlphabet(first)) return ['letters', run(start, small)];
  if (isNumber(first)) return ['number', run(start, isNumber)];
  return ['other', run(start + 1, (c) => !(isConnector(c) || isAlphabet(c) || isNumber(c) || isPunctuation(c)))];
}
