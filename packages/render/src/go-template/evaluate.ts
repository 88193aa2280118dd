import { zeroOf } from './builtins.ts';
import { TemplateExecError } from './exec-error.ts';
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
  typeName,
  typeOf,
} from './go-value.ts';
import { type Budget, LimitError } from './limits.ts';
import {
  type ChainNode,
  type Node,
  type NumberNode,
  nodeText,
  type Operand,
  type Pipe,
  type Variable,
} from './node.ts';
import type { ParsedTemplate } from './parser.ts';
import { display } from './printf.ts';
import type { FoundFunction, TemplateSet } from './template-set.ts';

type FunctionName = Extract<Operand, { type: 'identifier' }>;

interface Slot {
  readonly name: string;
  value: GoValue;
  /** It contains an element of a list or map with elements of any type, whose type Go then calls `interface {}`. */
  isInterface: boolean;
}

const missing = Symbol('no value from the pipeline');
type Final = GoValue | typeof missing;

/**
 * Expressions of one run of a template: its variables, and the current node, for messages. Templates include one another deeply, so there
 * are few nested calls here: each one uses the JavaScript stack.
 */
export abstract class Evaluator {
  protected readonly set: TemplateSet;
  protected readonly template: ParsedTemplate;
  protected readonly budget: Budget;
  protected readonly variables: Slot[];
  protected dotIsInterface = false;
  protected node: Node | undefined;

  constructor(set: TemplateSet, template: ParsedTemplate, data: GoValue, budget: Budget) {
    this.set = set;
    this.template = template;
    this.budget = budget;
    this.variables = [{ name: '$', value: data, isInterface: false }];
  }

  protected evalPipe(dot: GoValue, pipe: Pipe): GoValue {
    this.node = pipe;
    let value: Final = missing;
    for (let i = 0; i < pipe.commands.length; i++) {
      const command = pipe.commands[i]!;
      const first = command.args[0]!;
      if (first.type === 'identifier')
        value = this.call(dot, this.functionOf(first), command, first.name, command.args, value);
      else value = this.evalCommand(dot, first, command.args, value);
      if (value === null) value = undefined;
    }
    if (pipe.declare.length > 0) this.bindVariables(pipe, value as GoValue);
    return value as GoValue;
  }

  private bindVariables(pipe: Pipe, value: GoValue): void {
    for (const variable of pipe.declare) {
      if (pipe.assigns) this.setVariable(variable, value, false);
      else this.variables.push({ name: variable.path[0]!, value, isInterface: false });
    }
  }

  protected setVariable(variable: Variable, value: GoValue, isInterface: boolean): void {
    const slot = this.slot(variable.path[0]!);
    slot.value = value;
    slot.isInterface = isInterface;
  }

  private slot(name: string): Slot {
    for (let i = this.variables.length - 1; i >= 0; i--)
      if (this.variables[i]!.name === name) return this.variables[i]!;
    return this.fail(`undefined variable: ${name}`);
  }

  private evalCommand(
    dot: GoValue,
    first: Exclude<Operand, FunctionName>,
    args: readonly Operand[],
    final: Final,
  ): GoValue {
    switch (first.type) {
      case 'field':
        return this.evalField(dot, first, args, final);
      case 'chain':
        return this.evalChain(dot, first, args, final);
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
    const { missingKey } = this.set;
    if (receiver === undefined) {
      if (missingKey === 'error') this.fail(`nil data; no entry for key ${JSON.stringify(name)}`);
      return undefined;
    }
    if (receiver === null) this.fail(`nil pointer evaluating interface {}.${name}`);
    const methods = methodsOf(receiver);
    if (methods && Object.hasOwn(methods, name))
      return this.call(dot, { function: methods[name]!, builtin: false }, node, name, args, final);
    const hasArgs = args.length > 1 || final !== missing;
    if (receiver instanceof GoMap) {
      if (hasArgs) this.fail(`${name} is not a method but has arguments`);
      const value = receiver.get(name);
      if (value !== undefined) return value;
      if (missingKey === 'error' && !receiver.has(name)) this.fail(`map has no entry for key ${JSON.stringify(name)}`);
      return missingKey === 'default' ? undefined : zeroOf(receiver.type.elem!);
    }
    if (receiver instanceof GoObject && receiver.fields.has(name)) {
      if (hasArgs) this.fail(`${name} has arguments but cannot be invoked as function`);
      return receiver.fields.get(name);
    }
    return this.fail(`can't evaluate field ${name} in type ${isInterface ? anyType.name : typeName(receiver)}`);
  }

  private functionOf(node: FunctionName): FoundFunction {
    this.node = node;
    return this.set.lookupFunction(node.name) ?? this.fail(`${JSON.stringify(node.name)} is not a defined function`);
  }

  private call(
    dot: GoValue,
    found: FoundFunction,
    node: Node,
    name: string,
    args: readonly Operand[],
    final: Final,
  ): GoValue {
    const { function: func, builtin } = found;
    if (builtin && (name === 'and' || name === 'or')) return this.andOr(dot, func, name, args, final);
    const values = this.evalArgs(dot, func, name, args, final);
    this.budget.step();
    let result: GoValue;
    try {
      if (builtin && name === 'call') result = callValue(args[1] ? nodeText(args[1]) : display(values[0]), values);
      else result = func.call(...(values as never[]));
    } catch (error) {
      throw this.explain(error, node, name);
    }
    return this.withinLimits(result, name);
  }

  private evalArgs(dot: GoValue, func: GoFunction, name: string, args: readonly Operand[], final: Final): GoValue[] {
    const { params } = func;
    this.checkCount(func, name, args, final);
    const values: GoValue[] = [];
    for (let i = 1; i < args.length; i++)
      values.push(this.evalArg(dot, params[Math.min(i, params.length) - 1], args[i]!));
    if (final !== missing) values.push(this.validate(final, params[Math.min(values.length, params.length - 1)]));
    return values;
  }

  private checkCount({ params, variadic }: GoFunction, name: string, args: readonly Operand[], final: Final): void {
    const written = Math.max(args.length - 1, 0);
    const given = written + (final === missing ? 0 : 1);
    const fixed = variadic ? params.length - 1 : params.length;
    if (variadic && given < fixed) this.fail(`wrong number of args for ${name}: want at least ${fixed} got ${written}`);
    if (!variadic && given !== fixed) this.fail(`wrong number of args for ${name}: want ${fixed} got ${given}`);
  }

  private andOr(dot: GoValue, func: GoFunction, name: 'and' | 'or', args: readonly Operand[], final: Final): GoValue {
    this.checkCount(func, name, args, final);
    let value: GoValue;
    for (const arg of args.slice(1)) {
      value = this.evalArg(dot, reflectValueType, arg);
      if (isTrue(value) === (name === 'or')) return value;
    }
    return final === missing ? value : final;
  }

  /** Turns an error of a function into an error of the template. Other errors are not changed. */
  private explain(error: unknown, node: Node, name: string): unknown {
    if (error instanceof FormatLimitError) return new LimitError(error.message);
    if (error instanceof RangeError && isAboutLength(error))
      return new LimitError(`${name} makes a value that is too large`);
    if (!(error instanceof GoError || error instanceof TemplateExecError)) return error;
    return new TemplateExecError(this.template, node, `error calling ${name}: ${error.message}`, error);
  }

  private withinLimits(result: GoValue, name: string): GoValue {
    const { limits } = this.budget;
    if (typeof result === 'string') {
      if (result.length > limits.size)
        throw new LimitError(`${name} makes a text of more than ${limits.size} characters`);
      return result;
    }
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
        return this.validate(this.call(dot, this.functionOf(node), node, node.name, [], missing), type);
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

  /** The value as an argument of a type, or why it cannot be converted. */
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

  protected fail(reason: string): never {
    throw new TemplateExecError(this.template, this.node, reason);
  }
}

/** Not the RangeError of a stack overflow. (No regular expression here: with a full stack it would fail itself.) */
const isAboutLength = ({ message }: RangeError): boolean =>
  message.includes('string length') || message.includes('array length');

function callValue(name: string, [callee, ...args]: readonly GoValue[]): GoValue {
  if (callee === null || callee === undefined) throw new GoError('call of nil');
  if (!isFunction(callee)) throw new GoError(`non-function ${name} of type ${typeName(callee)}`);
  const { params, variadic } = callee;
  const least = variadic ? params.length - 1 : params.length;
  if (variadic ? args.length < least : args.length !== least)
    throw new GoError(`wrong number of args: got ${args.length} want ${variadic ? 'at least ' : ''}${least}`);
  const values = args.map((arg, i) => callArgument(arg, i, params[Math.min(i, params.length - 1)]));
  return callee.call(...(values as never[]));
}

/** An argument of `call`, which unlike those of functions is checked when it is called. */
function callArgument(value: GoValue, position: number, type: GoType | undefined): GoValue {
  if (!type || type === anyType) return value;
  if (value === undefined || value === null) {
    if (canBeNil(type)) return zeroOf(type);
    throw new GoError(`arg ${position}: value is nil; should be of type ${type.name}`);
  }
  const own = typeOf(value);
  if (own && assignable(own, type)) return value;
  throw new GoError(`arg ${position}: value has type ${typeName(value)}; should be ${type.name}`);
}
