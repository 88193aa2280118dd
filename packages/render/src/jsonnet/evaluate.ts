import { Budget } from '../go-template/limits.ts';
import { JsonnetError, type Position } from './jsonnet-error.ts';
import { toText } from './manifest.ts';
import { add, binaryOperators, wholeBits } from './operators.ts';
import type { ComprehensionStep, Field, Node } from './syntax.ts';
import {
  characters,
  isFunction,
  JsonnetArray,
  type JsonnetFunction,
  JsonnetObject,
  type Layer,
  type ObjectField,
  Scope,
  Thunk,
  typeOf,
  type Value,
} from './value.ts';

/** The maximum depth of calls, as in go-jsonnet. */
const maxCalls = 500;

export interface EvaluatorOptions {
  /** Evaluates an `import`. */
  readonly importFile: (node: Node & { kind: 'import' }) => Value;
  readonly budget?: Budget;
}

export class Evaluator {
  /** The global variables of all programs: `std`. */
  readonly globals = new Scope();
  private readonly importFile: EvaluatorOptions['importFile'];
  private readonly budget: Budget;
  private calls = 0;

  constructor({ importFile, budget = new Budget() }: EvaluatorOptions) {
    this.importFile = importFile;
    this.budget = budget;
  }

  delayed(node: Node, scope: Scope): Thunk {
    return node.kind === 'literal' ? Thunk.of(node.value) : new Thunk(() => this.evaluate(node, scope));
  }

  evaluate(start: Node, outer: Scope): Value {
    let [node, scope] = [start, outer];
    // Tail positions continue in this loop and use no stack, so that a tailstrict call may recurse without limit.
    for (;;) {
      this.budget.step();
      if (node.kind === 'local') [node, scope] = [node.body, this.withBinds(scope, node.binds)];
      else if (node.kind === 'if') {
        const branch: Node | undefined = this.truth(node.condition, scope) ? node.then : node.otherwise;
        if (!branch) return null;
        node = branch;
      } else if (node.kind === 'assert') {
        const { condition, message, at } = node.assertion;
        if (!this.truth(condition, scope))
          fail(message ? this.shown(this.evaluate(message, scope)) : 'Assertion failed', at);
        node = node.body;
      } else if (node.kind === 'call' && node.strict) {
        const { called, args } = this.prepared(node, scope);
        if (!called.body) return this.at(node.at, () => this.run(called, args));
        [node, scope] = [called.body, called.enter!(args)];
      } else return this.evaluateOne(node, scope);
    }
  }

  private evaluateOne(node: Exclude<Node, { kind: 'local' | 'if' | 'assert' }>, scope: Scope): Value {
    switch (node.kind) {
      case 'literal':
        return node.value;
      case 'variable':
        return this.variable(node, scope);
      case 'self':
        return scope.self ?? fail("can't use self outside of an object", node.at);
      case 'dollar':
        return scope.dollar ?? fail('no top-level object found', node.at);
      case 'super':
        return this.superField(node, scope);
      case 'in-super': {
        const name = this.text(node.index, scope);
        if (!scope.self) fail("can't use super outside of an object", node.at);
        return scope.self.layerOf(name, scope.layer) >= 0;
      }
      case 'index':
        return this.at(node.at, () => this.index(this.evaluate(node.target, scope), this.evaluate(node.index, scope)));
      case 'slice': {
        const part = (one: Node | undefined): Value => (one ? this.evaluate(one, scope) : null);
        const target = this.evaluate(node.target, scope);
        return this.at(node.at, () => slice(target, part(node.from), part(node.to), part(node.step)));
      }
      case 'call':
        return this.callNode(node, scope);
      case 'function':
        return this.closure(node, scope);
      case 'error':
        return fail(this.shown(this.evaluate(node.message, scope)), node.at);
      case 'binary':
        return this.binary(node, scope);
      case 'unary':
        return this.unary(node, scope);
      case 'array':
        return new JsonnetArray(node.items.map((item) => this.delayed(item, scope)));
      case 'array-comprehension':
        return new JsonnetArray([...this.comprehend(node.steps, scope)].map((inner) => this.delayed(node.body, inner)));
      case 'object': {
        const fields = new Map<string, ObjectField>();
        for (const field of node.fields) this.addField(fields, field, scope);
        return new JsonnetObject([{ fields, locals: node.locals, asserts: node.asserts, scope }]);
      }
      case 'object-comprehension': {
        const fields = new Map<string, ObjectField>();
        for (const inner of this.comprehend(node.steps, scope)) this.addField(fields, node.field, inner);
        return new JsonnetObject([{ fields, locals: node.locals, asserts: [], scope }]);
      }
      case 'import':
        return this.at(node.at, () => this.importFile(node));
    }
  }

  /** Adds the position to the stack trace of an error. */
  private at<T>(at: Position, step: () => T): T {
    try {
      return step();
    } catch (error) {
      if (error instanceof JsonnetError && error.trace.length < 20) error.trace.push(at);
      throw error;
    }
  }

  private variable(node: Node & { kind: 'variable' }, scope: Scope): Value {
    const found = scope.find(node.name) ?? this.globals.find(node.name);
    return found ? found.force() : fail(`unknown variable: ${node.name}`, node.at);
  }

  private withBinds(outer: Scope, binds: readonly { name: string; body: Node }[]): Scope {
    if (binds.length === 0) return outer;
    const scope = new Scope(outer);
    for (const { name, body } of binds) scope.variables.set(name, this.delayed(body, scope));
    return scope;
  }

  private *comprehend([step, ...rest]: readonly ComprehensionStep[], scope: Scope): Generator<Scope> {
    if (!step) {
      this.budget.step();
      yield scope;
    } else if (step.kind === 'if') {
      if (this.truth(step.condition, scope)) yield* this.comprehend(rest, scope);
    } else {
      const over = this.evaluate(step.over, scope);
      if (!(over instanceof JsonnetArray))
        fail(`in comprehension, can only iterate over array, got ${typeOf(over)}`, step.over.at);
      for (const item of over.items) {
        const inner = new Scope(scope);
        inner.variables.set(step.name, item);
        yield* this.comprehend(rest, inner);
      }
    }
  }

  private addField(fields: Map<string, ObjectField>, field: Field, scope: Scope): void {
    const name = this.evaluate(field.name, scope);
    if (name === null) return;
    if (typeof name !== 'string') fail(`field name must be string, got ${typeOf(name)}`, field.at);
    if (fields.has(name)) fail(`duplicate field name: ${JSON.stringify(name)}`, field.at);
    const { visibility, plus, body, at } = field;
    fields.set(name, { visibility, plus, body, scope, at });
  }

  private text(node: Node, scope: Scope): string {
    const value = this.evaluate(node, scope);
    return typeof value === 'string' ? value : fail(`expected string, got ${typeOf(value)}`, node.at);
  }

  private truth(node: Node, scope: Scope): boolean {
    const value = this.evaluate(node, scope);
    return typeof value === 'boolean' ? value : fail(`condition must be boolean, got ${typeOf(value)}`, node.at);
  }

  private shown(value: Value): string {
    return toText(this, value);
  }

  private superField(node: Node & { kind: 'super' }, scope: Scope): Value {
    if (!scope.self) fail("can't use super outside of an object", node.at);
    const name = this.text(node.index, scope);
    return this.at(node.at, () => this.field(scope.self!, name, scope.layer));
  }

  index(target: Value, index: Value): Value {
    if (target instanceof JsonnetObject) {
      if (typeof index !== 'string') throw new JsonnetError(`object index must be string, got ${typeOf(index)}`);
      return this.field(target, index);
    }
    if (typeof target !== 'string' && !(target instanceof JsonnetArray))
      throw new JsonnetError(`value non indexable: ${typeOf(target)}`);
    if (typeof index !== 'number') throw new JsonnetError(`index must be number, got ${typeOf(index)}`);
    const all = typeof target === 'string' ? characters(target) : target.items;
    if (!Number.isInteger(index) || index < 0 || index >= all.length)
      throw new JsonnetError(`index ${index} out of bounds, not within [0, ${all.length})`);
    const found = all[index]!;
    return found instanceof Thunk ? found.force() : found;
  }

  /** A field of an object, searched in the layers below `below`. */
  field(object: JsonnetObject, name: string, below = object.layers.length): Value {
    const layer = object.layerOf(name, below);
    if (layer < 0) throw new JsonnetError(`field does not exist: ${name}`);
    if (below === object.layers.length) this.checkAsserts(object);
    const key = `${layer} ${name}`;
    let thunk = object.computed.get(key);
    if (!thunk) {
      thunk = new Thunk(() => this.computeField(object, name, layer));
      object.computed.set(key, thunk);
    }
    return thunk.force();
  }

  private computeField(object: JsonnetObject, name: string, at: number): Value {
    const layer = object.layers[at]!;
    const { body, plus, scope, at: position } = layer.fields.get(name)!;
    const own = body instanceof Thunk ? body.force() : this.evaluate(body, this.layerScope(object, layer, at, scope));
    if (!plus || object.layerOf(name, at) < 0) return own;
    const inherited = this.field(object, name, at);
    return position ? this.at(position, () => add(this, inherited, own)) : add(this, inherited, own);
  }

  /** The scope of a layer of an object: its locals, `self` and `super`. */
  private layerScope(object: JsonnetObject, { locals }: Layer, at: number, outer: Scope | undefined): Scope {
    let byLayer = object.scopes.get(outer);
    if (!byLayer) object.scopes.set(outer, (byLayer = new Map()));
    let scope = byLayer.get(at);
    if (!scope) {
      scope = new Scope(outer, { self: object, layer: at });
      byLayer.set(at, scope);
      for (const { name, body } of locals) scope.variables.set(name, this.delayed(body, scope));
    }
    return scope;
  }

  checkAsserts(object: JsonnetObject): void {
    if (object.asserted) return;
    // Assertions read the object, which must not check them again.
    object.asserted = true;
    try {
      for (const [i, layer] of object.layers.entries()) {
        if (layer.asserts.length === 0) continue;
        const scope = this.layerScope(object, layer, i, layer.scope);
        for (const { condition, message, at } of layer.asserts)
          if (!this.truth(condition, scope))
            fail(message ? this.shown(this.evaluate(message, scope)) : 'Object assertion failed', at);
      }
    } catch (error) {
      object.asserted = false;
      throw error;
    }
  }

  private closure({ parameters, body }: Node & { kind: 'function' }, outer: Scope): JsonnetFunction {
    const enter = (args: readonly (Thunk | undefined)[]): Scope => {
      const scope = new Scope(outer);
      for (const [i, { name, fallback }] of parameters.entries())
        scope.variables.set(name, args[i] ?? this.delayed(fallback!, scope));
      return scope;
    };
    return {
      kind: 'function',
      parameters: parameters.map(({ name, fallback }) => ({ name, optional: fallback !== undefined })),
      call: (args) => this.evaluate(body, enter(args)),
      body,
      enter,
    };
  }

  private callNode(node: Node & { kind: 'call' }, scope: Scope): Value {
    const { called, args } = this.prepared(node, scope);
    return this.at(node.at, () => this.run(called, args));
  }

  /** A call with its arguments in the order of the parameters. */
  private prepared({ target, args, strict, at }: Node & { kind: 'call' }, scope: Scope): Prepared {
    const called = this.evaluate(target, scope);
    return this.at(at, () => {
      if (!isFunction(called)) throw new JsonnetError(`only functions can be called, got ${typeOf(called)}`);
      const positional: Thunk[] = [];
      const named = new Map<string, Thunk>();
      for (const { name, value } of args) {
        const thunk = this.delayed(value, scope);
        if (strict) thunk.force();
        if (name === undefined) positional.push(thunk);
        else if (named.has(name)) throw new JsonnetError(`argument ${name} already provided`);
        else named.set(name, thunk);
      }
      return { called, args: inPlace(called, positional, named) };
    });
  }

  call(called: JsonnetFunction, positional: readonly Thunk[], named?: ReadonlyMap<string, Thunk>): Value {
    return this.run(called, inPlace(called, positional, named ?? new Map()));
  }

  private run(called: JsonnetFunction, args: readonly (Thunk | undefined)[]): Value {
    if (++this.calls > maxCalls) throw new JsonnetError('max stack frames exceeded');
    try {
      return called.call(args);
    } finally {
      this.calls--;
    }
  }

  /** Calls a function that a program passed to a function of `std`. */
  apply(called: Value, ...args: (Thunk | Value)[]): Value {
    if (!isFunction(called)) throw new JsonnetError(`expected function, got ${typeOf(called)}`);
    this.budget.step();
    return this.call(
      called,
      args.map((arg) => (arg instanceof Thunk ? arg : Thunk.of(arg))),
    );
  }

  /** Throws if a value that a function of `std` creates exceeds the limits. */
  checkSize(length: number): void {
    if (length > this.budget.limits.size) throw new JsonnetError('a value is too large');
    this.budget.write(length);
  }

  private binary({ operator, left, right, at }: Node & { kind: 'binary' }, scope: Scope): Value {
    if (operator === '&&') return this.truth(left, scope) && this.truth(right, scope);
    if (operator === '||') return this.truth(left, scope) || this.truth(right, scope);
    const [a, b] = [this.evaluate(left, scope), this.evaluate(right, scope)];
    return this.at(at, () => binaryOperators[operator]!(this, a, b));
  }

  private unary({ operator, operand, at }: Node & { kind: 'unary' }, scope: Scope): Value {
    const value = this.evaluate(operand, scope);
    if (operator === '!' && typeof value === 'boolean') return !value;
    if (typeof value === 'number' && operator !== '!')
      return operator === '-' ? -value : operator === '~' ? Number(~wholeBits(value)) : value;
    return fail(`unary operator ${operator} does not work on ${typeOf(value)}`, at);
  }
}

interface Prepared {
  readonly called: JsonnetFunction;
  readonly args: readonly (Thunk | undefined)[];
}

function inPlace(
  { parameters }: JsonnetFunction,
  positional: readonly Thunk[],
  named: ReadonlyMap<string, Thunk>,
): readonly (Thunk | undefined)[] {
  if (positional.length > parameters.length)
    throw new JsonnetError(
      `function expected ${parameters.length} positional argument(s), but got ${positional.length}`,
    );
  const args: (Thunk | undefined)[] = [...positional];
  for (const [name, thunk] of named) {
    const i = parameters.findIndex((parameter) => parameter.name === name);
    if (i < 0) throw new JsonnetError(`function has no parameter ${name}`);
    if (args[i]) throw new JsonnetError(`argument ${name} already provided`);
    args[i] = thunk;
  }
  const missing = parameters.filter(({ optional }, i) => !optional && !args[i]).map(({ name }) => name);
  if (missing.length > 0) throw new JsonnetError(`missing argument: ${missing.join(', ')}`);
  return args;
}

function fail(message: string, at: Position): never {
  throw new JsonnetError(message, at);
}

export function slice(target: Value, from: Value, to: Value, step: Value): Value {
  if (typeof target !== 'string' && !(target instanceof JsonnetArray))
    throw new JsonnetError(`can only slice strings and arrays, got ${typeOf(target)}`);
  const all = typeof target === 'string' ? characters(target) : target.items;
  const bound = (value: Value, fallback: number): number => {
    if (value === null) return fallback;
    if (typeof value !== 'number') throw new JsonnetError(`slice bounds must be numbers, got ${typeOf(value)}`);
    return value < 0 ? Math.max(0, all.length + value) : Math.min(value, all.length);
  };
  const [start, end] = [bound(from, 0), bound(to, all.length)];
  const stride = step ?? 1;
  if (typeof stride !== 'number' || stride <= 0)
    throw new JsonnetError(`got ${String(stride)} but step must be greater than 0`);
  if (typeof target === 'string' && stride === 1) return Array.from(all.slice(start, end) as Iterable<string>).join('');
  const items: (Thunk | string)[] = [];
  for (let i = start; i < end; i += stride) items.push(all[i]!);
  return typeof target === 'string' ? items.join('') : new JsonnetArray(items as Thunk[]);
}
