import { possibleStyle, type ScalarForms, scalarForms } from './scalar-style.ts';
import type { ScalarStyle } from './token.ts';

/** The differences between Go's two YAML writers. */
export interface EmitterOptions {
  /** The indentation of each level. */
  readonly indent: number;
  /** Text is folded at the first space after this column. */
  readonly width: number;
  /** v2 writes a list in a map at the column of the map; v3 indents it by default. */
  readonly sequences: 'flush' | 'indented' | 'compact';
  /** v3 writes tabs in block scalars; for v2 they are not printable. */
  readonly tabsInBlocks: boolean;
}

export interface Scalar {
  readonly text: string;
  readonly style: ScalarStyle;
  /** With a trailing blank: `!!binary `. */
  readonly tag: string;
}

/** The description of a value to write. */
export type EmitterNode =
  | { readonly kind: 'scalar'; readonly scalar: Scalar }
  | { readonly kind: 'map'; readonly flow?: boolean; readonly entries: readonly (readonly [Scalar, unknown])[] }
  | { readonly kind: 'sequence'; readonly flow?: boolean; readonly items: readonly unknown[] };

const isBreakText = (c: string): boolean =>
  c === '\n' || c === '\r' || c === '\x85' || c === '\u2028' || c === '\u2029';
const maxSimpleKeyBytes = 128;

/** Writes documents in block style, with exactly the output of Go. */
export class Emitter {
  private readonly options: EmitterOptions;
  private readonly describe: (value: unknown) => EmitterNode;
  private out = '';
  private column = 0;
  private indent = -1;
  /** The output ends with a blank, so that none is needed before the next token. */
  private whitespace = true;
  /** The line has only indentation and `-`, `?`, `:` so far. */
  private indention = true;
  private flowLevel = 0;

  constructor(options: EmitterOptions, describe: (value: unknown) => EmitterNode) {
    this.options = options;
    this.describe = describe;
  }

  document(value: unknown): string {
    this.node(value, 'root');
    this.writeIndent();
    return this.out;
  }

  private node(value: unknown, parent: 'root' | 'sequence' | 'map'): void {
    const node = this.describe(value);
    if (node.kind === 'scalar') this.scalar(node.scalar, parent, false);
    else if (this.flowLevel > 0 || node.flow) this.flow(node);
    else if (node.kind === 'map') this.map(node.entries, parent);
    else this.sequence(node.items, parent);
  }

  private increaseIndent(parent: 'root' | 'sequence' | 'map', flow: boolean): void {
    const { indent, sequences } = this.options;
    if (this.indent < 0) this.indent = flow ? indent : 0;
    else if (sequences === 'flush') this.indent += indent;
    else if (parent === 'sequence') this.indent += 2;
    else this.indent = indent * Math.floor((this.indent + indent) / indent);
  }

  private sequence(items: readonly unknown[], parent: 'root' | 'sequence' | 'map'): void {
    if (items.length === 0) return this.indicator('[]', true, false);
    const outer = this.indent;
    const { sequences } = this.options;
    const underKey = parent === 'map' && !this.indention;
    if (sequences !== 'flush' || !underKey) {
      this.increaseIndent(parent, false);
      if (sequences === 'compact' && parent === 'map' && (this.column === 0 || !this.indention)) this.indent -= 2;
    }
    for (const item of items) {
      this.writeIndent();
      this.indicator('-', true, true);
      this.node(item, 'sequence');
    }
    this.indent = outer;
  }

  private map(entries: readonly (readonly [Scalar, unknown])[], parent: 'root' | 'sequence' | 'map'): void {
    if (entries.length === 0) return this.indicator('{}', true, false);
    const outer = this.indent;
    this.increaseIndent(parent, false);
    for (const [key, value] of entries) {
      this.writeIndent();
      if (this.isSimpleKey(key)) {
        this.scalar(key, 'map', true);
        this.indicator(':', false, false);
      } else {
        this.indicator('?', true, true);
        this.scalar(key, 'map', false);
        this.writeIndent();
        this.indicator(':', true, true);
      }
      this.node(value, 'map');
    }
    this.indent = outer;
  }

  /** A list or map on one line, in brackets or braces. */
  private flow(node: Exclude<EmitterNode, { kind: 'scalar' }>): void {
    this.indicator(node.kind === 'map' ? '{' : '[', true, false);
    this.whitespace = true;
    this.flowLevel++;
    const parts = node.kind === 'map' ? node.entries : node.items;
    for (const [i, part] of parts.entries()) {
      if (i > 0) this.indicator(',', false, false);
      if (node.kind === 'map') {
        const [key, value] = part as readonly [Scalar, unknown];
        const simple = this.isSimpleKey(key);
        if (!simple) this.indicator('?', true, false);
        this.scalar(key, 'map', simple);
        this.indicator(':', !simple, false);
        this.node(value, 'map');
      } else {
        this.node(part, 'sequence');
      }
    }
    this.flowLevel--;
    this.indicator(node.kind === 'map' ? '}' : ']', false, false);
  }

  private isSimpleKey({ text, tag }: Scalar): boolean {
    if (scalarForms(text, this.options.tabsInBlocks).multiline) return false;
    if (text.length * 3 + tag.length <= maxSimpleKeyBytes) return true;
    return Buffer.byteLength(text) + tag.trimEnd().length <= maxSimpleKeyBytes;
  }

  private scalar({ text, style, tag }: Scalar, parent: 'root' | 'sequence' | 'map', asKey: boolean): void {
    const forms: ScalarForms = scalarForms(text, this.options.tabsInBlocks);
    const written = possibleStyle(style, text, forms, asKey, this.flowLevel > 0);
    if (tag !== '') {
      if (!this.whitespace) this.put(' ');
      this.put(tag.trimEnd());
      this.whitespace = this.indention = false;
    }
    const outer = this.indent;
    this.increaseIndent(parent, true);
    if (written === 'plain') this.plain(text, !asKey);
    else if (written === 'single') this.singleQuoted(text, !asKey);
    else if (written === 'double') this.doubleQuoted(text, !asKey);
    else this.literal(text);
    this.indent = outer;
  }

  /** Text without line breaks. */
  private put(text: string): void {
    this.out += text;
    this.column += hasAstral(text) ? [...text].length : text.length;
  }

  private putBreak(character = '\n'): void {
    this.out += character;
    this.column = 0;
    this.indention = true;
  }

  private writeIndent(): void {
    const indent = Math.max(this.indent, 0);
    if (!this.indention || this.column > indent || (this.column === indent && !this.whitespace)) this.putBreak();
    if (this.column < indent) this.put(' '.repeat(indent - this.column));
    this.whitespace = true;
    this.indention = true;
  }

  private indicator(text: string, needsBlank: boolean, keepsIndention: boolean): void {
    if (needsBlank && !this.whitespace) this.put(' ');
    this.put(text);
    this.whitespace = false;
    this.indention = this.indention && keepsIndention;
  }

  private plain(text: string, mayFold: boolean): void {
    if (!this.whitespace) this.put(' ');
    if (!mayFold || this.fits(text)) this.put(text);
    else this.folded(text, (word) => word, 0, text.length);
    this.whitespace = this.indention = false;
  }

  private fits(text: string): boolean {
    return this.column + text.length <= this.options.width + 1;
  }

  /** Writes text, and breaks it at single spaces after the width, except before `from` and from `to` on. */
  private folded(text: string, written: (word: string) => string, from: number, to: number): void {
    let afterSpace = false;
    let afterBreak = false;
    for (let i = 0; i < text.length; ) {
      const c = text[i]!;
      if (c === ' ') {
        if (!afterSpace && this.column > this.options.width && i >= from && i < to && text[i + 1] !== ' ')
          this.writeIndent();
        else this.put(' ');
        i++;
        afterSpace = true;
      } else if (isBreakText(c)) {
        if (!afterBreak && c === '\n') this.putBreak();
        this.putBreak(c);
        i++;
        afterBreak = true;
      } else {
        if (afterBreak) this.writeIndent();
        let end = i + 1;
        while (end < text.length && text[end] !== ' ' && !isBreakText(text[end]!)) end++;
        this.put(written(text.slice(i, end)));
        this.indention = false;
        afterSpace = afterBreak = false;
        i = end;
      }
    }
  }

  private singleQuoted(text: string, mayFold: boolean): void {
    this.indicator("'", true, false);
    const doubled = (word: string): string => word.replaceAll("'", "''");
    this.folded(text, doubled, mayFold ? 1 : text.length, text.length - 1);
    this.indicator("'", false, false);
    this.whitespace = this.indention = false;
  }

  private doubleQuoted(text: string, mayFold: boolean): void {
    this.indicator('"', true, false);
    // If the text starts with a byte order mark, every character is escaped.
    const escapeAll = text.startsWith('\ufeff');
    let afterSpace = false;
    for (let i = 0; i < text.length; ) {
      const code = text.codePointAt(i)!;
      const length = code > 0xffff ? 2 : 1;
      if (escapeAll || mustEscape(code)) {
        this.put(escaped(code));
        afterSpace = false;
        i += length;
      } else if (code === 0x20) {
        if (mayFold && !afterSpace && this.column > this.options.width && i > 0 && i < text.length - 1) {
          this.writeIndent();
          if (text[i + 1] === ' ') this.put('\\');
        } else {
          this.put(' ');
        }
        afterSpace = true;
        i++;
      } else {
        let end = i + 1;
        while (end < text.length && text[end] !== ' ' && !mustEscape(text.charCodeAt(end))) end++;
        this.put(text.slice(i, end));
        afterSpace = false;
        i = end;
      }
    }
    this.indicator('"', false, false);
    this.whitespace = this.indention = false;
  }

  private literal(text: string): void {
    this.indicator('|', true, false);
    if (text[0] === ' ' || isBreakText(text[0]!)) this.indicator(String(this.options.indent), false, false);
    const last = text.at(-1)!;
    if (!isBreakText(last)) this.indicator('-', false, false);
    else if (text.length === 1 || isBreakText(text.at(-2)!)) this.indicator('+', false, false);
    this.putBreak();
    this.whitespace = true;
    const indent = ' '.repeat(Math.max(this.indent, 0));
    for (let i = 0; i < text.length; ) {
      let end = i;
      while (end < text.length && !isBreakText(text[end]!)) end++;
      if (end > i) {
        this.put(indent + text.slice(i, end));
        this.indention = false;
      }
      if (end < text.length) this.putBreak(text[end]);
      i = end + 1;
    }
  }
}

const hasAstral = (text: string): boolean => /[\ud800-\udbff]/.test(text);

const mustEscape = (code: number): boolean =>
  code < 0x20 ||
  code === 0x22 ||
  code === 0x5c ||
  (code > 0x7e && code < 0xa0) ||
  code === 0x2028 ||
  code === 0x2029 ||
  (code >= 0xd800 && code <= 0xdfff) ||
  code === 0xfeff ||
  code > 0xfffd;

const escapes = new Map<number, string>(
  Object.entries({
    0: '\\0',
    7: '\\a',
    8: '\\b',
    9: '\\t',
    10: '\\n',
    11: '\\v',
    12: '\\f',
    13: '\\r',
    27: '\\e',
    34: '\\"',
    92: '\\\\',
    133: '\\N',
    160: '\\_',
    8232: '\\L',
    8233: '\\P',
  }).map(([code, text]) => [Number(code), text]),
);

function escaped(code: number): string {
  const known = escapes.get(code);
  if (known) return known;
  const hex = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}
