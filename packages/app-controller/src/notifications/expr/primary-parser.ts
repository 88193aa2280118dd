import { parseFloat64, parseInteger } from '@fairlead/render/go-template';
import { isBuiltin, predicateArguments } from './builtins/signatures.ts';
import { unaryOperators } from './operators.ts';
import { ParserBase } from './parser-base.ts';
import type { Node } from './syntax-tree.ts';
import { isName, type Token, tokenText } from './token.ts';

/** Literals, names, calls, and what follows them: `.name`, `[index]`. */
export abstract class PrimaryParser extends ParserBase {
  /** How many predicates are open: `#` is valid in one only. */
  #predicates = 0;

  protected abstract expression(precedence: number): Node;
  protected abstract sequence(): Node;

  protected primary(): Node {
    const token = this.current;
    const { at } = token;
    if (token.kind === 'Operator') {
      const unary = unaryOperators.get(token.value);
      if (unary) {
        this.next();
        const operand = this.nested(() => this.expression(unary.precedence));
        return this.#postfix(this.node({ type: 'unary', operator: token.value, operand, at }));
      }
      if (this.#predicates > 0 && (token.value === '#' || token.value === '.')) return this.#pointer(token);
      if (token.value === '::') {
        this.next();
        return this.#postfix(this.call(this.expect('Identifier'), []));
      }
    }
    if (this.is('Bracket', '(')) {
      this.next();
      const inner = this.nested(() => this.sequence());
      this.expect('Bracket', ')');
      return this.#postfix(inner);
    }
    return this.#secondary(token);
  }

  #pointer(token: Token): Node {
    let name = '';
    if (token.value === '#') {
      this.next();
      if (this.is('Identifier')) {
        name = this.current.value;
        this.next();
      }
    }
    return this.#postfix(this.node({ type: 'pointer', name, at: token.at }));
  }

  #secondary(token: Token): Node {
    const { at, value } = token;
    switch (token.kind) {
      case 'Identifier':
        this.next();
        if (value === 'true' || value === 'false') return this.node({ type: 'bool', value: value === 'true', at });
        if (value === 'nil') return this.node({ type: 'nil', at });
        if (this.is('Bracket', '(')) return this.#postfix(this.call(token, []));
        return this.#postfix(this.node({ type: 'identifier', name: value, at }));
      case 'Number':
        this.next();
        return this.node(this.#number(token));
      case 'String':
        this.next();
        return this.#postfix(this.node({ type: 'string', value, at }));
      case 'Bytes':
        this.next();
        return this.#postfix(this.node({ type: 'bytes', value, at }));
    }
    if (this.is('Bracket', '[')) return this.#postfix(this.#array(at));
    if (this.is('Bracket', '{')) return this.#postfix(this.#map(at));
    return this.unexpected(token);
  }

  #number(token: Token): Node {
    const text = token.value.replaceAll('_', '');
    if (!/^0[xXoObB]/u.test(text) && /[.eE]/u.test(text)) {
      const value = parseFloat64(text);
      if (value === undefined || !Number.isFinite(value)) this.fail(`invalid float literal: ${token.value}`, token);
      return { type: 'float', value: value ?? 0, at: token.at };
    }
    const prefixed = /^0[xXoObB]/u.test(text);
    const value = parseInteger(text, prefixed ? 0 : 10);
    if (value === undefined || value >= 2n ** 63n) this.fail(`invalid integer literal: ${token.value}`, token);
    return { type: 'int', value: value ?? 0n, at: token.at };
  }

  /** A call of a name. With the pipe operator, the first argument is already known. */
  protected call(name: Token, before: readonly Node[]): Node {
    const predicates = predicateArguments.get(name.value);
    if (predicates) {
      const args = this.#predicateCall(predicates.slice(before.length), before);
      return this.node({ type: 'builtin', name: name.value, args, at: name.at });
    }
    const args = this.#arguments(before);
    if (isBuiltin(name.value)) return this.node({ type: 'builtin', name: name.value, args, at: name.at });
    const callee = this.node({ type: 'identifier', name: name.value, at: name.at });
    return this.node({ type: 'call', callee, args, at: name.at });
  }

  #predicateCall(params: readonly string[], before: readonly Node[]): Node[] {
    const args = [...before];
    this.expect('Bracket', '(');
    for (const [i, param] of params.entries()) {
      if (this.is('Bracket', ')')) {
        if (param.endsWith('?')) break;
        this.fail(`expected at least ${params.length} arguments`);
      }
      if (i > 0) this.expect('Operator', ',');
      args.push(param.startsWith('predicate') ? this.#predicate() : this.nested(() => this.expression(0)));
    }
    if (this.is('Operator', ',')) this.next();
    this.expect('Bracket', ')');
    return args;
  }

  #predicate(): Node {
    const { at } = this.current;
    const braced = this.is('Bracket', '{');
    if (braced) this.next();
    this.#predicates += 1;
    const body = this.nested(() => (braced ? this.sequence() : this.expression(0)));
    if (!braced && this.is('Operator', ';')) this.fail('wrap predicate with brackets { and }');
    this.#predicates -= 1;
    if (braced) this.expect('Bracket', '}');
    return this.node({ type: 'predicate', body, at });
  }

  #arguments(before: readonly Node[]): Node[] {
    const args = [...before];
    this.expect('Bracket', '(');
    while (!this.is('Bracket', ')')) {
      if (args.length > before.length) this.expect('Operator', ',');
      if (this.is('Bracket', ')')) break;
      args.push(this.nested(() => this.expression(0)));
    }
    this.next();
    return args;
  }

  #array(at: number): Node {
    const items: Node[] = [];
    this.next();
    while (!this.is('Bracket', ']')) {
      if (items.length > 0) this.expect('Operator', ',');
      if (items.length > 0 && this.is('Bracket', ']')) break;
      items.push(this.nested(() => this.expression(0)));
    }
    this.next();
    return this.node({ type: 'array', items, at });
  }

  #map(at: number): Node {
    const pairs: { key: Node; value: Node }[] = [];
    this.next();
    while (!this.is('Bracket', '}')) {
      if (pairs.length > 0) this.expect('Operator', ',');
      if (pairs.length > 0 && this.is('Bracket', '}')) break;
      const key = this.#key();
      this.expect('Operator', ':');
      pairs.push({ key, value: this.nested(() => this.expression(0)) });
    }
    this.next();
    return this.node({ type: 'map', pairs, at });
  }

  #key(): Node {
    const token = this.current;
    if (this.is('Bracket', '(')) return this.nested(() => this.expression(0));
    if (!this.is('Number') && !this.is('String') && !this.is('Identifier'))
      this.fail(
        `a map key must be a quoted string, a number, a name or an expression in parentheses, not ${tokenText(token)}`,
      );
    this.next();
    return this.node({ type: 'string', value: token.value, at: token.at });
  }

  #postfix(first: Node): Node {
    let node = first;
    for (;;) {
      const token = this.current;
      if (token.kind !== 'Operator' && token.kind !== 'Bracket') return node;
      if (token.value === '.' || token.value === '?.') {
        const optional = token.value === '?.';
        this.next();
        node = optional && this.is('Bracket', '[') ? this.#index(node, true) : this.#member(node, optional);
      } else if (token.value === '[') node = this.#index(node, false);
      else return node;
    }
  }

  #member(before: Node, optional: boolean): Node {
    const name = this.current;
    const isField = name.kind === 'Identifier' || (name.kind === 'Operator' && isName(name.value));
    this.next();
    if (!isField) this.fail('expected name', name);
    const { at } = name;
    const inChain = before.type === 'chain';
    const object = inChain ? before.inner : before;
    const property = this.node({ type: 'string', value: name.value, at });
    const member = this.node({ type: 'member', object, property, optional, at });
    const node = this.is('Bracket', '(')
      ? this.node({ type: 'call', callee: member, args: this.#arguments([]), at })
      : member;
    return inChain || optional ? this.node({ type: 'chain', inner: node, at }) : node;
  }

  #index(list: Node, optional: boolean): Node {
    const { at } = this.current;
    this.next();
    const part = (): Node | undefined =>
      this.is('Bracket', ']') || this.is('Operator', ':') ? undefined : this.nested(() => this.expression(0));
    const from = this.is('Operator', ':') ? undefined : this.nested(() => this.expression(0));
    let node: Node;
    if (this.is('Operator', ':')) {
      this.next();
      node = this.node({ type: 'slice', list, from, to: part(), at });
    } else {
      const property = from ?? this.unexpected();
      node = this.node({ type: 'member', object: list, property, optional, at });
      if (optional) node = this.node({ type: 'chain', inner: node, at });
    }
    this.expect('Bracket', ']');
    return node;
  }
}
