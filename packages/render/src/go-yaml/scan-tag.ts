import { isBlank, isBlankOrEnd, isBreakOrEnd, isDigit, isWord } from './characters.ts';
import type { Mark, SourceText } from './source-text.ts';

export interface ScannedTag {
  readonly handle: string;
  readonly suffix: string;
}

/** `!suffix`, `!handle!suffix`, `!<uri>` or a lone `!`. */
export function scanTag(source: SourceText): ScannedTag {
  const start = source.mark();
  let handle = '';
  let suffix: string;
  if (source.at(1) === 0x3c) {
    source.pos += 2;
    suffix = takeUri(source, '', start);
    if (source.at() !== 0x3e) source.fail("did not find the expected '>'", start);
    source.pos++;
  } else {
    handle = takeHandle(source, false, start);
    if (handle.length > 1 && handle.endsWith('!')) {
      suffix = takeUri(source, '', start);
    } else {
      suffix = takeUri(source, handle, start);
      handle = '!';
      if (suffix === '') [handle, suffix] = ['', '!'];
    }
  }
  if (!isBlankOrEnd(source.at())) source.fail('did not find expected whitespace or line break', start);
  return { handle, suffix };
}

function takeHandle(source: SourceText, inDirective: boolean, start: Mark): string {
  if (source.at() !== 0x21) source.fail("did not find expected '!'", start);
  const from = source.pos;
  source.pos++;
  source.skipWhile(isWord);
  if (source.at() === 0x21) source.pos++;
  else if (inDirective && source.pos - from > 1) source.fail("did not find expected '!'", start);
  return source.text.slice(from, source.pos);
}

const uriMarks = new Set([..."; / ? : @ & = + $ , . ! ~ * ' ( ) [ ]".replaceAll(' ', '')].map((c) => c.charCodeAt(0)));

function takeUri(source: SourceText, head: string, start: Mark): string {
  let uri = head.slice(1);
  let found = head !== '';
  for (let code = source.at(); isWord(code) || uriMarks.has(code) || code === 0x25; code = source.at()) {
    if (code === 0x25) {
      uri += takeUriEscape(source, start);
    } else {
      uri += String.fromCharCode(code);
      source.pos++;
    }
    found = true;
  }
  if (!found) source.fail('did not find expected tag URI', start);
  return uri;
}

/** One character written as `%` and hexadecimal octets of its UTF-8. */
function takeUriEscape(source: SourceText, start: Mark): string {
  const octets: number[] = [];
  for (let expected = 1; octets.length < expected; ) {
    const octetText = source.text.slice(source.pos, source.pos + 3);
    if (!/^%[0-9a-fA-F]{2}$/u.test(octetText)) source.fail('did not find URI escaped octet', start);
    const octet = Number.parseInt(octetText.slice(1), 16);
    if (octets.length === 0) {
      expected = octet < 0x80 ? 1 : octet >> 5 === 6 ? 2 : octet >> 4 === 14 ? 3 : octet >> 3 === 30 ? 4 : 0;
      if (expected === 0) source.fail('found an incorrect leading UTF-8 octet', start);
    } else if (octet >> 6 !== 2) {
      source.fail('found an incorrect trailing UTF-8 octet', start);
    }
    octets.push(octet);
    source.pos += 3;
  }
  return new TextDecoder().decode(new Uint8Array(octets));
}

export type Directive =
  | { readonly type: 'version-directive'; readonly value: string }
  | { readonly type: 'tag-directive'; readonly handle: string; readonly prefix: string };

/** A `%YAML` or `%TAG` line. */
export function scanDirective(source: SourceText): Directive {
  const start = source.mark();
  source.pos++;
  const name = source.takeWhile(isWord);
  if (name === '') source.fail('could not find expected directive name', start);
  if (!isBlankOrEnd(source.at())) source.fail('found unexpected non-alphabetical character', start);
  const directive =
    name === 'YAML'
      ? versionDirective(source, start)
      : name === 'TAG'
        ? tagDirective(source, start)
        : source.fail('found unknown directive name', start);
  source.skipWhile(isBlank);
  if (source.at() === 0x23) source.skipWhile((code) => !isBreakOrEnd(code));
  if (!isBreakOrEnd(source.at())) source.fail('did not find expected comment or line break', start);
  source.takeBreak();
  return directive;
}

function versionDirective(source: SourceText, start: Mark): Directive {
  const takeNumber = (): number => {
    const digits = source.takeWhile(isDigit);
    if (digits.length > 2) source.fail('found extremely long version number', start);
    if (digits === '') source.fail('did not find expected version number', start);
    return Number(digits);
  };
  source.skipWhile(isBlank);
  const major = takeNumber();
  if (source.at() !== 0x2e) source.fail("did not find expected digit or '.' character", start);
  source.pos++;
  return { type: 'version-directive', value: `${major}.${takeNumber()}` };
}

function tagDirective(source: SourceText, start: Mark): Directive {
  source.skipWhile(isBlank);
  const handle = takeHandle(source, true, start);
  if (!isBlank(source.at())) source.fail('did not find expected whitespace', start);
  source.skipWhile(isBlank);
  const prefix = takeUri(source, '', start);
  if (!isBlankOrEnd(source.at())) source.fail('did not find expected whitespace or line break', start);
  return { type: 'tag-directive', handle, prefix };
}
