import { type Token, tokenize } from './lexer.ts';
import { Scope } from './scope.ts';
import type { Block, Expression, FunctionBody, Statement, TableItem, Target } from './syntax.ts';
import { LuaSyntaxError } from './values.ts';

/** The left and right binding power of operators. */
const binding: Readonly<Record<string, readonly [number, number]>> = {
  or: [1, 1],
  and: [2, 2],
  '<': [3, 3],
  '>': [3, 3],
  '<=': [3, 3],
  '>=': [3, 3],
  '~=': [3, 3],
  '==': [3, 3],
  '..': [5, 4],
  '+': [6, 6],
  '-': [6, 6],
  '*': [7, 7],
  '/': [7, 7],
  '%': [7, 7],
  '^': [10, 9],
};
const unaryBinding = 8;
/** Deeper than any real program, and far below the stack limit. */
const deepest = 150;

/** A Lua 5.1 program, with the `goto` of gopher-lua. Throws if it is invalid. */
export function parse(source: string): FunctionBody {
  const parser = new Parser(tokenize(source));
  return parser.program();
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;
  #scope = new Scope(undefined);

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  program(): FunctionBody {
    this.#scope.variadic = true;
    const body = this.#block();
    if (this.#token.type !== 'end') throw this.#wrong(`unexpected '${this.#token.text}'`);
    return { ...this.#scope.frame, parameters: 0, variadic: true, body, name: 'main chunk', line: 1 };
  }

  get #token(): Token {
    return this.#tokens[this.#at]!;
  }

  #is(text: string): boolean {
    return this.#token.type === 'symbol' && this.#token.text === text;
  }

  #skip(text: string): boolean {
    if (!this.#is(text)) return false;
    this.#at += 1;
    return true;
  }

  #expect(text: string, opened?: { readonly text: string; readonly line: number }): void {
    if (this.#skip(text)) return;
    const why = opened && opened.line !== this.#token.line ? ` (to close '${opened.text}' at line ${opened.line})` : '';
    throw this.#wrong(`'${text}' expected${why}`);
  }

  #name(): string {
    const { type, text } = this.#token;
    if (type !== 'name') throw this.#wrong('name expected');
    this.#at += 1;
    return text;
  }

  #wrong(message: string): LuaSyntaxError {
    return new LuaSyntaxError(this.#token, message);
  }

  #deeper<T>(parse: () => T): T {
    this.#depth += 1;
    if (this.#depth > deepest) throw this.#wrong('too deeply nested');
    try {
      return parse();
    } finally {
      this.#depth -= 1;
    }
  }

  #block(): Block {
    return this.#deeper(() => this.#scope.within(() => this.#statements()));
  }

  #statements(): Block {
    const statements: Statement[] = [];
    const labels = new Map<string, number>();
    while (!this.#endsBlock()) {
      if (this.#skip(';')) continue;
      if (this.#skip('::')) {
        const label = this.#name();
        if (labels.has(label)) throw this.#wrong(`label '${label}' already defined`);
        this.#expect('::');
        labels.set(label, statements.length);
        continue;
      }
      const statement = this.#statement();
      statements.push(statement);
      if (statement.type === 'return') {
        this.#skip(';');
        if (!this.#endsBlock()) throw this.#wrong('the block must end after return');
        break;
      }
    }
    return { statements, labels };
  }

  #endsBlock(): boolean {
    return this.#token.type === 'end' || ['end', 'else', 'elseif', 'until'].some((word) => this.#is(word));
  }

  #statement(): Statement {
    const opened = this.#token;
    const { line } = opened;
    const closed = (): Block => {
      const body = this.#block();
      this.#expect('end', opened);
      return body;
    };
    if (this.#skip('if')) return this.#if(opened);
    if (this.#skip('while')) {
      const condition = this.#expression();
      this.#expect('do');
      return { type: 'while', condition, body: closed() };
    }
    if (this.#skip('do')) return { type: 'do', body: closed() };
    if (this.#skip('for')) return this.#for(opened);
    if (this.#skip('repeat')) {
      // The condition sees the locals of the body.
      return this.#scope.within(() => {
        const body = this.#deeper(() => this.#statements());
        this.#expect('until', opened);
        return { type: 'repeat', body, condition: this.#expression() };
      });
    }
    if (this.#skip('function')) return this.#functionStatement(line);
    if (this.#skip('local')) return this.#local();
    if (this.#skip('return'))
      return { type: 'return', values: this.#endsBlock() || this.#is(';') ? [] : this.#expressions() };
    if (this.#skip('break')) return { type: 'break' };
    if (this.#skip('goto')) return { type: 'goto', label: this.#name(), line };
    return this.#assignOrCall();
  }

  #if(opened: Token): Statement {
    const branches: { condition?: Expression; body: Block }[] = [];
    do {
      const condition = this.#expression();
      this.#expect('then');
      branches.push({ condition, body: this.#block() });
    } while (this.#skip('elseif'));
    if (this.#skip('else')) branches.push({ body: this.#block() });
    this.#expect('end', opened);
    return { type: 'if', branches };
  }

  #for(opened: Token): Statement {
    const names = [this.#name()];
    if (this.#skip('=')) {
      const from = this.#expression();
      this.#expect(',');
      const to = this.#expression();
      const step = this.#skip(',') ? this.#expression() : undefined;
      const { slots, body } = this.#loopBody(names, opened);
      return { type: 'for', slot: slots[0]!, from, to, ...(step ? { step } : {}), body, line: opened.line };
    }
    while (this.#skip(',')) names.push(this.#name());
    this.#expect('in');
    const values = this.#expressions();
    const { slots, body } = this.#loopBody(names, opened);
    return { type: 'for-in', slots, values, body, line: opened.line };
  }

  #loopBody(names: readonly string[], opened: Token): { slots: number[]; body: Block } {
    this.#expect('do');
    return this.#scope.within(() => {
      const slots = names.map((name) => this.#scope.declare(name));
      const body = this.#block();
      this.#expect('end', opened);
      return { slots, body };
    });
  }

  #functionStatement(line: number): Statement {
    let name = this.#name();
    let target: Target = { type: 'variable', variable: this.#scope.find(name), name };
    let method = false;
    while (this.#is('.') || this.#is(':')) {
      method = this.#is(':');
      this.#at += 1;
      const key = this.#name();
      name = `${name}${method ? ':' : '.'}${key}`;
      target = { type: 'index', object: target, key: { type: 'constant', value: key }, line };
      if (method) break;
    }
    return {
      type: 'assign',
      targets: [target],
      values: [{ type: 'function', body: this.#function(name, line, method) }],
    };
  }

  #local(): Statement {
    const { line } = this.#token;
    if (this.#skip('function')) {
      const name = this.#name();
      const slot = this.#scope.declare(name);
      return { type: 'local-function', slot, body: this.#function(name, line, false) };
    }
    const names = [this.#name()];
    while (this.#skip(',')) names.push(this.#name());
    const values = this.#skip('=') ? this.#expressions() : [];
    return { type: 'local', slots: names.map((name) => this.#scope.declare(name)), values };
  }

  #assignOrCall(): Statement {
    const first = this.#suffixed();
    if (!this.#is('=') && !this.#is(',')) {
      if (first.type !== 'call' && first.type !== 'method') throw this.#wrong("'=' expected");
      return { type: 'expression', call: first };
    }
    const targets = [this.#asTarget(first)];
    while (this.#skip(',')) targets.push(this.#asTarget(this.#suffixed()));
    this.#expect('=');
    return { type: 'assign', targets, values: this.#expressions() };
  }

  #asTarget(expression: Expression): Target {
    if (expression.type === 'variable' || expression.type === 'index') return expression;
    throw this.#wrong('cannot assign to this');
  }

  #expressions(): Expression[] {
    const found = [this.#expression()];
    while (this.#skip(',')) found.push(this.#expression());
    return found;
  }

  #expression(limit = 0): Expression {
    return this.#deeper(() => {
      const { line } = this.#token;
      const unary = ['not', '-', '#'].find((operator) => this.#is(operator));
      let left: Expression;
      if (unary) {
        this.#at += 1;
        left = { type: 'unary', operator: unary, operand: this.#expression(unaryBinding), line };
      } else left = this.#simple();
      for (;;) {
        const operator = this.#token.type === 'symbol' ? this.#token.text : '';
        const [leftPower, rightPower] = binding[operator] ?? [0, 0];
        if (leftPower <= limit) return left;
        const at = this.#token.line;
        this.#at += 1;
        const right = this.#expression(rightPower);
        if (operator === 'and' || operator === 'or') left = { type: operator, left, right };
        else left = { type: 'binary', operator, left, right, line: at };
      }
    });
  }

  #simple(): Expression {
    const token = this.#token;
    if (token.type === 'number' || token.type === 'string') {
      this.#at += 1;
      return { type: 'constant', value: token.type === 'number' ? token.value : token.text };
    }
    if (this.#skip('nil')) return { type: 'constant', value: undefined };
    if (this.#skip('true')) return { type: 'constant', value: true };
    if (this.#skip('false')) return { type: 'constant', value: false };
    if (this.#skip('...')) {
      if (!this.#scope.variadic) throw this.#wrong("cannot use '...' outside a vararg function");
      return { type: 'varargs' };
    }
    if (this.#is('{')) return this.#table();
    if (this.#skip('function')) return { type: 'function', body: this.#function('anonymous', token.line, false) };
    return this.#suffixed();
  }

  #suffixed(): Expression {
    let left: Expression;
    const opened = this.#token;
    if (this.#skip('(')) {
      left = { type: 'single', inner: this.#expression() };
      this.#expect(')', opened);
    } else {
      const name = this.#name();
      left = { type: 'variable', variable: this.#scope.find(name), name };
    }
    for (;;) {
      const { line } = this.#token;
      if (this.#skip('.')) left = { type: 'index', object: left, key: { type: 'constant', value: this.#name() }, line };
      else if (this.#skip('[')) {
        left = { type: 'index', object: left, key: this.#expression(), line };
        this.#expect(']');
      } else if (this.#skip(':'))
        left = { type: 'method', object: left, name: this.#name(), args: this.#arguments(), line };
      else if (this.#is('(') || this.#is('{') || this.#token.type === 'string') {
        left = { type: 'call', callee: left, args: this.#arguments(), line };
      } else return left;
    }
  }

  #arguments(): Expression[] {
    const token = this.#token;
    if (token.type === 'string') {
      this.#at += 1;
      return [{ type: 'constant', value: token.text }];
    }
    if (this.#is('{')) return [this.#table()];
    this.#expect('(');
    const args = this.#is(')') ? [] : this.#expressions();
    this.#expect(')', token);
    return args;
  }

  #table(): Expression {
    const opened = this.#token;
    this.#expect('{');
    const items: TableItem[] = [];
    while (!this.#is('}')) {
      if (this.#skip('[')) {
        const key = this.#expression();
        this.#expect(']');
        this.#expect('=');
        items.push({ key, value: this.#expression() });
      } else if (this.#token.type === 'name' && this.#tokens[this.#at + 1]?.text === '=') {
        const key: Expression = { type: 'constant', value: this.#name() };
        this.#expect('=');
        items.push({ key, value: this.#expression() });
      } else items.push({ value: this.#expression() });
      if (!this.#skip(',') && !this.#skip(';')) break;
    }
    this.#expect('}', opened);
    return { type: 'table', items, line: opened.line };
  }

  #function(name: string, line: number, method: boolean): FunctionBody {
    const opened = this.#token;
    const outer = this.#scope;
    const scope = new Scope(outer);
    this.#scope = scope;
    try {
      if (method) scope.declare('self');
      this.#expect('(');
      let parameters = method ? 1 : 0;
      while (!this.#is(')')) {
        if (this.#skip('...')) {
          scope.variadic = true;
          break;
        }
        scope.declare(this.#name());
        parameters += 1;
        if (!this.#skip(',')) break;
      }
      this.#expect(')', opened);
      const body = this.#block();
      this.#expect('end', { text: 'function', line });
      return { ...scope.frame, parameters, variadic: scope.variadic, body, name, line };
    } finally {
      this.#scope = outer;
    }
  }
}
