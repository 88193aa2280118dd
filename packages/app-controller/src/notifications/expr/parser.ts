import { binaryOperators, isComparison, isNegatable } from './operators.ts';
import { PrimaryParser } from './primary-parser.ts';
import type { Node } from './syntax-tree.ts';
import type { Token } from './token.ts';

/** Parses an expression, given as its characters. Throws ExprError. */
export const parseExpression = (source: readonly string[]): Node => new Parser(source).parse();

class Parser extends PrimaryParser {
  parse(): Node {
    const node = this.sequence();
    if (!this.is('EOF')) this.unexpected();
    return node;
  }

  protected sequence(): Node {
    const first = this.expression(0);
    const items = [first];
    while (this.is('Operator', ';')) {
      this.next();
      if (this.is('EOF')) break;
      items.push(this.expression(0));
    }
    return items.length === 1 ? first : this.node({ type: 'sequence', items, at: first.at });
  }

  protected expression(precedence: number): Node {
    if (precedence === 0 && this.is('Operator', 'let')) return this.#let();
    if (precedence === 0 && this.is('Operator', 'if')) return this.#if();
    const node = this.#operations(this.primary(), precedence);
    return precedence === 0 ? this.#ternary(node) : node;
  }

  /** The binary operators of at least this precedence that follow. */
  #operations(first: Node, precedence: number): Node {
    let left = first;
    let previous = '';
    while (this.is('Operator')) {
      const before = this.current;
      const negated = before.value === 'not';
      if (negated) {
        this.next();
        if (!isNegatable(this.current.value)) this.unexpected();
      }
      const token = this.current;
      const operator = binaryOperators.get(token.value);
      if (!operator || operator.precedence < precedence) {
        if (negated) this.stepBack(before);
        return left;
      }
      this.next();
      if (token.value === '|') left = this.call(this.expect('Identifier'), [left]);
      else {
        if (previous === '??' && token.value !== '??')
          this.fail(`?? and ${token.value} cannot be mixed: put one of them in parentheses`, token);
        left = isComparison(token.value)
          ? this.#comparisons(left, token, operator.precedence)
          : this.#binary(left, token, operator.precedence + (operator.rightAssociative ? 0 : 1));
        if (negated) left = this.node({ type: 'unary', operator: 'not', operand: left, at: token.at });
      }
      previous = token.value;
    }
    return left;
  }

  #binary(left: Node, { value: operator, at }: Token, precedence: number): Node {
    const right = this.nested(() => this.expression(precedence));
    return this.node({ type: 'binary', operator, left, right, at });
  }

  /** `1 < x < 3` is `1 < x && x < 3`. */
  #comparisons(first: Node, firstOperator: Token, precedence: number): Node {
    let all: Node | undefined;
    let left = first;
    let token = firstOperator;
    for (;;) {
      const right = this.nested(() => this.expression(precedence + 1));
      const { at } = token;
      const one = this.node({ type: 'binary', operator: token.value, left, right, at });
      all = all ? this.node({ type: 'binary', operator: '&&', left: all, right: one, at }) : one;
      if (!this.is('Operator') || !isComparison(this.current.value)) return all;
      left = right;
      token = this.current;
      this.next();
    }
  }

  #ternary(first: Node): Node {
    let node = first;
    while (this.is('Operator', '?')) {
      const { at } = this.current;
      this.next();
      let then = node;
      if (!this.is('Operator', ':')) then = this.nested(() => this.expression(0));
      this.expect('Operator', ':');
      const otherwise = this.nested(() => this.expression(0));
      node = this.node({ type: 'conditional', condition: node, chosen: then, otherwise, at });
    }
    return node;
  }

  #let(): Node {
    this.next();
    const name = this.expect('Identifier');
    this.expect('Operator', '=');
    const value = this.nested(() => this.expression(0));
    this.expect('Operator', ';');
    const body = this.nested(() => this.sequence());
    return this.node({ type: 'let', name: name.value, value, body, at: name.at });
  }

  #if(): Node {
    const { at } = this.current;
    this.next();
    const condition = this.nested(() => this.expression(0));
    const then = this.#block();
    this.expect('Operator', 'else');
    const otherwise = this.is('Operator', 'if') ? this.nested(() => this.#if()) : this.#block();
    return this.node({ type: 'conditional', condition, chosen: then, otherwise, at });
  }

  #block(): Node {
    this.expect('Bracket', '{');
    const inner = this.nested(() => this.sequence());
    this.expect('Bracket', '}');
    return inner;
  }
}
