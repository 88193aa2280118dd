import {
  byteSliceType,
  GoInt,
  GoMap,
  GoSlice,
  type GoValue,
  int,
  intType,
  toBytes,
  uint8Type,
} from '@fairlead/render/go-template';
import { RE2JS } from 're2js';
import { EvalBudget } from './budget.ts';
import { callBuiltin } from './builtins/call-builtin.ts';
import { runPredicate } from './builtins/predicates.ts';
import { predicateArguments } from './builtins/signatures.ts';
import { callFunction, fetchMember, isIn, sliceOf } from './members.ts';
import { arithmetic, compare, equal, negate } from './operations.ts';
import type { BinaryNode, BuiltinNode, Node } from './syntax-tree.ts';
import { fail, isNil, toBool, toIndex, toText, typeText } from './values.ts';

/** The names `#`, `#index` and `#acc` of a predicate. */
export type Pointers = Readonly<Record<string, GoValue>>;

/** A part that failed, for the place in the message. */
export interface Trace {
  failedAt: number | undefined;
}

/** Ends the evaluation of a chain: something before `?.` is nil. */
class ChainEnd extends Error {}

/** Evaluates one expression over an environment. */
export class Evaluation {
  readonly now: () => number;
  readonly #environment: GoMap;
  readonly #budget: EvalBudget;
  readonly #trace: Trace;
  readonly #pointers: Pointers[] = [];
  readonly #variables: { readonly name: string; readonly value: GoValue }[] = [];

  constructor(environment: GoMap, options: { now: () => number; budget?: EvalBudget; trace: Trace }) {
    this.#environment = environment;
    this.#budget = options.budget ?? new EvalBudget();
    this.#trace = options.trace;
    this.now = options.now;
  }

  get budget(): EvalBudget {
    return this.#budget;
  }

  evaluate(node: Node): GoValue {
    this.#budget.step();
    try {
      return this.#evaluate(node);
    } catch (error) {
      if (!(error instanceof ChainEnd)) this.#trace.failedAt ??= node.at;
      throw error;
    }
  }

  /** The body of a predicate for one element. */
  test(predicate: Node, pointers: Pointers): GoValue {
    this.#pointers.push(pointers);
    const result = this.evaluate(predicate.type === 'predicate' ? predicate.body : predicate);
    this.#pointers.pop();
    return result;
  }

  #evaluate(node: Node): GoValue {
    switch (node.type) {
      case 'nil':
        return null;
      case 'bool':
      case 'float':
      case 'string':
        return node.value;
      case 'int':
        return new GoInt(node.value, intType);
      case 'bytes':
        return new GoSlice(
          [...toBytes(node.value)].map((byte) => new GoInt(BigInt(byte), uint8Type)),
          byteSliceType,
        );
      case 'identifier':
        return this.#identifier(node.name);
      case 'pointer':
        return this.#pointers.at(-1)?.[node.name] ?? null;
      case 'unary':
        return this.#unary(node.operator, this.evaluate(node.operand));
      case 'binary':
        return this.#binary(node);
      case 'inTexts':
        return inTexts(this.evaluate(node.left), node.texts);
      case 'chain':
        return this.#chain(node.inner);
      case 'member': {
        const object = this.evaluate(node.object);
        if (node.optional && isNil(object)) throw new ChainEnd();
        return fetchMember(object, this.evaluate(node.property));
      }
      case 'slice': {
        const list = this.evaluate(node.list);
        const [to, from] = [node.to && this.evaluate(node.to), node.from && this.evaluate(node.from)];
        return sliceOf(list, from, to);
      }
      case 'call': {
        const args = node.args.map((arg) => this.evaluate(arg));
        return callFunction(this.evaluate(node.callee), args);
      }
      case 'builtin':
        return this.#builtin(node);
      case 'predicate':
        return this.evaluate(node.body);
      case 'conditional': {
        const condition = this.evaluate(node.condition);
        return this.evaluate(toBool(condition) ? node.chosen : node.otherwise);
      }
      case 'let': {
        this.#variables.push({ name: node.name, value: this.evaluate(node.value) });
        const result = this.evaluate(node.body);
        this.#variables.pop();
        return result;
      }
      case 'sequence':
        return node.items.map((item) => this.evaluate(item)).at(-1) ?? null;
      case 'array':
        this.#budget.grow(node.items.length);
        return node.items.map((item) => this.evaluate(item));
      case 'map':
        this.#budget.grow(node.pairs.length);
        return this.#map(node.pairs);
    }
  }

  #identifier(name: string): GoValue {
    const variable = this.#variables.findLast((one) => one.name === name);
    if (variable) return variable.value;
    return name === '$env' ? this.#environment : fetchMember(this.#environment, name);
  }

  #chain(inner: Node): GoValue {
    try {
      const value = this.evaluate(inner);
      return isNil(value) ? null : value;
    } catch (error) {
      if (error instanceof ChainEnd) return null;
      throw error;
    }
  }

  #map(pairs: readonly { readonly key: Node; readonly value: Node }[]): GoValue {
    const map = new GoMap();
    for (const { key, value } of pairs) {
      const name = this.evaluate(key);
      const item = this.evaluate(value);
      // Of equal keys, the first counts.
      if (!map.has(toText(name))) map.set(toText(name), item);
    }
    return map;
  }

  #unary(operator: string, value: GoValue): GoValue {
    if (operator === '-') return negate(value);
    return operator === '+' ? value : !toBool(value);
  }

  #binary(node: BinaryNode): GoValue {
    const { operator } = node;
    const left = this.evaluate(node.left);
    switch (operator) {
      case 'and':
      case '&&':
        return toBool(left) ? this.evaluate(node.right) : left;
      case 'or':
      case '||':
        return toBool(left) ? left : this.evaluate(node.right);
      case '??':
        return isNil(left) ? this.evaluate(node.right) : left;
    }
    return this.#operate(operator, left, this.evaluate(node.right));
  }

  #operate(operator: string, a: GoValue, b: GoValue): GoValue {
    switch (operator) {
      case '==':
        return equal(a, b);
      case '!=':
        return !equal(a, b);
      case '<':
        return compare(operator, a, b) < 0;
      case '>':
        return compare(operator, a, b) > 0;
      case '<=':
        return compare(operator, a, b) <= 0;
      case '>=':
        return compare(operator, a, b) >= 0;
      case 'in':
        return isIn(a, b);
      case 'matches':
        return isNil(a) || isNil(b) ? false : matches(a, toText(b));
      case 'contains':
        return textOperation(a, b, (text, part) => text.includes(part));
      case 'startsWith':
        return textOperation(a, b, (text, part) => text.startsWith(part));
      case 'endsWith':
        return textOperation(a, b, (text, part) => text.endsWith(part));
      case '..':
        return this.#range(toIndex(a), toIndex(b));
    }
    const result = arithmetic(operator, a, b);
    if (typeof result === 'string') this.#budget.grow(result.length);
    return result;
  }

  #range(from: number, to: number): GoValue {
    const length = Math.max(0, to - from + 1);
    this.#budget.grow(length);
    return Array.from({ length }, (_, i) => int(from + i));
  }

  #builtin(node: BuiltinNode): GoValue {
    if (predicateArguments.has(node.name)) return runPredicate(this, node);
    return callBuiltin(
      node.name,
      node.args.map((arg) => this.evaluate(arg)),
      this,
    );
  }
}

function inTexts(needle: GoValue, texts: ReadonlySet<string>): boolean {
  if (needle !== null && needle !== undefined && typeof needle !== 'string')
    return fail(`cannot look for ${typeText(needle)} in a list of texts`);
  return texts.has(needle ?? '');
}

function textOperation(a: GoValue, b: GoValue, test: (text: string, part: string) => boolean): boolean {
  if (isNil(a) || isNil(b)) return false;
  return test(toText(a), toText(b));
}

/** In time linear to the text, whatever the pattern. */
function matches(value: GoValue, pattern: string): boolean {
  const bytes = value instanceof GoSlice && value.type === byteSliceType ? value.items : undefined;
  const text = bytes
    ? Buffer.from(bytes.map((byte) => (byte instanceof GoInt ? Number(byte.value) : 0))).toString()
    : toText(value);
  if (pattern.length > 1_000) return fail('a regular expression has more than 1000 characters');
  try {
    return RE2JS.compile(pattern).matcher(text).find();
  } catch (error) {
    return fail(`invalid regular expression: ${error instanceof Error ? error.message : pattern}`);
  }
}
