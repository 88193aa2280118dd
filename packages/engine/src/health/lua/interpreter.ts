import type { Budget } from './budget.ts';
import {
  arithmetic,
  compare,
  equals,
  getIndex,
  lengthOf,
  metamethod,
  negate,
  type Operators,
  setIndex,
} from './operators.ts';
import type { Block, Expression, FunctionBody, Statement, Target, Variable } from './syntax.ts';
import {
  display,
  isFunction,
  isTrue,
  LuaError,
  type LuaFunction,
  LuaTable,
  type LuaValue,
  toNumber,
  typeName,
} from './values.ts';

interface Box {
  value: LuaValue;
}

interface Frame {
  readonly slots: Box[];
  readonly upvalues: readonly Box[];
  readonly varargs: readonly LuaValue[];
}

/** How a statement ended, if not normally. */
type Exit =
  | { readonly type: 'break' }
  | { readonly type: 'goto'; readonly label: string; readonly line: number }
  | { readonly type: 'return'; readonly values: readonly LuaValue[] };

const breaking: Exit = { type: 'break' };
const nothing: readonly LuaValue[] = [];
/** Each call takes several stack frames of the host. */
const deepestCall = 160;

/** Runs programs with shared globals. */
export class Interpreter implements Operators {
  readonly globals: LuaTable;
  readonly budget: Budget;
  /** The methods of strings: `("a"):upper()`. */
  stringMethods: LuaTable | undefined;

  constructor(globals: LuaTable, budget: Budget) {
    this.globals = globals;
    this.budget = budget;
  }

  run(program: FunctionBody): readonly LuaValue[] {
    return this.#closure(program, []).call([]);
  }

  call(callee: LuaValue, args: readonly LuaValue[], line = 0): readonly LuaValue[] {
    this.budget.step();
    if (!isFunction(callee)) {
      const handler = metamethod(this, callee, '__call');
      if (handler !== undefined) return this.call(handler, [callee, ...args], line);
      throw LuaError.at(line, 'attempt to call a non-function object');
    }
    this.budget.depth += 1;
    if (this.budget.depth > deepestCall) throw LuaError.at(line, 'stack overflow');
    try {
      return callee.call(args);
    } catch (error) {
      throw error instanceof LuaError ? error.calledFrom(line) : error;
    } finally {
      this.budget.depth -= 1;
    }
  }

  #closure(body: FunctionBody, upvalues: readonly Box[]): LuaFunction {
    return {
      name: body.name,
      call: (args) => {
        const slots: Box[] = new Array(body.slots);
        for (let i = 0; i < body.parameters; i++) slots[i] = { value: args[i] };
        const varargs = body.variadic ? args.slice(body.parameters) : nothing;
        const exit = this.#block(body.body, { slots, upvalues, varargs });
        if (exit?.type === 'goto') throw LuaError.at(exit.line, `no visible label '${exit.label}' for goto`);
        return exit?.type === 'return' ? exit.values : nothing;
      },
    };
  }

  #block({ statements, labels }: Block, frame: Frame): Exit | undefined {
    for (let i = 0; i < statements.length; i++) {
      this.budget.step();
      const exit = this.#statement(statements[i]!, frame);
      if (!exit) continue;
      const target = exit.type === 'goto' ? labels.get(exit.label) : undefined;
      if (target === undefined) return exit;
      i = target - 1;
    }
    return undefined;
  }

  #statement(statement: Statement, frame: Frame): Exit | undefined {
    switch (statement.type) {
      case 'local': {
        const values = this.#values(statement.values, frame);
        for (const [i, slot] of statement.slots.entries()) frame.slots[slot] = { value: values[i] };
        return undefined;
      }
      case 'local-function': {
        const box: Box = { value: undefined };
        frame.slots[statement.slot] = box;
        box.value = this.#function(statement.body, frame);
        return undefined;
      }
      case 'assign':
        this.#assign(statement.targets, statement.values, frame);
        return undefined;
      case 'expression':
        this.#multiple(statement.call, frame);
        return undefined;
      case 'do':
        return this.#block(statement.body, frame);
      case 'if':
        for (const { condition, body } of statement.branches) {
          if (!condition || isTrue(this.#evaluate(condition, frame))) return this.#block(body, frame);
        }
        return undefined;
      case 'while':
        return this.#loop(() => isTrue(this.#evaluate(statement.condition, frame)), statement.body, frame);
      case 'repeat':
        return this.#repeat(statement.body, statement.condition, frame);
      case 'for':
        return this.#numericFor(statement, frame);
      case 'for-in':
        return this.#genericFor(statement, frame);
      case 'return':
        return { type: 'return', values: this.#values(statement.values, frame) };
      case 'break':
        return breaking;
      case 'goto':
        return statement;
    }
  }

  #loop(goesOn: () => boolean, body: Block, frame: Frame): Exit | undefined {
    while (goesOn()) {
      this.budget.step();
      const exit = this.#block(body, frame);
      if (exit?.type === 'break') return undefined;
      if (exit) return exit;
    }
    return undefined;
  }

  #repeat(body: Block, condition: Expression, frame: Frame): Exit | undefined {
    for (;;) {
      this.budget.step();
      const exit = this.#block(body, frame);
      if (exit?.type === 'break') return undefined;
      if (exit) return exit;
      if (isTrue(this.#evaluate(condition, frame))) return undefined;
    }
  }

  #numericFor(statement: Statement & { type: 'for' }, frame: Frame): Exit | undefined {
    const number = (expression: Expression, what: string): number => {
      const value = toNumber(this.#evaluate(expression, frame));
      if (value === undefined) throw LuaError.at(statement.line, `for statement ${what} must be a number`);
      return value;
    };
    const from = number(statement.from, 'init');
    const to = number(statement.to, 'limit');
    const step = statement.step ? number(statement.step, 'step') : 1;
    let i = from - step;
    const next = (): boolean => {
      i += step;
      if (step > 0 ? i > to : i < to) return false;
      frame.slots[statement.slot] = { value: i };
      return true;
    };
    return this.#loop(next, statement.body, frame);
  }

  #genericFor(statement: Statement & { type: 'for-in' }, frame: Frame): Exit | undefined {
    const [iterate, state, initial] = this.#values(statement.values, frame);
    let control = initial;
    const next = (): boolean => {
      const values = this.call(iterate, [state, control], statement.line);
      if (values[0] === undefined) return false;
      control = values[0];
      for (const [i, slot] of statement.slots.entries()) frame.slots[slot] = { value: values[i] };
      return true;
    };
    return this.#loop(next, statement.body, frame);
  }

  #assign(targets: readonly Target[], expressions: readonly Expression[], frame: Frame): void {
    // Tables and keys on the left side are evaluated before any assignment.
    const places = targets.map((target) =>
      target.type === 'index'
        ? { target, object: this.#evaluate(target.object, frame), key: this.#evaluate(target.key, frame) }
        : { target, object: undefined, key: undefined },
    );
    const values = this.#values(expressions, frame);
    for (const [i, { target, object, key }] of places.entries()) {
      if (target.type === 'variable') this.#setVariable(target.variable, values[i], frame);
      else setIndex(this, object, key, values[i], target.line);
    }
  }

  #setVariable(variable: Variable, value: LuaValue, frame: Frame): void {
    if (variable.type === 'local') {
      const box = frame.slots[variable.slot];
      // A goto may have skipped its declaration.
      if (box) box.value = value;
      else frame.slots[variable.slot] = { value };
    } else if (variable.type === 'upvalue') frame.upvalues[variable.index]!.value = value;
    else this.globals.set(variable.name, value);
  }

  /** A call or `...` at the end returns all of its values, elsewhere one. */
  #values(expressions: readonly Expression[], frame: Frame): readonly LuaValue[] {
    const last = expressions.at(-1);
    if (!last) return nothing;
    const values = expressions.slice(0, -1).map((expression) => this.#evaluate(expression, frame));
    values.push(...this.#multiple(last, frame));
    return values;
  }

  #multiple(expression: Expression, frame: Frame): readonly LuaValue[] {
    if (expression.type === 'varargs') return frame.varargs;
    if (expression.type === 'call') {
      const callee = this.#evaluate(expression.callee, frame);
      return this.call(callee, this.#values(expression.args, frame), expression.line);
    }
    if (expression.type === 'method') {
      const object = this.#evaluate(expression.object, frame);
      const callee = getIndex(this, object, expression.name, expression.line);
      return this.call(callee, [object, ...this.#values(expression.args, frame)], expression.line);
    }
    return [this.#evaluate(expression, frame)];
  }

  #evaluate(expression: Expression, frame: Frame): LuaValue {
    switch (expression.type) {
      case 'constant':
        return expression.value;
      case 'variable':
        return this.#variable(expression.variable, frame);
      case 'varargs':
      case 'call':
      case 'method':
        return this.#multiple(expression, frame)[0];
      case 'single':
        return this.#evaluate(expression.inner, frame);
      case 'index': {
        const object = this.#evaluate(expression.object, frame);
        const key = this.#evaluate(expression.key, frame);
        return getIndex(this, object, key, expression.line);
      }
      case 'function':
        return this.#function(expression.body, frame);
      case 'and': {
        const left = this.#evaluate(expression.left, frame);
        return isTrue(left) ? this.#evaluate(expression.right, frame) : left;
      }
      case 'or': {
        const left = this.#evaluate(expression.left, frame);
        return isTrue(left) ? left : this.#evaluate(expression.right, frame);
      }
      case 'unary':
        return this.#unary(expression, this.#evaluate(expression.operand, frame));
      case 'binary':
        return this.#binary(
          expression,
          this.#evaluate(expression.left, frame),
          this.#evaluate(expression.right, frame),
        );
      case 'table':
        return this.#table(expression, frame);
    }
  }

  #variable(variable: Variable, frame: Frame): LuaValue {
    if (variable.type === 'local') return frame.slots[variable.slot]?.value;
    if (variable.type === 'upvalue') return frame.upvalues[variable.index]!.value;
    return this.globals.get(variable.name);
  }

  #function(body: FunctionBody, frame: Frame): LuaFunction {
    this.budget.allocate(100);
    const upvalues = body.upvalues.map(({ fromLocal, index }) => {
      if (!fromLocal) return frame.upvalues[index]!;
      frame.slots[index] ??= { value: undefined };
      return frame.slots[index];
    });
    return this.#closure(body, upvalues);
  }

  #unary({ operator, line }: { readonly operator: string; readonly line: number }, value: LuaValue): LuaValue {
    if (operator === 'not') return !isTrue(value);
    return operator === '#' ? lengthOf(this, value, line) : negate(this, value, line);
  }

  #binary(
    { operator, line }: { readonly operator: string; readonly line: number },
    left: LuaValue,
    right: LuaValue,
  ): LuaValue {
    switch (operator) {
      case '==':
        return equals(this, left, right);
      case '~=':
        return !equals(this, left, right);
      case '<':
        return compare(this, '<', left, right, line);
      case '<=':
        return compare(this, '<=', left, right, line);
      case '>':
        return compare(this, '<', right, left, line);
      case '>=':
        return compare(this, '<=', right, left, line);
      case '..':
        return this.#concat(left, right, line);
      default:
        return arithmetic(this, operator, left, right, line);
    }
  }

  #concat(left: LuaValue, right: LuaValue, line: number): LuaValue {
    const isText = (value: LuaValue): boolean => typeof value === 'string' || typeof value === 'number';
    if (isText(left) && isText(right)) {
      const [a, b] = [display(left), display(right)];
      this.budget.allocate(a.length + b.length);
      return a + b;
    }
    const handler = metamethod(this, left, '__concat') ?? metamethod(this, right, '__concat');
    if (handler !== undefined) return this.call(handler, [left, right])[0];
    throw LuaError.at(line, `cannot perform concat operation between ${typeName(left)} and ${typeName(right)}`);
  }

  #table({ items, line }: Expression & { type: 'table' }, frame: Frame): LuaTable {
    const table = new LuaTable();
    this.budget.allocate(56 + 40 * items.length);
    for (const [i, { key, value }] of items.entries()) {
      if (key) setIndex(this, table, this.#evaluate(key, frame), this.#evaluate(value, frame), line);
      else if (i < items.length - 1) table.list.push(this.#evaluate(value, frame));
      else table.list.push(...this.#multiple(value, frame));
    }
    while (table.list.length > 0 && table.list.at(-1) === undefined) table.list.pop();
    return table;
  }
}
