import { isBlank, isBlankOrEnd, isBreak, isBreakOrEnd, isDigit, space, tab } from './characters.ts';
import type { Mark, SourceText } from './source-text.ts';

/** Joins the lines of a plain or quoted scalar: a single break becomes a space, further breaks are kept. */
const fold = (first: string, further: string): string => {
  if (first !== '\n' && first !== '') return first + further;
  return further === '' ? (first === '' ? '' : ' ') : further;
};

export interface PlainScalar {
  readonly value: string;
  /** The scalar ended at a line break, so that a key may follow. */
  readonly endedLine: boolean;
}

const endsFlowWord = new Set([...',?[]{}'].map((c) => c.charCodeAt(0)));

/** Plain text: up to `: `, ` #`, an indicator of the flow context, or a line with less indentation than its parent. */
export function scanPlain(source: SourceText, indent: number, inFlow: boolean): PlainScalar {
  const start = source.mark();
  let value = '';
  let blanks = '';
  let firstBreak = '';
  let breaks = '';
  let endedLine = false;
  for (;;) {
    if (source.atDocumentIndicator() || source.at() === 0x23) break;
    const from = source.pos;
    for (;;) {
      const code = source.at();
      if (isBlankOrEnd(code)) break;
      if (code === 0x3a && isBlankOrEnd(source.at(1))) break;
      if (inFlow && endsFlowWord.has(code)) break;
      source.pos++;
    }
    if (source.pos > from) {
      value += endedLine ? fold(firstBreak, breaks) : blanks;
      value += source.text.slice(from, source.pos);
      blanks = firstBreak = breaks = '';
      endedLine = false;
    }
    if (!isBlank(source.at()) && !isBreak(source.at())) break;
    for (let code = source.at(); isBlank(code) || isBreak(code); code = source.at()) {
      if (isBreak(code)) {
        if (endedLine) breaks += source.takeBreak();
        else firstBreak = source.takeBreak();
        blanks = '';
        endedLine = true;
      } else {
        if (endedLine && code === tab && source.column < indent)
          source.fail('found a tab character that violates indentation', start);
        if (!endedLine) blanks += String.fromCharCode(code);
        source.pos++;
      }
    }
    if (!inFlow && source.column < indent) break;
  }
  return { value, endedLine };
}

/** Quoted text, from the opening to the closing quote. */
export function scanQuoted(source: SourceText, quote: number): string {
  const start = source.mark();
  source.pos++;
  let value = '';
  for (;;) {
    if (source.atDocumentIndicator()) source.fail('found unexpected document indicator', start);
    if (source.at() === 0) source.fail('found unexpected end of stream', start);
    let continued = false;
    let from = source.pos;
    for (;;) {
      const code = source.at();
      if (isBlankOrEnd(code)) break;
      if (code === quote) {
        if (quote !== 0x27 || source.at(1) !== 0x27) break;
        value += source.text.slice(from, source.pos + 1);
        source.pos += 2;
        from = source.pos;
      } else if (code === 0x5c && quote === 0x22) {
        value += source.text.slice(from, source.pos);
        if (isBreak(source.at(1))) {
          source.pos++;
          source.takeBreak();
          from = source.pos;
          continued = true;
          break;
        }
        value += takeEscape(source, start);
        from = source.pos;
      } else {
        source.pos++;
      }
    }
    value += source.text.slice(from, source.pos);
    if (source.at() === quote) break;
    value += takeQuotedBlanks(source, continued);
  }
  source.pos++;
  return value;
}

function takeQuotedBlanks(source: SourceText, continued: boolean): string {
  let blanks = '';
  let firstBreak = '';
  let breaks = '';
  let endedLine = continued;
  for (let code = source.at(); isBlank(code) || isBreak(code); code = source.at()) {
    if (isBreak(code)) {
      if (endedLine) breaks += source.takeBreak();
      else firstBreak = source.takeBreak();
      endedLine = true;
    } else {
      if (!endedLine) blanks += String.fromCharCode(code);
      source.pos++;
    }
  }
  if (!endedLine) return blanks;
  return fold(firstBreak, breaks);
}

const escapes: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\x07',
  b: '\b',
  t: '\t',
  '\t': '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\x1b',
  ' ': ' ',
  '"': '"',
  "'": "'",
  '\\': '\\',
  N: '\x85',
  _: '\xa0',
  L: '\u2028',
  P: '\u2029',
};
const escapeLengths: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

function takeEscape(source: SourceText, start: Mark): string {
  const letter = String.fromCharCode(source.at(1));
  const simple = escapes[letter];
  if (simple !== undefined) {
    source.pos += 2;
    return simple;
  }
  const length = escapeLengths[letter] ?? source.fail('found unknown escape character', start);
  const digits = source.text.slice(source.pos + 2, source.pos + 2 + length);
  source.pos += 2;
  if (!/^[0-9a-fA-F]+$/u.test(digits) || digits.length < length)
    source.fail('did not find expected hexdecimal number', start);
  const code = Number.parseInt(digits, 16);
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
    source.fail('found invalid Unicode character escape code', start);
  source.pos += length;
  return String.fromCodePoint(code);
}

/** A block scalar, from its `|` or `>`. */
export function scanBlock(source: SourceText, parentIndent: number, literal: boolean): string {
  const start = source.mark();
  source.pos++;
  const { chomp, increment } = takeBlockHeader(source, start);
  const given = increment === 0 ? 0 : Math.max(parentIndent, 0) + increment;
  let { indent, breaks } = takeBlockBreaks(source, given, parentIndent, start);
  let value = '';
  let firstBreak = '';
  let afterIndented = false;
  while (source.column === indent && source.at() !== 0) {
    const indented = isBlank(source.at());
    if (!literal && !afterIndented && !indented && firstBreak === '\n') {
      if (breaks === '') value += ' ';
    } else {
      value += firstBreak;
    }
    value += breaks;
    afterIndented = indented;
    const from = source.pos;
    while (!isBreakOrEnd(source.at())) source.pos++;
    value += source.text.slice(from, source.pos);
    firstBreak = source.takeBreak();
    ({ indent, breaks } = takeBlockBreaks(source, indent, parentIndent, start));
  }
  if (chomp !== '-') value += firstBreak;
  if (chomp === '+') value += breaks;
  return value;
}

function takeBlockHeader(source: SourceText, start: Mark): { chomp: string; increment: number } {
  let chomp = '';
  let increment = 0;
  const takeChomp = (): void => {
    if (source.at() !== 0x2b && source.at() !== 0x2d) return;
    chomp = String.fromCharCode(source.at());
    source.pos++;
  };
  const takeIncrement = (): void => {
    if (!isDigit(source.at())) return;
    increment = source.at() - 0x30;
    if (increment === 0) source.fail('found an indentation indicator equal to 0', start);
    source.pos++;
  };
  takeChomp();
  takeIncrement();
  if (chomp === '') takeChomp();
  source.skipWhile(isBlank);
  if (source.at() === 0x23) source.skipWhile((code) => !isBreakOrEnd(code));
  if (!isBreakOrEnd(source.at())) source.fail('did not find expected comment or line break', start);
  source.takeBreak();
  return { chomp, increment };
}

/** Empty lines and the indentation of the next line. The first non-empty line sets the indentation if none is given. */
function takeBlockBreaks(
  source: SourceText,
  given: number,
  parentIndent: number,
  start: Mark,
): { indent: number; breaks: string } {
  let breaks = '';
  let widest = 0;
  for (;;) {
    while ((given === 0 || source.column < given) && source.at() === space) source.pos++;
    widest = Math.max(widest, source.column);
    if ((given === 0 || source.column < given) && source.at() === tab)
      source.fail('found a tab character where an indentation space is expected', start);
    if (!isBreak(source.at())) break;
    breaks += source.takeBreak();
  }
  return { indent: given === 0 ? Math.max(widest, parentIndent + 1, 1) : given, breaks };
}
