import { toBytes } from '../go-template/go-string.ts';

const isSpace = (char: string): boolean =>
  /[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/u.test(char);
const isUpper = (char: string): boolean => /\p{Lu}/u.test(char);
const isLower = (char: string): boolean => /\p{Ll}/u.test(char);
const isLetter = (char: string): boolean => /\p{L}/u.test(char);
const isDigit = (char: string): boolean => /\p{Nd}/u.test(char);
const isPunctuation = (char: string): boolean => /\p{P}/u.test(char);
const isNumber = (char: string): boolean => /\p{N}/u.test(char);
const isConnector = (char: string): boolean => char === '-' || char === '_' || isSpace(char);
const one = (changed: string, char: string): string => ([...changed].length === 1 ? changed : char);
const upper = (char: string): string => one(char.toUpperCase(), char);
/** Letters whose title case is not their upper case. */
const titleForms: Readonly<Record<string, string>> = { Ǆ: 'ǅ', ǆ: 'ǅ', Ǉ: 'ǈ', ǉ: 'ǈ', Ǌ: 'ǋ', ǌ: 'ǋ', Ǳ: 'ǲ', ǳ: 'ǲ' };
const title = (char: string): string => titleForms[char] ?? (/[ა-ჿ]/u.test(char) ? char : upper(char));
const lower = (char: string): string => one(char.toLowerCase(), char);

/** The first letter of each word. Words are separated by space, and by ASCII characters other than letters, digits and underscores. */
export function titleCase(text: string): string {
  let previous = ' ';
  let out = '';
  for (const char of text) {
    out += separates(previous) ? title(char) : char;
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
  for (const char of text) {
    if (isSpace(char)) next = true;
    else if (next) {
      out += lower(char);
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
  for (const char of text) {
    if (isUpper(char)) out += lower(char);
    else if (isLower(char)) out += afterSpace ? title(char) : upper(char);
    else out += char;
    afterSpace = !isUpper(char) && !isLower(char) && isSpace(char);
  }
  return out;
}

export function withoutSpace(text: string): string {
  const kept = latin1(text).filter((char) => !isSpace(char));
  return kept.length === toBytes(text).length ? text : kept.join('');
}

/** `some_words here` → `SomeWordsHere`. Connectors at the start, and all but one of several, are kept. */
export function camelCase(text: string): string {
  const chars = [...text];
  let out = '';
  let at = 0;
  while (at < chars.length && isConnector(chars[at]!)) out += chars[at++];
  if (at === chars.length) return out;
  let current = upper(chars[at++]!);
  for (; at < chars.length; at++) {
    const previous = current;
    current = chars[at]!;
    if (isConnector(current) && isConnector(previous)) out += previous;
    else if (isConnector(previous)) current = upper(current);
    else {
      current = lower(current);
      out += previous;
    }
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
        ? [...word].map((c) => (isConnector(c) ? connector : lower(c))).join('')
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
  const small = (char: string): boolean => isLetter(char) && !isUpper(char);
  if (isConnector(first)) return ['connector', run(start, isConnector)];
  if (isPunctuation(first)) return ['punctuation', run(start, isPunctuation)];
  if (isUpper(first)) {
    const second = chars[start + 1];
    if (second === undefined || !isLetter(second)) return ['upper', start + 1];
    if (!isUpper(second)) return ['upper', run(start + 1, small)];
    const end = run(start + 1, isUpper);
    return ['upper', end < chars.length && isLetter(chars[end]!) ? end - 1 : end];
  }
  if (isLetter(first)) return ['letters', run(start, small)];
  if (isNumber(first)) return ['number', run(start, isNumber)];
  return ['other', run(start + 1, (c) => !(isConnector(c) || isLetter(c) || isNumber(c) || isPunctuation(c)))];
}
