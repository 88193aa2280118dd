import { zeroOf } from './builtins.ts';
import { FormatLimitError } from './format-value.ts';
import { anyType, assignable, canBeNil, type GoType, isInteger, isUnsigned, reflectValueType } from './go-type.ts';
import {
  GoComplex,
  GoError,
  type GoFunction,
  GoInt,
  GoMap,
  GoObject,
  type GoValue,
  int,
  isFunction,
  isTrue,
  itemsOf,
  methodsOf,
  sortedKeys,
  typeName,
  typeOf,
} from './go-value.ts';
import { Budget, LimitError } from './limits.ts';
import {
  type Branch,
  type ChainNode,
  type Command,
  type Node,
  type NumberNode,
  nodeText,
  type Operand,
  type Pipe,
  type Statement,
  type Variable,
} from './node.ts';
import type { ParsedTemplate } from './parser.ts';
import { display } from './printf.ts';
import type { TemplateSet } from './template-set.ts';

/** A template failed while it ran: `template: FILE:LINE:COLUMN: executing "NAME" at <…>: …`, as Go says it. */
export class TemplateExecError extends Error {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** What a function said, where one did; the reason itself else. */
  override readonly cause: Error | undefined;

  constructor(template: ParsedTemplate, node: Node | undefined, reason: string, cause?: Error) {
    const { line, column } = placeOf(template.source, node?.position ?? 0);
    const where = node
      ? `${template.file}:${line}:${column}: executing ${JSON.stringify(template.name)} at <${nodeText(node)}>`
      : template.file;
    super(`template: ${where}: ${reason}`);
    this.name = 'TemplateExecError';
    this.file = template.file;
    this.line = line;
    this.column = column;
    this.cause = cause;
  }
}

function placeOf(source: string, position: number): { line: number; column: number } {
  const before = source.slice(0, position);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: Buffer.byteLength(before.slice(lineStart), 'utf8') };
}

/** The text that a template writes about some data. */
export function execute(set: TemplateSet, name: string, data: GoValue, budget = new Budget()): string {
  const template = set.lookup(name);
  if (!template) throw new GoError(`template: no template ${JSON.stringify(name)} associated with template "gotpl"`);
  return executeTemplate(set, template, data, budget);
}

export function executeTemplate(
  set: TemplateSet,
  template: ParsedTemplate,
  data: GoValue,
  budget = new Budget(),
): string {
  const output: string[] = [];
  new Execution(set, template, data, output, budget, 0).run();
  return output.join('');
}

/** In Go 100,000; less where JavaScript's stack ends earlier, which is then reported in the same words. */
const maxDepth = 100_000;

interface Slot {
  readonly name: string;
  value: GoValue;
  /** It holds an element of a list or a map of anything, whose type Go then calls `interface {}`. */
  isInterface: boolean;
}

type Flow = 'next' | 'break' | 'continue';
const missing = Symbol('no value from the pipeline');
type Final = GoValue | typeof missing;

/** One run of one template: its variables, and the node it is at, for messages. */
class Execution {
  private readonly set: TemplateSet;
  private readonly template: ParsedTemplate;
  private readonly output: string[];
  private readonly budget: Budget;
  private readonly depth: number;
  private readonly variables: Slot[];
  private dotIsInterface = false;
  private node: Node | undefined;

  constructor(
    set: TemplateSet,
    template: ParsedTemplate,
    data: GoValue,
    output: string[],
    budget: Budget,
    depth: number,
  ) {
    this.set = set;
    this.template = template;
    this.output = output;
    this.budget = budget;
    this.depth = depth;
    this.variables = [{ name: '$', value: data, isInterface: false }];
  }

  run(): void {
    this.walkList(this.variables[0]!.value, this.template.body);
  }

  private walkList(dot: GoValue, list: readonly Statement[]): Flow {
    for (const node of list) {
      const flow = this.walk(dot, node);
      if (flow !== 'next') return flow;
    }
    return 'next';
  }

  private walk(dot: GoValue, node: Statement): Flow {
    this.budget.step();
    this.node = node;
    switch (node.type) {
      case 'text':
        this.write(node.text);
        return 'next';
      case 'action': {
        const value = this.evalPipe(dot, node.pipe);
        if (node.pipe.declare.length === 0) {
          this.node = node;
          if (isFunction(value)) this.fail(`can't print ${nodeText(node)} of type ${typeName(value)}`);
          this.write(value === undefined ? '<no value>' : this.guarded(() => display(value)));
        }
        return 'next';
      }
      case 'if':
      case 'with':
        return this.walkIfOrWith(dot, node);
      case 'range':
        return this.walkRange(dot, node);
      case 'template':
        this.walkTemplate(dot, node);
        return 'next';
      case 'break':
      case 'continue':
        return node.type;
    }
  }

  private write(text: string): void {
    this.budget.write(text.length);
    this.output.push(text);
  }

  private guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw error instanceof FormatLimitError ? new LimitError(error.message) : error;
    }
  }

  private walkIfOrWith(dot: GoValue, node: Branch): Flow {
    const mark = this.variables.length;
    const value = this.evalPipe(dot, node.pipe);
    let flow: Flow = 'next';
    if (isTrue(value))
      flow = node.type === 'with' ? this.withDot(value, false, node.list) : this.walkList(dot, node.list);
    else if (node.elseList) flow = this.walkList(dot, node.elseList);
    this.variables.length = mark;
    return flow;
  }

  private withDot(dot: GoValue, isInterface: boolean, list: readonly Statement[]): Flow {
    const outer = this.dotIsInterface;
    this.dotIsInterface = isInterface;
    const flow = this.walkList(dot, list);
    this.dotIsInterface = outer;
    return flow;
  }

  private walkRange(dot: GoValue, node: Branch): Flow {
    const outer = this.variables.length;
    const value = this.evalPipe(dot, node.pipe);
    const mark = this.variables.length;
    const { declare, assigns } = node.pipe;
    const each = (index: GoValue, element: GoValue, isInterface: boolean): Flow => {
      this.budget.step();
      if (declare.length > 0) {
        if (!assigns) {
          Object.assign(this.variables[mark - 1]!, { value: element, isInterface });
          if (declare.length > 1) Object.assign(this.variables[mark - 2]!, { value: index, isInterface: false });
        } else {
          if (declare.length > 1) this.setVariable(declare[0]!, index, false);
          this.setVariable(declare.at(-1)!, element, isInterface);
        }
      }
      const flow = this.withDot(element, isInterface, node.list);
      this.variables.length = mark;
      return flow;
    };
    const ran = this.iterate(value, declare.length, each);
    let flow: Flow = 'next';
    if (!ran && node.elseList) flow = this.walkList(dot, node.elseList);
    this.variables.length = outer;
    return flow;
  }

  /** Calls for each element until a break; false when there was none. */
  private iterate(
    value: GoValue,
    variables: number,
    each: (index: GoValue, element: GoValue, isInterface: boolean) => Flow,
  ): boolean {
    const items = itemsOf(value);
    if (items) {
      const isInterface = typeOf(value)!.elem === anyType;
      for (let i = 0; i < items.length; i++) if (each(int(i), items[i], isInterface) === 'break') break;
      return items.length > 0;
    }
    if (value instanceof GoMap) {
      const isInterface = value.type.elem === anyType;
      for (const key of sortedKeys(value)) if (each(key, value.get(key), isInterface) === 'break') break;
      return value.size > 0;
    }
    if (value instanceof GoInt) {
      if (variables > 1) this.fail(`can't use ${value.value} to iterate over more than one variable`);
      for (let i = 0n; i < value.value; i++) if (each(undefined, new GoInt(i, value.type), false) === 'break') break;
      return value.value > 0n;
    }
    if (value === undefined || value === null) return false;
    return this.fail(`range can't iterate over ${display(value)}`);
  }

  private walkTemplate(dot: GoValue, node: Extract<Statement, { type: 'template' }>): void {
    const template = this.set.lookup(node.name);
    if (!template) this.fail(`template ${JSON.stringify(node.name)} not defined`);
    const tooDeep = `exceeded maximum template depth (${maxDepth})`;
    if (this.depth === maxDepth) this.fail(tooDeep);
    const data = node.pipe ? this.evalPipe(dot, node.pipe) : undefined;
    try {
      new Execution(this.set, template, data, this.output, this.budget, this.depth + 1).run();
    } catch (error) {
      if (error instanceof RangeError) throw new TemplateExecError(this.template, node, tooDeep);
      throw error;
    }
  }

  private evalPipe(dot: GoValue, pipe: Pipe): GoValue {
    this.node = pipe;
    let value: Final = missing;
    for (const command of pipe.commands) {
      const result: GoValue = this.evalCommand(dot, command, value);
      value = result === null ? undefined : result;
    }
    const result = value as GoValue;
    for (const variable of pipe.declare) {
      if (pipe.assigns) this.setVariable(variable, result, false);
      else this.variables.push({ name: variable.path[0]!, value: result, isInterface: false });
    }
    return result;
  }

  private setVariable(variable: Variable, value: GoValue, isInterface: boolean): void {
    const slot = this.slot(variable.path[0]!);
    slot.value = value;
    slot.isInterface = isInterface;
  }

  private slot(name: string): Slot {
    for (let i = this.variables.length - 1; i >= 0; i--)
      if (this.variables[i]!.name === name) return this.variables[i]!;
    return this.fail(`undefined variable: ${name}`);
  }

  private evalCommand(dot: GoValue, command: Command, final: Final): GoValue {
    const { args } = command;
    const first = args[0]!;
    switch (first.type) {
      case 'field':
        return this.evalField(dot, first, args, final);
      case 'chain':
        return this.evalChain(dot, first, args, final);
      case 'identifier':
        return this.evalFunction(dot, first.name, first, command, args, final);
      case 'pipe':
        this.refuseArguments(args, final);
        return this.evalPipe(dot, first);
      case 'variable':
        return this.evalVariable(dot, first, args, final);
    }
    this.node = first;
    this.refuseArguments(args, final);
    if (first.type === 'nil') this.fail('nil is not a command');
    return this.literal(dot, first);
  }

  private literal(
    dot: GoValue,
    node: Extract<Operand, { type: 'bool' | 'string' | 'number' | 'dot' | 'nil' }>,
  ): GoValue {
    switch (node.type) {
      case 'bool':
      case 'string':
        return node.value;
      case 'number':
        return this.idealConstant(node);
      case 'dot':
        return dot;
      case 'nil':
        return undefined;
    }
  }

  private refuseArguments(args: readonly Operand[], final: Final): void {
    if (args.length > 1 || final !== missing) this.fail(`can't give argument to non-function ${nodeText(args[0]!)}`);
  }

  private idealConstant(node: NumberNode): GoValue {
    if (node.complex) return new GoComplex(...node.complex);
    const { text } = node;
    const isHexInteger = /^[-+]?0[xX]/.test(text) && !/[pP]/.test(text);
    if (node.float !== undefined && !isHexInteger && !text.startsWith("'") && /[.eEpP]/.test(text)) return node.float;
    if (node.int !== undefined) return int(node.int);
    return this.fail(`${text} overflows int`);
  }

  private evalField(
    dot: GoValue,
    node: Extract<Operand, { type: 'field' }>,
    args: readonly Operand[],
    final: Final,
  ): GoValue {
    this.node = node;
    return this.evalPath(dot, dot, this.dotIsInterface, node, node.path, args, final);
  }

  private evalChain(dot: GoValue, node: ChainNode, args: readonly Operand[], final: Final): GoValue {
    this.node = node;
    if (node.node.type === 'nil') this.fail(`indirection through explicit nil in ${nodeText(node)}`);
    const receiver = this.evalArg(dot, undefined, node.node);
    return this.evalPath(dot, receiver, false, node, node.path, args, final);
  }

  private evalVariable(dot: GoValue, node: Variable, args: readonly Operand[], final: Final): GoValue {
    this.node = node;
    const slot = this.slot(node.path[0]!);
    if (node.path.length === 1) {
      this.refuseArguments(args, final);
      return slot.value;
    }
    return this.evalPath(dot, slot.value, slot.isInterface, node, node.path.slice(1), args, final);
  }

  private evalPath(
    dot: GoValue,
    start: GoValue,
    startIsInterface: boolean,
    node: Operand,
    path: readonly string[],
    args: readonly Operand[],
    final: Final,
  ): GoValue {
    let receiver = start;
    let isInterface = startIsInterface;
    const last = path.length - 1;
    for (let i = 0; i <= last; i++) {
      const container = receiver;
      receiver = this.member(
        dot,
        path[i]!,
        node,
        i === last ? args : [],
        i === last ? final : missing,
        container,
        isInterface,
      );
      isInterface = typeOf(container)?.elem === anyType;
    }
    return receiver;
  }

  private member(
    dot: GoValue,
    name: string,
    node: Operand,
    args: readonly Operand[],
    final: Final,
    receiver: GoValue,
    isInterface: boolean,
  ): GoValue {
    if (receiver === undefined) return undefined;
    if (receiver === null) this.fail(`nil pointer evaluating interface {}.${name}`);
    const methods = methodsOf(receiver);
    if (methods && Object.hasOwn(methods, name)) return this.call(dot, methods[name]!, false, node, name, args, final);
    const hasArgs = args.length > 1 || final !== missing;
    if (receiver instanceof GoMap) {
      if (hasArgs) this.fail(`${name} is not a method but has arguments`);
      const value = receiver.get(name);
      return value === undefined ? zeroOf(receiver.type.elem!) : value;
    }
    if (receiver instanceof GoObject && receiver.fields.has(name)) {
      if (hasArgs) this.fail(`${name} has arguments but cannot be invoked as function`);
      return receiver.fields.get(name);
    }
    return this.fail(`can't evaluate field ${name} in type ${isInterface ? anyType.name : typeName(receiver)}`);
  }

  private evalFunction(
    dot: GoValue,
    name: string,
    node: Operand,
    command: Command | Operand,
    args: readonly Operand[],
    final: Final,
  ): GoValue {
    this.node = node;
    const found = this.set.lookupFunction(name);
    if (!found) return this.fail(`${JSON.stringify(name)} is not a defined function`);
    return this.call(dot, found.function, found.builtin, command, name, args, final);
  }

  private call(
    dot: GoValue,
    func: GoFunction,
    builtin: boolean,
    node: Node,
    name: string,
    allArgs: readonly Operand[],
    final: Final,
  ): GoValue {
    const args = allArgs.slice(1);
    const { params, variadic } = func;
    const given = args.length + (final === missing ? 0 : 1);
    const fixed = variadic ? params.length - 1 : params.length;
    if (variadic && given < fixed)
      this.fail(`wrong number of args for ${name}: want at least ${fixed} got ${args.length}`);
    if (!variadic && given !== fixed) this.fail(`wrong number of args for ${name}: want ${fixed} got ${given}`);
    if (builtin && (name === 'and' || name === 'or')) return this.andOr(dot, name, args, final);
    const typeAt = (i: number): GoType => params[Math.min(i, params.length - 1)]!;
    const values = args.map((arg, i) => this.evalArg(dot, typeAt(i), arg));
    if (final !== missing) values.push(this.validate(final, typeAt(given - 1)));
    this.budget.step();
    if (builtin && name === 'call') {
      const callee = args[0] ? nodeText(args[0]) : display(values[0]);
      return this.invoke(node, name, () => callValue(callee, values));
    }
    return this.invoke(node, name, () => func.call(...(values as never[])));
  }

  private andOr(dot: GoValue, name: 'and' | 'or', args: readonly Operand[], final: Final): GoValue {
    let value: GoValue;
    for (const arg of args) {
      value = this.evalArg(dot, reflectValueType, arg);
      if (isTrue(value) === (name === 'or')) return value;
    }
    return final === missing ? value : final;
  }

  private invoke(node: Node, name: string, work: () => GoValue): GoValue {
    let result: GoValue;
    try {
      result = work();
    } catch (error) {
      if (error instanceof FormatLimitError) throw new LimitError(error.message);
      if (error instanceof RangeError && /string length|array length/i.test(error.message))
        throw new LimitError(`${name} makes a value that is too large`);
      if (!(error instanceof GoError || error instanceof TemplateExecError)) throw error;
      throw new TemplateExecError(this.template, node, `error calling ${name}: ${error.message}`, error);
    }
    const { limits } = this.budget;
    if (typeof result === 'string' && result.length > limits.size)
      throw new LimitError(`${name} makes a text of more than ${limits.size} characters`);
    const items = itemsOf(result);
    if (items && items.length > limits.items)
      throw new LimitError(`${name} makes a list of more than ${limits.items} elements`);
    return result;
  }

  private evalArg(dot: GoValue, type: GoType | undefined, node: Operand): GoValue {
    this.node = node;
    switch (node.type) {
      case 'dot':
        return this.validate(dot, type);
      case 'nil':
        if (type && canBeNil(type)) return type === reflectValueType ? undefined : zeroOf(type);
        return this.fail(`cannot assign nil to ${type?.name}`);
      case 'field':
        return this.validate(this.evalField(dot, node, [node], missing), type);
      case 'variable':
        return this.validate(this.evalVariable(dot, node, [], missing), type);
      case 'pipe':
        return this.validate(this.evalPipe(dot, node), type);
      case 'identifier':
        return this.validate(this.evalFunction(dot, node.name, node, node, [], missing), type);
      case 'chain':
        return this.validate(this.evalChain(dot, node, [], missing), type);
    }
    return this.constant(dot, type, node);
  }

  private constant(
    dot: GoValue,
    type: GoType | undefined,
    node: Extract<Operand, { type: 'bool' | 'string' | 'number' }>,
  ): GoValue {
    if (!type || type.kind === 'interface' || type === reflectValueType) return this.literal(dot, node);
    const wrong = (what: string): never => this.fail(`expected ${what}; found ${nodeText(node)}`);
    if (type.kind === 'bool') return node.type === 'bool' ? node.value : wrong('bool');
    if (type.kind === 'string') return node.type === 'string' ? node.value : wrong('string');
    if (type.kind === 'float64')
      return node.type === 'number' && node.float !== undefined ? node.float : wrong('float');
    if (isInteger(type.kind)) {
      const value = node.type !== 'number' ? undefined : isUnsigned(type.kind) ? node.uint : node.int;
      return value === undefined
        ? wrong(isUnsigned(type.kind) ? 'unsigned integer' : 'integer')
        : new GoInt(value, type);
    }
    return this.fail(`can't handle ${nodeText(node)} for arg of type ${type.name}`);
  }

  /** The value as an argument of a type, or why it cannot be one. */
  private validate(value: GoValue, type: GoType | undefined): GoValue {
    if (value === undefined) {
      if (!type || type === reflectValueType) return undefined;
      return canBeNil(type) ? zeroOf(type) : this.fail(`invalid value; expected ${type.name}`);
    }
    if (!type || type === reflectValueType || type === anyType) return value;
    const own = typeOf(value);
    if (own && assignable(own, type)) return value;
    return this.fail(`wrong type for value; expected ${type.name}; got ${own?.name ?? anyType.name}`);
  }

  private fail(reason: string): never {
    throw new TemplateExecError(this.template, this.node, reason);
  }
}

function callValue(name: string, [callee, ...args]: readonly GoValue[]): GoValue {
  if (callee === null || callee === undefined) throw new GoError('call of nil');
  if (!isFunction(callee)) throw new GoError(`non-function ${name} of type ${typeName(callee)}`);
  return callee.call(...(args as never[]));
}
