import { type Command, nodeText, type Operand, type Pipe, type Variable } from './node.ts';
import { parseNumber } from './parse-number.ts';
import type { Token } from './token.ts';
import { isKeyword, quote, TokenStream } from './token-stream.ts';
import { unquote } from './unquote.ts';

export interface ParseOptions {
  /** Whether a function exists. A template that uses an unknown function does not parse. */
  readonly hasFunction: (name: string) => boolean;
}

/** Real templates have no deeper nesting. */
export const maxNesting = 1000;

/** Parses the inside of an action: pipelines, commands and their operands. */
export abstract class PipelineParser extends TokenStream {
  /** The variables in scope. */
  protected variables = ['$'];
  protected nesting = 0;
  private readonly options: ParseOptions;

  constructor(file: string, source: string, options: ParseOptions) {
    super(file, source);
    this.options = options;
  }

  protected pipeline(context: string, end: 'right-delim' | 'right-paren'): Pipe {
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

  protected declarations(context: string): [Variable[], boolean] {
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

  protected command(): Command {
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

  protected operand(): Operand | undefined {
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

  protected term(): Operand | undefined {
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
}

const notExecutable = new Set(['bool', 'dot', 'nil', 'number', 'string']);
const operandStarts = new Set(
  'bool char-constant complex field identifier number raw-string string variable left-paren'.split(' '),
);
const startsOperand = (token: Token): boolean =>
  operandStarts.has(token.type) || isKeyword(token, '.') || isKeyword(token, 'nil');
