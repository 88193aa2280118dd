import { forbiddenCharacter } from './characters.ts';
import type { MapNode, ScalarNode, SequenceNode, YamlNode } from './node.ts';
import { maxDepth, Scanner } from './scanner.ts';
import { located } from './source-text.ts';
import type { Token, TokenType } from './token.ts';
import { YamlError } from './yaml-error.ts';

export const longTagPrefix = 'tag:yaml.org,2002:';
const defaultTagHandles: readonly (readonly [string, string])[] = [
  ['!', '!'],
  ['!!', longTagPrefix],
];

/** Yields the documents of a text. An error is thrown when it is reached. */
export function* parseYaml(text: string): Generator<YamlNode> {
  const parser = new Parser(text === '' ? '\n' : text);
  for (let node = parser.next(); node; node = parser.next()) yield node;
}

class Parser {
  private readonly scanner: Scanner;
  private first = true;
  private depth = 0;
  private anchors = new Map<string, YamlNode>();
  private tagHandles = new Map<string, string>();

  constructor(text: string) {
    if (forbiddenCharacter.test(text)) throw new YamlError('yaml: control characters are not allowed');
    this.scanner = new Scanner(text);
  }

  /** The next document's content, or undefined at the end of the text. */
  next(): YamlNode | undefined {
    const { scanner } = this;
    let token = scanner.peek();
    if (!this.first) while (token.type === 'document-end') token = this.advance();
    if (token.type === 'stream-end') return undefined;
    this.anchors = new Map();
    this.tagHandles = new Map();
    const explicit = !this.first || startsDocument.has(token.type);
    this.first = false;
    this.readDirectives();
    token = scanner.peek();
    let content: YamlNode;
    if (!explicit) {
      content = this.parseNode(true, false);
    } else {
      if (token.type !== 'document-start') fail('did not find expected <document start>', token);
      token = this.advance();
      content = endsContent.has(token.type) ? emptyAt(token) : this.parseNode(true, false);
    }
    if (scanner.peek().type === 'document-end') scanner.skip();
    return content;
  }

  private advance(): Token {
    this.scanner.skip();
    return this.scanner.peek();
  }

  private readDirectives(): void {
    let version = false;
    for (let token = this.scanner.peek(); token.type.endsWith('directive'); token = this.advance()) {
      if (token.type === 'version-directive') {
        if (version) fail('found duplicate %YAML directive', token);
        if (token.value !== '1.1') fail('found incompatible YAML document', token);
        version = true;
      } else {
        if (this.tagHandles.has(token.handle)) fail('found duplicate %TAG directive', token);
        this.tagHandles.set(token.handle, token.value);
      }
    }
    for (const [handle, prefix] of defaultTagHandles)
      if (!this.tagHandles.has(handle)) this.tagHandles.set(handle, prefix);
  }

  private parseNode(block: boolean, indentlessSequence: boolean): YamlNode {
    let token = this.scanner.peek();
    const start = token;
    if (token.type === 'alias') {
      this.scanner.skip();
      const target = this.anchors.get(token.value);
      if (!target) throw new YamlError(`yaml: unknown anchor '${token.value}' referenced`);
      return { kind: 'alias', line: token.line, name: token.value, target };
    }
    let anchor: string | undefined;
    let tagToken: Token | undefined;
    if (token.type === 'anchor') {
      anchor = token.value;
      token = this.advance();
      if (token.type === 'tag') {
        tagToken = token;
        token = this.advance();
      }
    } else if (token.type === 'tag') {
      tagToken = token;
      token = this.advance();
      if (token.type === 'anchor') {
        anchor = token.value;
        token = this.advance();
      }
    }
    const tag = tagToken ? this.resolveTag(tagToken, start) : '';
    const node = this.parseContent(token, tag, start, anchor, block, indentlessSequence);
    if (node) return node;
    if (anchor === undefined && tag === '') fail('did not find expected node content', token, start);
    return this.anchored(anchor, { kind: 'scalar', line: start.line, tag, value: '', style: 'plain' });
  }

  private anchored<N extends YamlNode>(anchor: string | undefined, node: N): N {
    if (anchor !== undefined) this.anchors.set(anchor, node);
    return node;
  }

  private resolveTag(token: Token, start: Token): string {
    if (token.handle === '') return token.value;
    const prefix = this.tagHandles.get(token.handle);
    if (prefix === undefined) fail('found undefined tag handle', token, start);
    return `${prefix}${token.value}`;
  }

  private parseContent(
    token: Token,
    tag: string,
    start: Token,
    anchor: string | undefined,
    block: boolean,
    indentlessSequence: boolean,
  ): YamlNode | undefined {
    const { line } = start;
    switch (token.type) {
      case 'scalar':
        this.scanner.skip();
        return this.anchored(anchor, { kind: 'scalar', line, tag, value: token.value, style: token.style });
      case 'flow-sequence-start':
        return this.flowSequence(this.anchored(anchor, { kind: 'sequence', line, tag, flow: true, items: [] }));
      case 'flow-mapping-start':
        return this.flowMapping(this.anchored(anchor, { kind: 'map', line, tag, flow: true, entries: [] }));
      case 'block-entry':
        if (!indentlessSequence) return undefined;
        return this.indentlessSequence(this.anchored(anchor, { kind: 'sequence', line, tag, flow: false, items: [] }));
      case 'block-sequence-start':
        if (!block) return undefined;
        return this.blockSequence(this.anchored(anchor, { kind: 'sequence', line, tag, flow: false, items: [] }));
      case 'block-mapping-start':
        if (!block) return undefined;
        return this.blockMapping(this.anchored(anchor, { kind: 'map', line, tag, flow: false, entries: [] }));
      default:
        return undefined;
    }
  }

  /** Limits recursion, because the scanner limits block and flow collections separately. */
  private nested<T>(parse: () => T): T {
    this.depth++;
    if (this.depth > maxDepth) throw new YamlError(`yaml: exceeded max depth of ${maxDepth}`);
    const result = parse();
    this.depth--;
    return result;
  }

  private blockSequence(node: SequenceNode): SequenceNode {
    const start = this.scanner.peek();
    return this.nested(() => {
      let token = this.advance();
      while (token.type === 'block-entry') {
        const entry = token;
        token = this.advance();
        node.items.push(
          token.type === 'block-entry' || token.type === 'block-end' ? emptyAt(entry) : this.parseNode(true, false),
        );
        token = this.scanner.peek();
      }
      if (token.type !== 'block-end') fail("did not find expected '-' indicator", token, start);
      this.scanner.skip();
      return node;
    });
  }

  private indentlessSequence(node: SequenceNode): SequenceNode {
    return this.nested(() => {
      for (let entry = this.scanner.peek(); entry.type === 'block-entry'; entry = this.scanner.peek()) {
        const token = this.advance();
        node.items.push(endsIndentlessEntry.has(token.type) ? emptyAt(entry) : this.parseNode(true, false));
      }
      return node;
    });
  }

  private blockMapping(node: MapNode): MapNode {
    const start = this.scanner.peek();
    return this.nested(() => {
      let token = this.advance();
      while (token.type === 'key') {
        const keyToken = token;
        token = this.advance();
        const key = endsBlockPart.has(token.type) ? emptyAt(keyToken) : this.parseNode(true, true);
        token = this.scanner.peek();
        let value: YamlNode = emptyAt(token);
        if (token.type === 'value') {
          token = this.advance();
          if (!endsBlockPart.has(token.type)) value = this.parseNode(true, true);
        }
        node.entries.push([key, value]);
        token = this.scanner.peek();
      }
      if (token.type !== 'block-end') fail('did not find expected key', token, start);
      this.scanner.skip();
      return node;
    });
  }

  private flowSequence(node: SequenceNode): SequenceNode {
    const start = this.scanner.peek();
    return this.nested(() => {
      let token = this.advance();
      for (let first = true; token.type !== 'flow-sequence-end'; first = false) {
        if (!first) {
          if (token.type !== 'flow-entry') fail("did not find expected ',' or ']'", token, start);
          token = this.advance();
        }
        if (token.type === 'key') node.items.push(this.flowPair());
        else if (token.type !== 'flow-sequence-end') node.items.push(this.parseNode(false, false));
        token = this.scanner.peek();
      }
      this.scanner.skip();
      return node;
    });
  }

  /** `[a: 1]`: a map of one entry. */
  private flowPair(): MapNode {
    const { line } = this.scanner.peek();
    let token = this.advance();
    let key: YamlNode;
    if (endsFlowPair.has(token.type)) {
      key = emptyAt(token);
      token = this.advance();
    } else {
      key = this.parseNode(false, false);
      token = this.scanner.peek();
    }
    let value: YamlNode = emptyAt(token);
    if (token.type === 'value') {
      token = this.advance();
      if (token.type !== 'flow-entry' && token.type !== 'flow-sequence-end') value = this.parseNode(false, false);
    }
    return { kind: 'map', line, tag: '', flow: true, entries: [[key, value]] };
  }

  private flowMapping(node: MapNode): MapNode {
    const start = this.scanner.peek();
    return this.nested(() => {
      let token = this.advance();
      for (let first = true; token.type !== 'flow-mapping-end'; first = false) {
        if (!first) {
          if (token.type !== 'flow-entry') fail("did not find expected ',' or '}'", token, start);
          token = this.advance();
        }
        if (token.type === 'key') {
          node.entries.push(this.flowEntry());
        } else if (token.type !== 'flow-mapping-end') {
          const key = this.parseNode(false, false);
          node.entries.push([key, emptyAt(this.scanner.peek())]);
        }
        token = this.scanner.peek();
      }
      this.scanner.skip();
      return node;
    });
  }

  private flowEntry(): [YamlNode, YamlNode] {
    let token = this.advance();
    let key: YamlNode = emptyAt(token);
    if (token.type !== 'value' && !endsFlowValue.has(token.type)) key = this.parseNode(false, false);
    token = this.scanner.peek();
    let value: YamlNode = emptyAt(token);
    if (token.type === 'value') {
      token = this.advance();
      if (!endsFlowValue.has(token.type)) value = this.parseNode(false, false);
    }
    return [key, value];
  }
}

const startsDocument: ReadonlySet<TokenType> = new Set(['version-directive', 'tag-directive', 'document-start']);
const endsContent: ReadonlySet<TokenType> = new Set([...startsDocument, 'document-end', 'stream-end']);
const endsBlockPart: ReadonlySet<TokenType> = new Set(['key', 'value', 'block-end']);
const endsIndentlessEntry: ReadonlySet<TokenType> = new Set(['block-entry', 'key', 'value', 'block-end']);
const endsFlowPair: ReadonlySet<TokenType> = new Set(['value', 'flow-entry', 'flow-sequence-end']);
const endsFlowValue: ReadonlySet<TokenType> = new Set(['flow-entry', 'flow-mapping-end']);

const emptyAt = (token: Token): ScalarNode => ({
  kind: 'scalar',
  line: token.line,
  tag: '',
  value: '',
  style: 'plain',
});

/** An error of the grammar. Like Go, it names the line before the error, or in the first line the start of the context. */
function fail(problem: string, at: Token, context: Token = at): never {
  throw located(problem, at.line !== 0 ? at.line : context === at ? 0 : context.line, at.line + 1);
}
