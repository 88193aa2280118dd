import { JsonnetError } from './jsonnet-error.ts';
import { type Token, tokensOf } from './lexer.ts';
import type { Argument, Assertion, Bind, ComprehensionStep, Field, Node, Parameter, Visibility } from './syntax.ts';

export interface Program {
  readonly root: Node;
  /** All imports in the program. */
  readonly imports: readonly (Node & { readonly kind: 'import' })[];
}

/** Lowest precedence first. */
const levels: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['|'],
  ['^'],
  ['&'],
  ['==', '!='],
  ['<', '>', '<=', '>=', 'in'],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
];
const strength = new Map(levels.flatMap((level, i) => level.map((operator): [string, number] => [operator, i])));
const maxDepth = 1000;

export function parseProgram(file: string, text: string): Program {
  return new Parser(tokensOf(file, text)).program();
}

class Parser {
  private readonly tokens: readonly Token[];
  private readonly imports: (Node & { kind: 'import' })[] = [];
  private next = 0;
  private depth = 0;

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  program(): Program {
    const root = this.expression();
    if (this.peek.kind !== 'end') this.unexpected();
    return { root, imports: this.imports };
  }

  private get peek(): Token {
    return this.tokens[this.next]!;
  }

  private is(text: string): boolean {
    const { kind, text: own } = this.peek;
    return own === text && (kind === 'operator' || kind === 'keyword');
  }

  private take(text: string): boolean {
    if (!this.is(text)) return false;
    this.next++;
    return true;
  }

  private demand(text: string): Token {
    const token = this.peek;
    if (!this.take(text)) this.unexpected(`expected ${JSON.stringify(text)} but got`);
    return token;
  }

  private name(): string {
    const token = this.peek;
    if (token.kind !== 'name') this.unexpected('expected a name but got');
    this.next++;
    return token.text;
  }

  private unexpected(what = 'unexpected'): never {
    const { kind, text, at } = this.peek;
    throw new JsonnetError(`${what} ${kind === 'end' ? text : JSON.stringify(text)}`, at);
  }

  private expression(): Node {
    if (++this.depth > maxDepth) throw new JsonnetError('the program is nested too deeply', this.peek.at);
    const node = this.lowest() ?? this.binary(0);
    this.depth--;
    return node;
  }

  /** Expressions that extend as far to the right as possible. */
  private lowest(): Node | undefined {
    const { at } = this.peek;
    if (this.take('local')) {
      const binds: Bind[] = [];
      do this.addBind(binds);
      while (this.take(','));
      this.demand(';');
      return { kind: 'local', binds, body: this.expression(), at };
    }
    if (this.take('if')) {
      const condition = this.expression();
      this.demand('then');
      const then = this.expression();
      return { kind: 'if', condition, then, otherwise: this.take('else') ? this.expression() : undefined, at };
    }
    if (this.take('function')) {
      const parameters = this.parameters();
      return { kind: 'function', parameters, body: this.expression(), at };
    }
    if (this.take('error')) return { kind: 'error', message: this.expression(), at };
    if (this.is('assert')) {
      const assertion = this.assertion();
      this.demand(';');
      return { kind: 'assert', assertion, body: this.expression(), at };
    }
    for (const [word, as] of [
      ['import', 'code'],
      ['importstr', 'text'],
      ['importbin', 'bytes'],
    ] as const) {
      if (!this.take(word)) continue;
      const path = this.peek;
      if (path.kind !== 'string') throw new JsonnetError('computed imports are not allowed', path.at);
      this.next++;
      const node = { kind: 'import', as, path: path.text, at } as const;
      this.imports.push(node);
      return node;
    }
    return undefined;
  }

  private binary(level: number): Node {
    let left = this.unary();
    for (;;) {
      const { text: operator, at, kind } = this.peek;
      const own = kind === 'operator' || kind === 'keyword' ? strength.get(operator) : undefined;
      if (own === undefined || own < level) return left;
      this.next++;
      if (operator === 'in' && this.is('super') && !this.follows('.', '[')) {
        this.next++;
        left = { kind: 'in-super', index: left, at };
        continue;
      }
      left = { kind: 'binary', operator, left, right: this.lowest() ?? this.binary(own + 1), at };
    }
  }

  private follows(...texts: string[]): boolean {
    const after = this.tokens[this.next + 1];
    return after?.kind === 'operator' && texts.includes(after.text);
  }

  private unary(): Node {
    const { text: operator, at, kind } = this.peek;
    if (kind === 'operator' && '+-!~'.includes(operator)) {
      this.next++;
      if (++this.depth > maxDepth) throw new JsonnetError('the program is nested too deeply', at);
      const operand = this.lowest() ?? this.unary();
      this.depth--;
      return { kind: 'unary', operator, operand, at };
    }
    return this.suffixed(this.primary());
  }

  private suffixed(start: Node): Node {
    let target = start;
    for (;;) {
      const { at } = this.peek;
      if (this.take('.')) {
        target = { kind: 'index', target, index: { kind: 'literal', value: this.name(), at }, at };
      } else if (this.take('[')) target = this.indexOrSlice(target, at);
      else if (this.take('(')) {
        const args = this.args();
        target = { kind: 'call', target, args, strict: this.take('tailstrict'), at };
      } else if (this.is('{')) {
        target = { kind: 'binary', operator: '+', left: target, right: this.primary(), at };
      } else return target;
    }
  }

  private indexOrSlice(target: Node, at: Token['at']): Node {
    const parts: (Node | undefined)[] = [undefined];
    while (!this.take(']')) {
      if (this.take(':')) parts.push(undefined);
      else if (this.take('::')) parts.push(undefined, undefined);
      else if (parts.at(-1) === undefined) parts[parts.length - 1] = this.expression();
      else this.unexpected();
    }
    const [from, to, step] = parts;
    if (parts.length > 3) throw new JsonnetError('a slice has at most three parts', at);
    if (parts.length > 1) return { kind: 'slice', target, from, to, step, at };
    if (!from) throw new JsonnetError('[] needs an index', at);
    return { kind: 'index', target, index: from, at };
  }

  private args(): Argument[] {
    const args: Argument[] = [];
    while (!this.take(')')) {
      const named = this.peek.kind === 'name' && this.follows('=');
      const name = named ? this.name() : undefined;
      if (named) this.demand('=');
      else if (args.at(-1)?.name !== undefined)
        throw new JsonnetError('positional argument after a named argument', this.peek.at);
      args.push({ name, value: this.expression() });
      if (!this.is(')')) this.demand(',');
    }
    return args;
  }

  private parameters(): Parameter[] {
    this.demand('(');
    const parameters: Parameter[] = [];
    while (!this.take(')')) {
      const { at } = this.peek;
      const name = this.name();
      if (parameters.some((other) => other.name === name)) throw new JsonnetError(`duplicate parameter ${name}`, at);
      parameters.push({ name, fallback: this.take('=') ? this.expression() : undefined });
      if (!this.is(')')) this.demand(',');
    }
    return parameters;
  }

  private addBind(binds: Bind[]): void {
    const { at } = this.peek;
    const bind = this.bind();
    if (binds.some(({ name }) => name === bind.name)) throw new JsonnetError(`duplicate local var: ${bind.name}`, at);
    binds.push(bind);
  }

  private bind(): Bind {
    const { at } = this.peek;
    const name = this.name();
    const parameters = this.is('(') ? this.parameters() : undefined;
    this.demand('=');
    const body = this.expression();
    return { name, body: parameters ? { kind: 'function', parameters, body, at } : body };
  }

  private assertion(): Assertion {
    const { at } = this.demand('assert');
    const condition = this.expression();
    return { condition, message: this.take(':') ? this.expression() : undefined, at };
  }

  private primary(): Node {
    const { kind, text, at } = this.peek;
    if (kind === 'number') {
      this.next++;
      const value = Number(text.replaceAll('_', ''));
      if (!Number.isFinite(value)) throw new JsonnetError('overflow', at);
      return { kind: 'literal', value, at };
    }
    if (kind === 'string') {
      this.next++;
      return { kind: 'literal', value: text, at };
    }
    if (kind === 'name') return { kind: 'variable', name: this.name(), at };
    if (this.take('null')) return { kind: 'literal', value: null, at };
    if (this.take('true')) return { kind: 'literal', value: true, at };
    if (this.take('false')) return { kind: 'literal', value: false, at };
    if (this.take('self')) return { kind: 'self', at };
    if (this.take('$')) return { kind: 'dollar', at };
    if (this.take('(')) {
      const node = this.expression();
      this.demand(')');
      return node;
    }
    if (this.take('super')) {
      if (this.take('.')) return { kind: 'super', index: { kind: 'literal', value: this.name(), at }, at };
      this.demand('[');
      const index = this.expression();
      this.demand(']');
      return { kind: 'super', index, at };
    }
    if (this.take('[')) return this.array(at);
    if (this.take('{')) return this.object(at);
    return this.lowest() ?? this.unexpected();
  }

  private array(at: Token['at']): Node {
    const items: Node[] = [];
    while (!this.take(']')) {
      items.push(this.expression());
      const comma = this.take(',');
      if (this.is('for') && items.length === 1) {
        const steps = this.comprehension();
        this.demand(']');
        return { kind: 'array-comprehension', body: items[0]!, steps, at };
      }
      if (!comma && !this.is(']')) this.unexpected('expected a comma before next array element, got');
    }
    return { kind: 'array', items, at };
  }

  private comprehension(): ComprehensionStep[] {
    const steps: ComprehensionStep[] = [];
    for (;;) {
      if (this.take('for')) {
        const name = this.name();
        this.demand('in');
        steps.push({ kind: 'for', name, over: this.expression() });
      } else if (this.take('if')) steps.push({ kind: 'if', condition: this.expression() });
      else return steps;
    }
  }

  private object(at: Token['at']): Node {
    const fields: Field[] = [];
    const locals: Bind[] = [];
    const asserts: Assertion[] = [];
    while (!this.take('}')) {
      if (this.take('local')) this.addBind(locals);
      else if (this.is('assert')) asserts.push(this.assertion());
      else if (this.is('for')) {
        const [field, ...others] = fields;
        if (!field || others.length > 0 || asserts.length > 0 || !field.computed)
          throw new JsonnetError('an object comprehension may only have one [field] and locals', at);
        const steps = this.comprehension();
        this.demand('}');
        return { kind: 'object-comprehension', field, locals, steps, at };
      } else fields.push(this.field());
      if (!this.is('}') && !this.is('for')) this.demand(',');
    }
    return { kind: 'object', fields, locals, asserts, at };
  }

  private field(): Field {
    const { at, kind, text } = this.peek;
    let name: Node;
    const computed = this.take('[');
    if (computed) {
      name = this.expression();
      this.demand(']');
    } else if (kind === 'name' || kind === 'string') {
      this.next++;
      name = { kind: 'literal', value: text, at };
    } else return this.unexpected('expected a field name but got');
    const parameters = this.is('(') ? this.parameters() : undefined;
    const operator = this.peek.kind === 'operator' ? /^(\+?)(:{1,3})$/.exec(this.peek.text) : null;
    if (!operator) this.unexpected('expected ":" but got');
    this.next++;
    const body = this.expression();
    return {
      name,
      computed,
      visibility: visibilities[operator[2]!.length - 1]!,
      plus: operator[1] === '+',
      body: parameters ? { kind: 'function', parameters, body, at } : body,
      at,
    };
  }
}

const visibilities: readonly Visibility[] = ['default', 'hidden', 'visible'];
