import { equalJson, isObject, type Json, own } from '@fairlead/apimachinery';
import { RE2JS } from 're2js';
import { ConditionError, type Token, tokensOf } from './tokens.ts';

type Value = Json | undefined;

/** The values that a condition can name. */
export type Scope = Readonly<Record<string, Json>>;

const maxDepth = 100;

/** Operators between two values, those that bind least first. */
const levels: readonly (readonly string[])[] = [
  ['||', 'or', '??'],
  ['&&', 'and'],
  ['==', '!='],
  ['<', '>', '<=', '>=', 'in', 'not in', 'contains', 'matches', 'startsWith', 'endsWith'],
  ['+', '-'],
  ['*', '/', '%'],
];

/**
 * The value of a condition of a deep link, in the expression language that Argo CD uses there: comparisons, `and`, `or`, `not`, `in`, `contains`,
 * `matches`, `startsWith`, `endsWith`, arithmetic, fields and items, lists, `? :`, and the function `len`. Throws a ConditionError.
 */
export function evaluateCondition(source: string, scope: Scope): Value {
  return new Reader(tokensOf(source), scope).whole()();
}

/** A part of a condition, evaluated when its value is needed. */
type Part = () => Value;

class Reader {
  readonly #tokens: readonly Token[];
  readonly #scope: Scope;
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], scope: Scope) {
    this.#tokens = tokens;
    this.#scope = scope;
  }

  whole(): Part {
    const part = this.#expression();
    if (this.#at < this.#tokens.length) throw this.#unexpected();
    return part;
  }

  #expression(): Part {
    this.#depth += 1;
    if (this.#depth > maxDepth) throw new ConditionError('the condition is nested too deeply');
    const value = this.#binary(0);
    this.#depth -= 1;
    if (!this.#take('?')) return value;
    const yes = this.#expression();
    this.#expect(':');
    const no = this.#expression();
    return () => (truth(value()) ? yes() : no());
  }

  #binary(level: number): Part {
    const operators = levels[level];
    if (!operators) return this.#unary();
    let left = this.#binary(level + 1);
    for (let operator = this.#operator(operators); operator !== undefined; operator = this.#operator(operators)) {
      left = combined(operator, left, this.#binary(level + 1));
    }
    return left;
  }

  #operator(operators: readonly string[]): string | undefined {
    const [first, second] = [this.#tokens[this.#at], this.#tokens[this.#at + 1]];
    if (!first || first.is === 'text' || first.is === 'number') return undefined;
    if (first.value === 'not' && second?.value === 'in' && operators.includes('not in')) {
      this.#at += 2;
      return 'not in';
    }
    if (!operators.includes(first.value)) return undefined;
    this.#at += 1;
    return first.value;
  }

  #unary(): Part {
    if (this.#take('!') || this.#take('not')) {
      const value = this.#unary();
      return () => !truth(value());
    }
    if (this.#take('-')) {
      const value = this.#unary();
      return () => -number(value());
    }
    return this.#postfix(this.#primary());
  }

  #postfix(start: Part): Part {
    let part = start;
    for (;;) {
      const value = part;
      if (this.#take('?.')) {
        const name = this.#name();
        part = () => (value() === null ? null : field(value(), name));
      } else if (this.#take('.')) {
        const name = this.#name();
        part = () => field(value(), name);
      } else if (this.#take('[')) {
        const key = this.#expression();
        this.#expect(']');
        part = () => field(value(), key());
      } else return part;
    }
  }

  #primary(): Part {
    const token = this.#tokens[this.#at];
    if (!token) throw new ConditionError('unexpected end of the condition');
    this.#at += 1;
    if (token.is === 'text' || token.is === 'number') return () => token.value;
    if (token.is === 'mark' && token.value === '(') {
      const inside = this.#expression();
      this.#expect(')');
      return inside;
    }
    if (token.is === 'mark' && token.value === '[') {
      const items = this.#list(']');
      return () => items.map((item) => item() ?? null);
    }
    if (token.is !== 'name') throw this.#unexpected(this.#at - 1);
    return this.#named(token.value);
  }

  #named(name: string): Part {
    if (name === 'true' || name === 'false') return () => name === 'true';
    if (name === 'nil' || name === 'null') return () => null;
    if (!this.#take('(')) return () => own(this.#scope, name) ?? null;
    const args = this.#list(')');
    return () =>
      called(
        name,
        args.map((arg) => arg() ?? null),
      );
  }

  #list(end: string): Part[] {
    const items: Part[] = [];
    if (this.#take(end)) return items;
    do items.push(this.#expression());
    while (this.#take(','));
    this.#expect(end);
    return items;
  }

  #name(): string {
    const token = this.#tokens[this.#at];
    if (token?.is !== 'name') throw this.#unexpected();
    this.#at += 1;
    return token.value;
  }

  #take(value: string): boolean {
    const token = this.#tokens[this.#at];
    if (!token || token.is === 'text' || token.value !== value) return false;
    this.#at += 1;
    return true;
  }

  #expect(value: string): void {
    if (!this.#take(value)) throw this.#unexpected();
  }

  #unexpected(at = this.#at): ConditionError {
    const token = this.#tokens[at];
    return new ConditionError(token ? `unexpected ${JSON.stringify(token.value)}` : 'unexpected end of the condition');
  }
}

function truth(value: Value): boolean {
  if (typeof value === 'boolean') return value;
  throw new ConditionError(`${JSON.stringify(value ?? null)} is not a boolean`);
}

function number(value: Value): number {
  if (typeof value === 'number') return value;
  throw new ConditionError(`${JSON.stringify(value ?? null)} is not a number`);
}

function text(value: Value): string {
  if (typeof value === 'string') return value;
  throw new ConditionError(`${JSON.stringify(value ?? null)} is not a text`);
}

function field(value: Value, key: Value): Value {
  if (value === undefined || value === null) throw new ConditionError(`cannot fetch ${String(key)} from nil`);
  if (Array.isArray(value)) return value.at(number(key));
  if (isObject(value)) return own(value, text(key)) ?? null;
  throw new ConditionError(`type ${typeof value} has no field ${String(key)}`);
}

function called(name: string, args: readonly Json[]): Value {
  const [value] = args;
  if (name !== 'len') throw new ConditionError(`unknown function ${name}`);
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  if (isObject(value)) return Object.keys(value).length;
  throw new ConditionError('invalid argument for len');
}

/** The second value is evaluated only where it decides. */
function combined(operator: string, left: Part, right: Part): Part {
  switch (operator) {
    case '||':
    case 'or':
      return () => truth(left()) || truth(right());
    case '&&':
    case 'and':
      return () => truth(left()) && truth(right());
    case '??':
      return () => left() ?? right();
    default:
      return () => applied(operator, left(), right());
  }
}

function applied(operator: string, left: Value, right: Value): Value {
  switch (operator) {
    case '==':
      return equalJson(left ?? null, right ?? null);
    case '!=':
      return !equalJson(left ?? null, right ?? null);
    case 'in':
      return isIn(left, right);
    case 'not in':
      return !isIn(left, right);
    case 'contains':
      return text(left).includes(text(right));
    case 'startsWith':
      return text(left).startsWith(text(right));
    case 'endsWith':
      return text(left).endsWith(text(right));
    case 'matches':
      return matches(text(left), text(right));
    case '+':
      return typeof left === 'string' ? left + text(right) : number(left) + number(right);
    default:
      return ordered(operator, left, right);
  }
}

function ordered(operator: string, left: Value, right: Value): Value {
  if (typeof left === 'string' && typeof right === 'string') {
    if (operator === '<') return left < right;
    if (operator === '>') return left > right;
    if (operator === '<=') return left <= right;
    if (operator === '>=') return left >= right;
  }
  const [a, b] = [number(left), number(right)];
  const results: Readonly<Record<string, Value>> = {
    '<': a < b,
    '>': a > b,
    '<=': a <= b,
    '>=': a >= b,
    '-': a - b,
    '*': a * b,
    '/': a / b,
    '%': a % b,
  };
  return results[operator];
}

function isIn(left: Value, right: Value): boolean {
  if (Array.isArray(right)) return right.some((item) => equalJson(item, left ?? null));
  if (isObject(right)) return Object.hasOwn(right, text(left));
  throw new ConditionError('in needs a list or an object');
}

/** Linear in the length of the text. */
function matches(value: string, pattern: string): boolean {
  try {
    return RE2JS.compile(pattern).matcher(value).find();
  } catch {
    throw new ConditionError(`invalid regular expression ${JSON.stringify(pattern)}`);
  }
}
