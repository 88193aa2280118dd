import { lex } from './lexer.ts';
import { type Branch, type Command, nodeText, type Operand, type Pipe, type Statement, type Variable } from './node.ts';
import { TemplateParseError } from './parse-error.ts';
import { parseNumber } from './parse-number.ts';
import type { Token } from './token.ts';
import { unquote } from './unquote.ts';

/** One named template, and the text it was written in: places in messages are counted there. */
export interface ParsedTemplate {
  readonly name: string;
  readonly file: string;
  readonly source: string;
  readonly body: readonly Statement[];
}

export interface ParseOptions {
  /** Whether there is a function of this name: a template that names another does not parse. */
  readonly hasFunction: (name: string) => boolean;
}

/** The templates of a file: its own text under its name, and all that it defines. */
export function parseTemplates(file: string, source: string, options: ParseOptions): Map<string, ParsedTemplate> {
  return new Parser(file, source, options).parse();
}

/** Nothing but space: such a template never takes the place of one that has something to say. */
export const isEmptyTemplate = (template: ParsedTemplate): boolean =>
  template.body.every((node) => node.type === 'text' && node.text.trim() === '');

/** Deeper nesting than this is no template that a person wrote. */
const maxNesting = 1000;

type End = { readonly type: 'end' | 'else'; readonly position: number };

class Parser {
  private readonly file: string;
  private readonly source: string;
  private readonly options: ParseOptions;
  private readonly lexer: Iterator<Token>;
  private readonly tokens: Token[] = [];
  private at = 0;
  private readonly templates = new Map<string, ParsedTemplate>();
  private variables = ['$'];
  private rangeDepth = 0;
  private nesting = 0;
  private actionLine = 0;

  constructor(file: string, source: string, options: ParseOptions) {
    this.file = file;
    this.source = source;
    this.options = options;
    this.lexer = lex(source);
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

  /** The body of a define or a block: it sees no variables but `$`, and no loop around it. */
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

  private pipeline(context: string, end: 'right-delim' | 'right-paren'): Pipe {
    const { position } = this.peekNonSpace();
    const [declare, assigns] = this.declarations(context);
    const commands: Command[] = [];
    for (;;) {
      const token = this.nextNonSpace();
      if (token.type === end) break;
      if (!startsOperand(token)) this.unexpected(token, context);
      this.at--;
      commands.push(this.command());
    }
    if (commands.length === 0) this.fail(`missing value for ${context}`);
    for (const [i, command] of commands.entries()) {
      if (i > 0 && notExecutable.has(command.args[0]!.type))
        this.fail(`non executable command in pipeline stage ${i + 1}`);
    }
    return { type: 'pipe', position, declare, assigns, commands };
  }

  private declarations(context: string): [Variable[], boolean] {
    const declared: Variable[] = [];
    for (;;) {
      const variable = this.peekNonSpace();
      if (variable.type !== 'variable') return [declared, false];
      const start = this.at;
      this.next();
      const next = this.peekNonSpace();
      const isComma = next.type === 'char' && next.value === ',';
      if (next.type !== 'assign' && next.type !== 'declare' && !isComma) {
        this.at = start;
        return [declared, false];
      }
      this.next();
      declared.push({ type: 'variable', position: variable.position, path: variable.value.split('.') });
      this.variables.push(variable.value);
      if (!isComma) return [declared, next.type === 'assign'];
      if (context !== 'range' || declared.length >= 2) this.fail(`too many declarations in ${context}`);
      const { type } = this.peekNonSpace();
      if (type !== 'variable' && type !== 'right-delim' && type !== 'right-paren')
        this.fail('range can only initialize variables');
    }
  }

  private command(): Command {
    const { position } = this.peekNonSpace();
    const args: Operand[] = [];
    for (;;) {
      this.peekNonSpace();
      const operand = this.operand();
      if (operand) args.push(operand);
      const token = this.next();
      if (token.type === 'space') continue;
      if (token.type === 'right-delim' || token.type === 'right-paren') this.at--;
      else if (token.type !== 'pipe') this.unexpected(token, 'operand');
      break;
    }
    if (args.length === 0) this.fail('empty command');
    return { type: 'command', position, args };
  }

  private operand(): Operand | undefined {
    const node = this.term();
    if (!node || this.peek().type !== 'field') return node;
    const { position } = this.peek();
    const path: string[] = [];
    while (this.peek().type === 'field') path.push(this.next().value.slice(1));
    switch (node.type) {
      case 'field':
        return { type: 'field', position, path: [...node.path, ...path] };
      case 'variable':
        return { type: 'variable', position, path: [...node.path, ...path] };
      case 'bool':
      case 'string':
      case 'number':
      case 'nil':
      case 'dot':
        return this.fail(`unexpected . after term ${quote(nodeText(node))}`);
      default:
        return { type: 'chain', position, node, path };
    }
  }

  private term(): Operand | undefined {
    const token = this.nextNonSpace();
    const { position, value } = token;
    switch (token.type) {
      case 'identifier':
        if (!this.options.hasFunction(value)) this.fail(`function ${quote(value)} not defined`);
        return { type: 'identifier', position, name: value };
      case 'keyword':
        if (value === '.' || value === 'nil') return { type: value === '.' ? 'dot' : 'nil', position };
        break;
      case 'variable':
        if (!this.variables.includes(value)) this.fail(`undefined variable ${quote(value)}`);
        return { type: 'variable', position, path: [value] };
      case 'field':
        return { type: 'field', position, path: [value.slice(1)] };
      case 'bool':
        return { type: 'bool', position, value: value === 'true' };
      case 'char-constant':
      case 'complex':
      case 'number': {
        const number = parseNumber(token);
        return typeof number === 'string' ? this.fail(number) : number;
      }
      case 'left-paren': {
        if (++this.nesting > maxNesting) this.fail(`more than ${maxNesting} parentheses in one another`);
        const pipe = this.pipeline('parenthesized pipeline', 'right-paren');
        this.nesting--;
        return pipe;
      }
      case 'string':
      case 'raw-string':
        return { type: 'string', position, quoted: value, value: unquote(value) ?? this.fail('invalid syntax') };
    }
    this.at--;
    return undefined;
  }

  private next(): Token {
    const token = this.peek();
    this.at++;
    return token;
  }

  private peek(): Token {
    while (this.tokens.length <= this.at) {
      const last = this.tokens.at(-1);
      const { value } = this.lexer.next() as { value: Token | undefined };
      this.tokens.push(value ?? last!);
    }
    return this.tokens[this.at]!;
  }

  private nextNonSpace(): Token {
    this.peekNonSpace();
    return this.next();
  }

  private peekNonSpace(): Token {
    while (this.peek().type === 'space') this.at++;
    return this.peek();
  }

  /** Tokens are kept only as far back as the parser may go. */
  private forget(): void {
    this.tokens.splice(0, this.at);
    this.at = 0;
  }

  private expect(type: Token['type'], context: string): Token {
    const token = this.nextNonSpace();
    return token.type === type ? token : this.unexpected(token, context);
  }

  private unexpected(token: Token, context: string): never {
    if (token.type === 'error') {
      const where = ` in action started at ${this.file}:${this.actionLine}`;
      const extra = this.actionLine !== 0 && this.actionLine !== token.line ? where : '';
      return this.fail(token.value + (token.value.endsWith(' action') ? extra.slice(' in action'.length) : extra));
    }
    return this.fail(`unexpected ${tokenText(token)} in ${context}`);
  }

  private fail(reason: string): never {
    throw new TemplateParseError(this.file, this.tokens.at(-1)?.line ?? 1, reason);
  }
}

const isKeyword = (token: Token, word: string): boolean => token.type === 'keyword' && token.value === word;

const notExecutable = new Set(['bool', 'dot', 'nil', 'number', 'string']);
const operandStarts = new Set(
  'bool char-constant complex field identifier number raw-string string variable left-paren'.split(' '),
);
const startsOperand = (token: Token): boolean =>
  operandStarts.has(token.type) || isKeyword(token, '.') || isKeyword(token, 'nil');

const quote = (text: string): string => JSON.stringify(text);

function tokenText({ type, value }: Token): string {
  if (type === 'eof') return 'EOF';
  if (type === 'error') return value;
  if (type === 'keyword') return `<${value}>`;
  return value.length > 10 ? `${quote(value.slice(0, 10))}...` : quote(value);
}
