import { isBlankOrEnd, isBreak, isBreakOrEnd, isWord, space, tab } from './characters.ts';
import { scanBlock, scanPlain, scanQuoted } from './scan-scalar.ts';
import { scanDirective, scanTag } from './scan-tag.ts';
import { type Mark, SourceText } from './source-text.ts';
import type { ScalarStyle, Token, TokenType } from './token.ts';

/** Deeper nesting is an attack. Go's limit is 10,000. */
export const maxDepth = 1000;
/** A key without `?` must end on the same line, after at most this many characters. */
const maxSimpleKeyLength = 1024;

/** The position of a possible key. It is a key only if a `:` follows. */
interface SimpleKey {
  possible: boolean;
  readonly tokenNumber: number;
  readonly mark: Mark;
  /** Only a key is valid at this position. */
  readonly required: boolean;
}

/**
 * Splits text into tokens. Only a following `:` shows that a scalar is a key, so tokens wait in a queue while one of them may be a key,
 * and the tokens `key` and `block-mapping-start` are inserted before it.
 */
export class Scanner {
  private readonly source: SourceText;
  private readonly queue: Token[] = [];
  private head = 0;
  private taken = 0;
  private ended = false;

  private indent = -1;
  private readonly indents: number[] = [];
  private flowLevel = 0;
  private simpleKeyAllowed = true;
  /** One for each flow level. */
  private readonly simpleKeys: SimpleKey[];
  /** The flow level whose possible key is the token of this number. */
  private readonly keyLevels = new Map<number, number>();

  constructor(text: string) {
    this.source = new SourceText(text);
    this.simpleKeys = [this.noKey()];
  }

  peek(): Token {
    while (this.needsMore()) this.fetch();
    return this.queue[this.head]!;
  }

  skip(): void {
    this.head++;
    this.taken++;
    if (this.head > 64) {
      this.queue.splice(0, this.head);
      this.head = 0;
    }
  }

  private needsMore(): boolean {
    if (this.ended) return false;
    if (this.head === this.queue.length) return true;
    const level = this.keyLevels.get(this.taken);
    return level !== undefined && this.isStillPossible(level);
  }

  private add(type: TokenType, mark: Mark, value = '', style: ScalarStyle = 'plain', handle = ''): void {
    this.queue.push({ type, line: mark.line, column: mark.column, value, style, handle });
  }

  private insert(type: TokenType, mark: Mark, tokenNumber: number): void {
    const token: Token = { type, line: mark.line, column: mark.column, value: '', style: 'plain', handle: '' };
    // If an empty flow collection is a key, its token may already be consumed. An error follows then.
    const at = tokenNumber < this.taken ? this.queue.length : this.head + tokenNumber - this.taken;
    this.queue.splice(at, 0, token);
  }

  private fetch(): void {
    this.skipToToken();
    const { source } = this;
    this.unrollIndent(source.column);
    const code = source.at();
    if (code === 0) return this.fetchEnd();
    if (source.column === 0) {
      if (code === 0x25) return this.fetchDirective();
      if (source.atDocumentIndicator()) return this.fetchDocumentIndicator(code);
    }
    const blankFollows = isBlankOrEnd(source.at(1));
    const inFlow = this.flowLevel > 0;
    switch (code) {
      case 0x5b:
        return this.fetchFlowStart('flow-sequence-start');
      case 0x7b:
        return this.fetchFlowStart('flow-mapping-start');
      case 0x5d:
        return this.fetchFlowEnd('flow-sequence-end');
      case 0x7d:
        return this.fetchFlowEnd('flow-mapping-end');
      case 0x2c:
        this.dropSimpleKey();
        this.simpleKeyAllowed = true;
        return this.addIndicator('flow-entry');
      case 0x2d:
        if (blankFollows) return this.fetchBlockEntry();
        break;
      case 0x3f:
        if (inFlow || blankFollows) return this.fetchKey();
        break;
      case 0x3a:
        if (inFlow || blankFollows) return this.fetchValue();
        break;
      case 0x2a:
        return this.fetchAnchor('alias');
      case 0x26:
        return this.fetchAnchor('anchor');
      case 0x21:
        return this.fetchTag();
      case 0x7c:
      case 0x3e:
        if (!inFlow) return this.fetchBlockScalar(code === 0x7c);
        break;
      case 0x27:
      case 0x22:
        return this.fetchQuoted(code);
    }
    if (cannotStartPlain.has(code) || code === tab) source.fail('found character that cannot start any token');
    this.fetchPlain();
  }

  private skipToToken(): void {
    const { source } = this;
    for (;;) {
      if (source.column === 0 && source.at() === 0xfeff) {
        source.pos++;
        source.lineStart = source.pos;
      }
      // A tab where a key may start makes indentation ambiguous. It is not skipped, so that it causes an error.
      const tabs = this.flowLevel > 0 || !this.simpleKeyAllowed;
      while (source.at() === space || (tabs && source.at() === tab)) source.pos++;
      if (source.at() === 0x23) while (!isBreakOrEnd(source.at())) source.pos++;
      if (!isBreak(source.at())) return;
      source.takeBreak();
      if (this.flowLevel === 0) this.simpleKeyAllowed = true;
    }
  }

  /** Whether the level's possible key is still valid. A required key that is not is an error. */
  private isStillPossible(level: number): boolean {
    const key = this.simpleKeys[level]!;
    if (!key.possible) return false;
    const { source } = this;
    if (key.mark.line === source.line && key.mark.index + maxSimpleKeyLength >= source.pos) return true;
    if (key.required) source.fail("could not find expected ':'", key.mark);
    key.possible = false;
    return false;
  }

  private saveSimpleKey(): void {
    if (!this.simpleKeyAllowed) return;
    const required = this.flowLevel === 0 && this.indent === this.source.column;
    this.dropSimpleKey();
    const level = this.simpleKeys.length - 1;
    const key = { ...this.noKey(), possible: true, required };
    this.simpleKeys[level] = key;
    this.keyLevels.set(key.tokenNumber, level);
  }

  private noKey(): SimpleKey {
    const tokenNumber = this.taken + this.queue.length - this.head;
    return { possible: false, tokenNumber, mark: this.source.mark(), required: false };
  }

  private dropSimpleKey(): void {
    const key = this.simpleKeys.at(-1)!;
    if (!key.possible) return;
    if (key.required) this.source.fail("could not find expected ':'", key.mark);
    key.possible = false;
    this.keyLevels.delete(key.tokenNumber);
  }

  private rollIndent(column: number, type: TokenType, mark: Mark, tokenNumber?: number): void {
    if (this.flowLevel > 0 || this.indent >= column) return;
    this.indents.push(this.indent);
    this.indent = column;
    if (this.indents.length > maxDepth) this.source.fail(`exceeded max depth of ${maxDepth}`, mark);
    if (tokenNumber === undefined) this.add(type, mark);
    else this.insert(type, mark, tokenNumber);
  }

  private unrollIndent(column: number): void {
    if (this.flowLevel > 0) return;
    while (this.indent > column) {
      this.add('block-end', this.source.mark());
      this.indent = this.indents.pop()!;
    }
  }

  private addIndicator(type: TokenType, length = 1): void {
    this.add(type, this.source.mark());
    this.source.pos += length;
  }

  private fetchEnd(): void {
    const { source } = this;
    if (source.column !== 0) {
      source.line++;
      source.lineStart = source.pos;
    }
    this.unrollIndent(-1);
    this.dropSimpleKey();
    this.simpleKeyAllowed = false;
    this.add('stream-end', source.mark());
    this.ended = true;
  }

  private fetchDirective(): void {
    this.unrollIndent(-1);
    this.dropSimpleKey();
    this.simpleKeyAllowed = false;
    const mark = this.source.mark();
    const directive = scanDirective(this.source);
    if (directive.type === 'tag-directive') this.add(directive.type, mark, directive.prefix, 'plain', directive.handle);
    else this.add(directive.type, mark, directive.value);
  }

  private fetchDocumentIndicator(code: number): void {
    this.unrollIndent(-1);
    this.dropSimpleKey();
    this.simpleKeyAllowed = false;
    this.addIndicator(code === 0x2d ? 'document-start' : 'document-end', 3);
  }

  private fetchFlowStart(type: TokenType): void {
    this.saveSimpleKey();
    this.simpleKeys.push(this.noKey());
    this.flowLevel++;
    if (this.flowLevel > maxDepth) this.source.fail(`exceeded max depth of ${maxDepth}`);
    this.simpleKeyAllowed = true;
    this.addIndicator(type);
  }

  private fetchFlowEnd(type: TokenType): void {
    this.dropSimpleKey();
    if (this.flowLevel > 0) {
      this.flowLevel--;
      this.keyLevels.delete(this.simpleKeys.pop()!.tokenNumber);
    }
    this.simpleKeyAllowed = false;
    this.addIndicator(type);
  }

  private fetchBlockEntry(): void {
    const { source } = this;
    if (this.flowLevel === 0) {
      if (!this.simpleKeyAllowed) source.fail('block sequence entries are not allowed in this context');
      this.rollIndent(source.column, 'block-sequence-start', source.mark());
    }
    this.dropSimpleKey();
    this.simpleKeyAllowed = true;
    this.addIndicator('block-entry');
  }

  private fetchKey(): void {
    const { source } = this;
    if (this.flowLevel === 0) {
      if (!this.simpleKeyAllowed) source.fail('mapping keys are not allowed in this context');
      this.rollIndent(source.column, 'block-mapping-start', source.mark());
    }
    this.dropSimpleKey();
    this.simpleKeyAllowed = this.flowLevel === 0;
    this.addIndicator('key');
  }

  private fetchValue(): void {
    const { source } = this;
    const level = this.simpleKeys.length - 1;
    if (this.isStillPossible(level)) {
      const key = this.simpleKeys[level]!;
      const { tokenNumber, mark } = key;
      this.insert('key', mark, tokenNumber);
      this.rollIndent(mark.column, 'block-mapping-start', mark, tokenNumber);
      key.possible = false;
      this.keyLevels.delete(tokenNumber);
      this.simpleKeyAllowed = false;
    } else {
      if (this.flowLevel === 0) {
        if (!this.simpleKeyAllowed) source.fail('mapping values are not allowed in this context');
        this.rollIndent(source.column, 'block-mapping-start', source.mark());
      }
      this.simpleKeyAllowed = this.flowLevel === 0;
    }
    this.addIndicator('value');
  }

  private fetchAnchor(type: 'alias' | 'anchor'): void {
    this.saveSimpleKey();
    this.simpleKeyAllowed = false;
    const { source } = this;
    const mark = source.mark();
    source.pos++;
    const name = source.takeWhile(isWord);
    if (name === '' || !(isBlankOrEnd(source.at()) || endsAnchor.has(source.at())))
      source.fail('did not find expected alphabetic or numeric character', mark);
    this.add(type, mark, name);
  }

  private fetchTag(): void {
    this.saveSimpleKey();
    this.simpleKeyAllowed = false;
    const mark = this.source.mark();
    const { handle, suffix } = scanTag(this.source);
    this.add('tag', mark, suffix, 'plain', handle);
  }

  private fetchBlockScalar(literal: boolean): void {
    this.dropSimpleKey();
    this.simpleKeyAllowed = true;
    const mark = this.source.mark();
    this.add('scalar', mark, scanBlock(this.source, this.indent, literal), literal ? 'literal' : 'folded');
  }

  private fetchQuoted(quote: number): void {
    this.saveSimpleKey();
    this.simpleKeyAllowed = false;
    const mark = this.source.mark();
    this.add('scalar', mark, scanQuoted(this.source, quote), quote === 0x22 ? 'double' : 'single');
  }

  private fetchPlain(): void {
    this.saveSimpleKey();
    this.simpleKeyAllowed = false;
    const mark = this.source.mark();
    const { value, endedLine } = scanPlain(this.source, this.indent + 1, this.flowLevel > 0);
    if (endedLine) this.simpleKeyAllowed = true;
    this.add('scalar', mark, value);
  }
}

const codes = (characters: string): ReadonlySet<number> => new Set([...characters].map((c) => c.charCodeAt(0)));
const cannotStartPlain = codes(',[]{}#&*!|>\'"%@`');
const endsAnchor = codes('?:,]}%@`');
