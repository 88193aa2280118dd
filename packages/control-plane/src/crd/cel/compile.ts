import { fieldOf, fieldType, index, optionalIndex, optionalSelect, select } from './field-access.ts';
import { library } from './library/index.ts';
import { checkLiterals } from './literals.ts';
import { compileMacro } from './macros.ts';
import { describeCall } from './overloads.ts';
import { type Node, parse } from './parse.ts';
import { CompileProblem, placeOf } from './problems.ts';
import type { Frame, Scope, Step } from './scope.ts';
import { join, type Type, typeName, types } from './types.ts';
import { CelError, List, MapValue, Optional, TypeValue, Uint, type Value } from './values.ts';

/** Type-checks an expression against its variables and compiles it. Throws CompileProblem, or a syntax error. */
export function compile(source: string, scope: Scope): Step {
  return compileNode(parse(source), scope);
}

export function compileNode(node: Node, scope: Scope): Step {
  switch (node.op) {
    case 'value':
      return literal(node.args, node);
    case 'id':
      return variable(node.args, node, scope);
    case '.':
      return select(compileNode(node.args[0], scope), node.args[1], node);
    case '.?':
      return optionalSelect(compileNode(node.args[0], scope), node.args[1], node);
    case '[]':
      return index(compileNode(node.args[0], scope), compileNode(node.args[1], scope), node);
    case '[?]':
      return optionalIndex(compileNode(node.args[0], scope), compileNode(node.args[1], scope), node);
    case 'call':
      return call(node.args[0], node.args[1], node, scope);
    case 'rcall':
      return memberCall(node.args[0], node.args[1], node.args[2], node, scope);
    case 'list':
      return listLiteral(node.args, node, scope);
    case 'map':
      return mapLiteral(node.args, node, scope);
    case '?:':
      return conditional(
        [compileNode(node.args[0], scope), compileNode(node.args[1], scope), compileNode(node.args[2], scope)],
        node,
      );
    case '||':
    case '&&':
      return logical(node.op === '||', compileNode(node.args[0], scope), compileNode(node.args[1], scope), node);
    case '!_':
      return apply('!_', false, [compileNode(node.args, scope)], node);
    case '-_':
      return negate(node.args, node, scope);
    default:
      return apply(`_${node.op}_`, false, [compileNode(node.args[0], scope), compileNode(node.args[1], scope)], node);
  }
}

const maxInt = 2n ** 63n - 1n;

function literal(value: unknown, node: Node): Step {
  const constant = (type: Type, own: Value): Step => ({ type, run: () => own });
  switch (typeof value) {
    case 'string':
      return constant(types.string, value);
    case 'boolean':
      return constant(types.bool, value);
    case 'number':
      return constant(types.double, value);
    case 'bigint':
      if (value > maxInt) throw new CompileProblem('Syntax error: invalid int literal', placeOf(node));
      return constant(types.int, value);
  }
  if (value === null) return constant(types.null, null);
  if (value instanceof Uint8Array) return constant(types.bytes, value);
  return constant(types.uint, new Uint((value as { value: bigint }).value));
}

function negate(operand: Node, node: Node, scope: Scope): Step {
  if (operand.op === 'value' && operand.args === maxInt + 1n) return { type: types.int, run: () => -maxInt - 1n };
  return apply('-_', false, [compileNode(operand, scope)], node);
}

const typeNames: Readonly<Record<string, string>> = {
  bool: 'bool',
  int: 'int',
  uint: 'uint',
  double: 'double',
  string: 'string',
  bytes: 'bytes',
  list: 'list',
  map: 'map',
  null_type: 'null_type',
  type: 'type',
};

function variable(name: string, node: Node, scope: Scope): Step {
  const found = scope.get(name);
  if (found) {
    const { type, slot } = found;
    return {
      type,
      run: ({ slots, budget }) => {
        budget.spend(1);
        const value = slots[slot];
        if (value === undefined) throw new CelError(`no such attribute: ${name}`);
        return value;
      },
    };
  }
  const named = Object.hasOwn(typeNames, name) ? typeNames[name] : undefined;
  if (named) {
    const type = new TypeValue(named);
    return { type: types.type, run: () => type };
  }
  throw new CompileProblem(`undeclared reference to '${name}' (in container '')`, placeOf(node));
}

function call(name: string, args: readonly Node[], node: Node, scope: Scope): Step {
  if (name === 'has') return presence(args, node, scope);
  const steps = args.map((arg) => compileNode(arg, scope));
  checkLiterals(name, args, placeOf(node));
  return apply(name, false, steps, node);
}

function presence(args: readonly Node[], node: Node, scope: Scope): Step {
  const [field] = args;
  if (args.length !== 1 || (field?.op !== '.' && field?.op !== '.?'))
    throw new CompileProblem('invalid argument to has() macro', placeOf(node));
  const operand = compileNode(field.args[0], scope);
  const name = field.args[1];
  const inner = operand.type.kind === 'optional' ? operand.type.of : operand.type;
  fieldType(inner, name, field);
  return {
    type: types.bool,
    run: (frame) => {
      const value = operand.run(frame);
      if (value instanceof Optional) return value.hasValue && fieldOf(value.value, name) !== undefined;
      return fieldOf(value, name) !== undefined;
    },
  };
}

function memberCall(name: string, receiver: Node, args: readonly Node[], node: Node, scope: Scope): Step {
  // `sets.contains(…)`: a library name that looks like a variable.
  if (receiver.op === 'id' && !scope.has(receiver.args)) {
    const qualified = `${receiver.args}.${name}`;
    if (library.has(qualified, false))
      return apply(
        qualified,
        false,
        args.map((arg) => compileNode(arg, scope)),
        node,
      );
  }
  const macro = compileMacro(name, { compile: compileNode, receiver, args, node, scope });
  if (macro) return macro;
  const operand = compileNode(receiver, scope);
  const [only] = args;
  if ((name === 'orValue' || name === 'or') && operand.type.kind === 'optional' && only && args.length === 1)
    return alternative(name, operand, compileNode(only, scope), node);
  const steps = [
    operand,
    ...args.map((arg) => (name === 'format' ? formatArgument(arg, scope) : compileNode(arg, scope))),
  ];
  checkLiterals(name, [receiver, ...args], placeOf(node));
  return apply(name, true, steps, node);
}

/** The alternative is evaluated only if the value is absent. */
function alternative(name: 'or' | 'orValue', operand: Step, other: Step, node: Node): Step {
  const resolved = library.resolve(name, true, [operand.type, other.type]);
  if (!resolved) throw new CompileProblem(describeCall(name, true, [operand.type, other.type]), placeOf(node));
  return {
    type: resolved.result,
    run: (frame) => {
      const value = operand.run(frame);
      if (!(value instanceof Optional)) throw new CelError(`no such overload: ${name}`);
      if (!value.hasValue) return other.run(frame);
      return name === 'or' ? value : value.value;
    },
  };
}

/** The only list that may have values of several types: the arguments of format. */
const formatArgument = (arg: Node, scope: Scope): Step =>
  arg.op === 'list'
    ? listOf(
        arg.args.map((item) => compileNode(item, scope)),
        types.dyn,
      )
    : compileNode(arg, scope);

function apply(name: string, member: boolean, steps: readonly Step[], node: Node): Step {
  const given = steps.map((step) => step.type);
  // Any value may be compared with null: whether a field is nullable is not part of its type.
  const mayBeNull = (name === '_==_' || name === '_!=_') && given.some((type) => type.kind === 'null');
  const resolved = library.resolve(name, member, mayBeNull ? given.map(() => types.dyn) : given);
  if (!resolved) {
    const isKnown = library.has(name, member);
    const text = isKnown ? describeCall(name, member, given) : `undeclared reference to '${name}' (in container '')`;
    throw new CompileProblem(text, placeOf(node));
  }
  return {
    type: resolved.result,
    run: (frame) =>
      resolved.run(
        steps.map((step) => step.run(frame)),
        frame.budget,
      ),
  };
}

function listOf(items: readonly Step[], item: Type): Step {
  return {
    type: types.list(item),
    run: (frame) => {
      frame.budget.spend(10);
      return List.of(items.map((step) => step.run(frame)));
    },
  };
}

const unknownItem: Type = { kind: 'param', name: 'A' };

function unify(all: Type | undefined, step: Step, node: Node): Type {
  if (!all) return step.type;
  const joined = join(all, step.type);
  if (joined) return joined;
  throw new CompileProblem(`expected type '${typeName(all)}' but found '${typeName(step.type)}'`, placeOf(node));
}

function listLiteral(nodes: readonly Node[], node: Node, scope: Scope): Step {
  const items = nodes.map((item) => compileNode(item, scope));
  const item = items.reduce<Type | undefined>((all, step) => unify(all, step, node), undefined);
  return listOf(items, item ?? unknownItem);
}

function mapLiteral(nodes: readonly [Node, Node][], node: Node, scope: Scope): Step {
  const entries = nodes.map(([key, value]) => [compileNode(key, scope), compileNode(value, scope)] as const);
  const key = entries.reduce<Type | undefined>((all, [step]) => unify(all, step, node), undefined);
  const value = entries.reduce<Type | undefined>((all, [, step]) => unify(all, step, node), undefined);
  return {
    type: types.map(key ?? unknownItem, value ?? { kind: 'param', name: 'B' }),
    run: (frame) => {
      frame.budget.spend(30);
      return MapValue.of(entries.map(([k, v]) => [k.run(frame), v.run(frame)] as const));
    },
  };
}

const isBool = (type: Type): boolean => type.kind === 'bool' || type.kind === 'dyn' || type.kind === 'param';

function conditional([condition, yes, no]: [Step, Step, Step], node: Node): Step {
  const type = join(yes.type, no.type);
  if (!isBool(condition.type) || !type)
    throw new CompileProblem(describeCall('_?_:_', false, [condition.type, yes.type, no.type]), placeOf(node));
  return {
    type,
    run: (frame) => {
      const decided = condition.run(frame);
      if (typeof decided !== 'boolean') throw new CelError('no such overload: _?_:_');
      return decided ? yes.run(frame) : no.run(frame);
    },
  };
}

/** The side that determines the result wins, even if the other fails. */
function logical(settles: boolean, left: Step, right: Step, node: Node): Step {
  const name = settles ? '_||_' : '_&&_';
  if (!isBool(left.type) || !isBool(right.type))
    throw new CompileProblem(describeCall(name, false, [left.type, right.type]), placeOf(node));
  const decide = (step: Step, frame: Frame): boolean => {
    const value = step.run(frame);
    if (typeof value !== 'boolean') throw new CelError(`no such overload: ${name}`);
    return value;
  };
  return {
    type: types.bool,
    run: (frame) => {
      let failure: CelError | undefined;
      try {
        if (decide(left, frame) === settles) return settles;
      } catch (error) {
        if (!(error instanceof CelError)) throw error;
        failure = error;
      }
      if (decide(right, frame) === settles) return settles;
      if (failure) throw failure;
      return !settles;
    },
  };
}
