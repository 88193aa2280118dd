import { elementAt, must } from '@fairlead/apimachinery';
import { library } from './library/index.ts';
import type { Node } from './parse.ts';
import { CompileProblem, placeOf } from './problems.ts';
import type { Frame, Scope, Step } from './scope.ts';
import { type Type, typeName, types } from './types.ts';
import { CelError, List, MapValue, Optional, type Value } from './values.ts';

/** The variables of a loop, and their slots in the frame. */
interface Loop {
  readonly range: Step;
  readonly scope: Scope;
  readonly first: number;
  /** Undefined when the loop has one variable. */
  readonly second: number | undefined;
}

/** `x.all(v, …)` and its like: functions that bind variables. Undefined for any other name. */
export function compileMacro(name: string, call: MacroCall): Step | undefined {
  return macros[`${name}/${call.args.length}`]?.(call);
}

export interface MacroCall {
  /** Compiles the expressions inside the macro. */
  readonly compile: (node: Node, scope: Scope) => Step;
  readonly receiver: Node;
  readonly args: readonly Node[];
  readonly node: Node;
  readonly scope: Scope;
}

type Build = (call: MacroCall) => Step;

const macros: Readonly<Record<string, Build>> = {
  'all/2': (call) => quantifier(call, 1, 'all'),
  'all/3': (call) => quantifier(call, 2, 'all'),
  'exists/2': (call) => quantifier(call, 1, 'exists'),
  'exists/3': (call) => quantifier(call, 2, 'exists'),
  'exists_one/2': (call) => existsOne(call, 1),
  'existsOne/2': (call) => existsOne(call, 1),
  'exists_one/3': (call) => existsOne(call, 2),
  'existsOne/3': (call) => existsOne(call, 2),
  'map/2': (call) => transform(call, 1),
  'map/3': (call) => transform(call, 1),
  'filter/2': filter,
  'transformList/3': (call) => transform(call, 2),
  'transformList/4': (call) => transform(call, 2),
  'transformMap/3': transformMap,
  'transformMap/4': transformMap,
  'transformMapEntry/3': transformMapEntry,
  'transformMapEntry/4': transformMapEntry,
  'sortBy/2': sortBy,
  'optMap/2': (call) => optional(call, false),
  'optFlatMap/2': (call) => optional(call, true),
};

/** The elements that a loop iterates over: the items of a list (or indexes and items), the keys of a map (or keys and values). */
function loop({ compile, receiver, args, node, scope }: MacroCall, variables: 1 | 2): Loop {
  const range = compile(receiver, scope);
  const [firstType, secondType] = rangeTypes(range.type, variables, node);
  const first = variable(args, 0, firstType, scope);
  if (variables === 1) return { range, scope: first.scope, first: first.slot, second: undefined };
  const second = variable(args, 1, secondType, first.scope);
  return { range, scope: second.scope, first: first.slot, second: second.slot };
}

function variable(args: readonly Node[], index: number, type: Type, scope: Scope): ReturnType<Scope['with']> {
  const name = elementAt(args, index);
  if (name.op !== 'id') throw new CompileProblem('argument must be a simple name', placeOf(name));
  return scope.with(name.args, type);
}

/** The condition, if there is one, and the expression that follow the variables of a macro. */
function conditionAndResult(call: MacroCall, own: Loop): { test: (frame: Frame) => boolean; result: Node } {
  const [first, second] = call.args.slice(own.second === undefined ? 1 : 2);
  const result = must(second ?? first, 'the expression of a macro');
  return { test: second && first ? predicate(call, first, own.scope) : () => true, result };
}

function rangeTypes(type: Type, variables: 1 | 2, node: Node): [Type, Type] {
  switch (type.kind) {
    case 'list':
      return [variables === 1 ? type.item : types.int, type.item];
    case 'map':
      return [type.key, type.value];
    case 'dyn':
    case 'param':
      return [types.dyn, types.dyn];
    default:
      throw new CompileProblem(
        `expression of type '${typeName(type)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
        placeOf(node),
      );
  }
}

/** Runs `visit` with the variables set, once for each item, until it returns true. */
function each({ range, first, second }: Loop, frame: Frame, visit: (first: Value) => boolean | undefined): void {
  const value = range.run(frame);
  if (second === undefined) {
    for (const item of itemsOf(value)) {
      frame.budget.spend(2);
      frame.slots[first] = item;
      if (visit(item)) return;
    }
    return;
  }
  for (const [key, item] of entriesOf(value)) {
    frame.budget.spend(2);
    frame.slots[first] = key;
    frame.slots[second] = item;
    if (visit(key)) return;
  }
}

function itemsOf(value: Value): Iterable<Value> {
  if (value instanceof List) return value;
  if (value instanceof MapValue) return value.keys();
  throw noRange();
}

function* entriesOf(value: Value): Iterable<readonly [Value, Value]> {
  if (value instanceof List) {
    for (let i = 0; i < value.size; i++) yield [BigInt(i), value.at(i)];
  } else if (value instanceof MapValue) yield* value.entries();
  else throw noRange();
}

const noRange = () => new CelError('no such overload: comprehension over a value that is no list or map');

function predicate({ compile }: MacroCall, node: Node, scope: Scope): (frame: Frame) => boolean {
  const step = compile(node, scope);
  if (step.type.kind !== 'bool' && step.type.kind !== 'dyn' && step.type.kind !== 'param')
    throw new CompileProblem(`expected type 'bool' but found '${typeName(step.type)}'`, placeOf(node));
  return (frame) => {
    const value = step.run(frame);
    if (typeof value !== 'boolean') throw new CelError('no such overload: predicate must be a bool');
    return value;
  };
}

/** One item decides the result, even if others fail. */
function quantifier(call: MacroCall, variables: 1 | 2, name: 'all' | 'exists'): Step {
  const own = loop(call, variables);
  const test = predicate(call, elementAt(call.args, variables), own.scope);
  const deciding = name === 'exists';
  return {
    type: types.bool,
    run: (frame) => {
      let failure: CelError | undefined;
      let decided = false;
      each(own, frame, () => {
        try {
          decided = test(frame) === deciding;
        } catch (error) {
          if (!(error instanceof CelError)) throw error;
          failure ??= error;
        }
        return decided;
      });
      if (!decided && failure) throw failure;
      return decided ? deciding : !deciding;
    },
  };
}

function existsOne(call: MacroCall, variables: 1 | 2): Step {
  const own = loop(call, variables);
  const test = predicate(call, elementAt(call.args, variables), own.scope);
  return {
    type: types.bool,
    run: (frame) => {
      let count = 0;
      each(own, frame, () => {
        if (test(frame)) count++;
        return undefined;
      });
      return count === 1;
    },
  };
}

function transform(call: MacroCall, variables: 1 | 2): Step {
  const own = loop(call, variables);
  const { test, result } = conditionAndResult(call, own);
  const step = call.compile(result, own.scope);
  return {
    type: types.list(step.type),
    run: (frame) => {
      const items: Value[] = [];
      each(own, frame, () => {
        if (test(frame)) items.push(step.run(frame));
        return undefined;
      });
      return List.of(items);
    },
  };
}

function filter(call: MacroCall): Step {
  const own = loop(call, 1);
  const test = predicate(call, elementAt(call.args, 1), own.scope);
  const { type } = own.range;
  const item = type.kind === 'list' ? type.item : type.kind === 'map' ? type.key : types.dyn;
  return {
    type: types.list(item),
    run: (frame) => {
      const items: Value[] = [];
      each(own, frame, (item) => {
        if (test(frame)) items.push(item);
        return undefined;
      });
      return List.of(items);
    },
  };
}

function transformMap(call: MacroCall): Step {
  const own = loop(call, 2);
  const { test, result } = conditionAndResult(call, own);
  const step = call.compile(result, own.scope);
  const { type } = own.range;
  const key = type.kind === 'map' ? type.key : type.kind === 'list' ? types.int : types.dyn;
  return {
    type: types.map(key, step.type),
    run: (frame) => {
      const entries: [Value, Value][] = [];
      each(own, frame, (key) => {
        if (test(frame)) entries.push([key, step.run(frame)]);
        return undefined;
      });
      return MapValue.of(entries);
    },
  };
}

function transformMapEntry(call: MacroCall): Step {
  const own = loop(call, 2);
  const { test, result } = conditionAndResult(call, own);
  const step = call.compile(result, own.scope);
  if (step.type.kind !== 'map' && step.type.kind !== 'dyn')
    throw new CompileProblem(`expected a map but found '${typeName(step.type)}'`, placeOf(result));
  return {
    type: step.type,
    run: (frame) => {
      const entries = new Map<string, [Value, Value]>();
      const collected: [Value, Value][] = [];
      each(own, frame, () => {
        if (!test(frame)) return undefined;
        const made = step.run(frame);
        if (!(made instanceof MapValue)) throw new CelError('no such overload: transformMapEntry');
        for (const [key, value] of made.entries()) {
          if (entries.has(String(key))) throw new CelError(`insert failed: key ${String(key)} already exists`);
          entries.set(String(key), [key, value]);
          collected.push([key, value]);
        }
        return undefined;
      });
      return MapValue.of(collected);
    },
  };
}

function sortBy(call: MacroCall): Step {
  const own = loop(call, 1);
  const key = call.compile(elementAt(call.args, 1), own.scope);
  const resolved = library.resolve('@sortByAssociatedKeys', true, [own.range.type, types.list(key.type)]);
  if (!resolved || own.range.type.kind === 'map')
    throw new CompileProblem('sortBy can only be applied to a list', placeOf(call.node));
  return {
    type: resolved.result,
    run: (frame) => {
      const items: Value[] = [];
      const keys: Value[] = [];
      each(own, frame, (item) => {
        items.push(item);
        keys.push(key.run(frame));
        return undefined;
      });
      return resolved.run([List.of(items), List.of(keys)], frame.budget);
    },
  };
}

/** `opt.optMap(v, …)`: applies the expression to the value, if there is one. */
function optional({ compile, receiver, args, node, scope }: MacroCall, flat: boolean): Step {
  const operand = compile(receiver, scope);
  const { type } = operand;
  if (type.kind !== 'optional' && type.kind !== 'dyn')
    throw new CompileProblem(`expected an optional but found '${typeName(type)}'`, placeOf(node));
  const added = variable(args, 0, type.kind === 'optional' ? type.of : types.dyn, scope);
  const step = compile(elementAt(args, 1), added.scope);
  if (flat && step.type.kind !== 'optional' && step.type.kind !== 'dyn')
    throw new CompileProblem(`expected an optional but found '${typeName(step.type)}'`, placeOf(node));
  return {
    type: flat ? step.type : types.optional(step.type),
    run: (frame) => {
      const value = operand.run(frame);
      if (!(value instanceof Optional)) throw new CelError('no such overload: optMap');
      if (!value.hasValue) return Optional.none;
      frame.slots[added.slot] = value.value;
      const made = step.run(frame);
      return flat ? made : new Optional(made);
    },
  };
}
