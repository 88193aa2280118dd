import type { Branch, Pipe, Statement } from './node.ts';
import { maxNesting, type ParseOptions, PipelineParser } from './pipeline-parser.ts';
import type { Token } from './token.ts';
import { isKeyword, quote } from './token-stream.ts';
import { unquote } from './unquote.ts';

export type { ParseOptions } from './pipeline-parser.ts';

/** One named template, and its source text: positions in messages refer to it. */
export interface ParsedTemplate {
  readonly name: string;
  readonly file: string;
  readonly source: string;
  readonly body: readonly Statement[];
}

/** The templates of a file: its own text under its name, and all its definitions. */
export function parseTemplates(file: string, source: string, options: ParseOptions): Map<string, ParsedTemplate> {
  return new Parser(file, source, options).parse();
}

/** Only white space: such a template never replaces a non-empty one. */
export const isEmptyTemplate = (template: ParsedTemplate): boolean =>
  template.body.every((node) => node.type === 'text' && node.text.trim() === '');

type End = { readonly type: 'end' | 'else'; readonly position: number };

/** The content between actions: text, blocks and definitions. */
class Parser extends PipelineParser {
  private readonly source: string;
  private readonly templates = new Map<string, ParsedTemplate>();
  private rangeDepth = 0;

  constructor(file: string, source: string, options: ParseOptions) {
    super(file, source, options);
    this.source = source;
  }

  parse(): Map<string, ParsedTemplate> {
    const body: Statement[] = [];
    while (this.peek().type !== 'eof') {
      const start = this.at;
      if (this.peek().type === 'left-delim') {
        this.next();
        if (isKeyword(this.nextNonSpace(), 'define')) {
          this.definition();
          continue;
        }
        this.at = start;
      }
      const node = this.textOrAction();
      if (node.type === 'end' || node.type === 'else') this.fail(`unexpected {{${node.type}}}`);
      body.push(node as Statement);
      this.forget();
    }
    this.add({ name: this.file, file: this.file, source: this.source, body });
    return this.templates;
  }

  private definition(): void {
    const context = 'define clause';
    const token = this.nextNonSpace();
    if (token.type !== 'string' && token.type !== 'raw-string') this.unexpected(token, context);
    const name = unquote(token.value) ?? this.fail('invalid syntax');
    this.expect('right-delim', context);
    this.add({ name, file: this.file, source: this.source, body: this.ownBody(context) });
  }

  /** The body of a define or a block: it has no variables except `$`, and no surrounding loop. */
  private ownBody(context: string): Statement[] {
    const [variables, rangeDepth] = [this.variables, this.rangeDepth];
    [this.variables, this.rangeDepth] = [['$'], 0];
    const [body, end] = this.statements();
    if (end.type !== 'end') this.fail(`unexpected {{${end.type}}} in ${context}`);
    [this.variables, this.rangeDepth] = [variables, rangeDepth];
    return body;
  }

  private add(template: ParsedTemplate): void {
    const other = this.templates.get(template.name);
    if (!other || isEmptyTemplate(other)) this.templates.set(template.name, template);
    else if (!isEmptyTemplate(template)) this.fail(`template: multiple definition of template ${quote(template.name)}`);
  }

  private statements(): [Statement[], End] {
    if (++this.nesting > maxNesting) this.fail(`more than ${maxNesting} blocks in one another`);
    const list: Statement[] = [];
    while (this.peekNonSpace().type !== 'eof') {
      const node = this.textOrAction();
      if (node.type === 'end' || node.type === 'else') {
        this.nesting--;
        return [list, node as End];
      }
      list.push(node as Statement);
      this.forget();
    }
    return this.fail('unexpected EOF');
  }

  private textOrAction(): Statement | End {
    const token = this.nextNonSpace();
    if (token.type === 'text') return { type: 'text', position: token.position, text: token.value };
    if (token.type !== 'left-delim') this.unexpected(token, 'input');
    this.actionLine = token.line;
    const node = this.action();
    this.actionLine = 0;
    return node;
  }

  private action(): Statement | End {
    const token = this.nextNonSpace();
    if (token.type === 'keyword') {
      switch (token.value) {
        case 'block':
          return this.block();
        case 'break':
        case 'continue':
          return this.jump(token.value, token.position);
        case 'else': {
          const next = this.peekNonSpace();
          if (isKeyword(next, 'if') || isKeyword(next, 'with')) return { type: 'else', position: next.position };
          return { type: 'else', position: this.expect('right-delim', 'else').position };
        }
        case 'end':
          return { type: 'end', position: this.expect('right-delim', 'end').position };
        case 'if':
        case 'with':
        case 'range':
          return this.branch(token.value, token.position);
        case 'template':
          return this.templateCall();
      }
    }
    this.at--;
    return { type: 'action', position: this.peek().position, pipe: this.pipeline('command', 'right-delim') };
  }

  private jump(type: 'break' | 'continue', position: number): Statement {
    const token = this.nextNonSpace();
    if (token.type !== 'right-delim') this.unexpected(token, `{{${type}}}`);
    if (this.rangeDepth === 0) this.fail(`{{${type}}} outside {{range}}`);
    return { type, position };
  }

  private branch(type: Branch['type'], position: number): Branch {
    const visible = this.variables.length;
    const pipe = this.pipeline(type, 'right-delim');
    if (type === 'range') this.rangeDepth++;
    const [list, end] = this.statements();
    if (type === 'range') this.rangeDepth--;
    let elseList: Statement[] | undefined;
    if (end.type === 'else') {
      const chained = this.peek();
      if (type !== 'range' && isKeyword(chained, type)) {
        this.next();
        elseList = [this.branch(type, chained.position)];
      } else {
        const [rest, last] = this.statements();
        if (last.type !== 'end') this.fail(`expected end; found {{${last.type}}}`);
        elseList = rest;
      }
    }
    this.variables.length = visible;
    return { type, position, pipe, list, elseList };
  }

  private block(): Statement {
    const context = 'block clause';
    const token = this.nextNonSpace();
    const name = this.templateName(token, context);
    const pipe = this.pipeline(context, 'right-delim');
    this.add({ name, file: this.file, source: this.source, body: this.ownBody(context) });
    return { type: 'template', position: token.position, name, quoted: token.value, pipe };
  }

  private templateCall(): Statement {
    const context = 'template clause';
    const token = this.nextNonSpace();
    const name = this.templateName(token, context);
    let pipe: Pipe | undefined;
    if (this.nextNonSpace().type !== 'right-delim') {
      this.at--;
      pipe = this.pipeline(context, 'right-delim');
    }
    return { type: 'template', position: token.position, name, quoted: quote(name), pipe };
  }

  private templateName(token: Token, context: string): string {
    if (token.type !== 'string' && token.type !== 'raw-string') this.unexpected(token, context);
    return unquote(token.value) ?? this.fail('invalid syntax');
  }
}
