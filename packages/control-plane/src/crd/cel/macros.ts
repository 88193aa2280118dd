import { compileNode } from './compile.ts';
import { library } from './library/index.ts';
import type { Node } from './parse.ts';
import { CompileProblem, placeOf } from './problems.ts';
import type { Frame, Scope, Step } from './scope.ts';
import { type Type, typeName, types } from './types.ts';
import { CelError, List, MapValue, Optional, type Value } from './values.ts';

/** The variables of a loop, and the places that they have. */
interface Loop {
  readonly range: Step;
  readonly scope: Scope;
  readonly slots: readonly number[];
}

/** `x.all(v, …)` and its like: functions that bind variables. Undefined for any other name. */
export function compileMacro(
  name: string,
  receiver: Node,
  args: readonly Node[],
  node: Node,
  scope: Scope,
): Step | undefined {
  const build = macros[`${name}/${args.length}`];
  if (!build) return undefined;
  return build({ receiver, args, node, scope });
}

interface Call {
  readonly receiver: Node;
  readonly args: readonly Node[];
  readonly node: Node;
  readonly scope: Scope;
}

type Build = (call: Call) => Step;

const macros: Readonly<Record<string, Build>> = {
  'all/2': (call) => quantifier(call, 1, 'all'),
  'all/3': (call) => quantifier(call, 2, 'all'),
  'exists/2': (call) => quantifier(call, 1, 'exists'),
  'exists/3': (call) => quantifier(call, 2, 'exists'),
  'exists_one/2': (call) => existsOne(call, 1),
  'existsOne/2': (call) => existsOne(call, 1),
  'exists_one/3': (call) => existsOne(call, 2),
  'existsOne/3': (call) => existsOne(call, 2),
  'map/2': (call) => transform(call, 1, undefined, call.args[1]!),
  'map/3': (call) => transform(call, 1, call.args[1]!, call.args[2]!),
  'filter/2': filter,
  'transformList/3': (call) => transform(call, 2, undefined, call.args[2]!),
  'transformList/4': (call) => transform(call, 2, call.args[2]!, call.args[3]!),
  'transformMap/3': (call) => transformMap(call, undefined, call.args[2]!),
  'transformMap/4': (call) => transformMap(call, call.args[2]!, call.args[3]!),
  'transformMapEntry/3': (call) => transformMapEntry(call, undefined, call.args[2]!),
  'transformMapEntry/4': (call) => transformMapEntry(call, call.args[2]!, call.args[3]!),
  'sortBy/2': sortBy,
  'optMap/2': (call) => optional(call, false),
  'optFlatMap/2': (call) => optional(call, true),
};

/** What a loop goes over: the items of a list (or places and items), the keys of a map (or keys and values). */
function loop({ receiver, args, node, scope }: Call, variables: 1 | 2): Loop {
  const range = compileNode(receiver, scope);
  const [first, second] = rangeTypes(range.type, variables, node);
  let inner = scope;
  const slots: number[] = [];
  for (const [i, type] of [first, second].slice(0, variables).entries()) {
    const name = args[i]!;
    if (name.op !== 'id') throw new CompileProblem('argument must be a simple name', placeOf(name));
    const added = inner.with(name.args, type!);
    inner = added.scope;
    slots.push(added.slot);
  }
  return { range, scope: inner, slots };
}

function rangeTypes(type: Type, variables: 1 | 2, node: Node): Type[] {
  switch (type.kind) {
    case 'list':
      return variables === 1 ? [type.item] : [types.int, type.item];
    case 'map':
      return variables === 1 ? [type.key] : [type.key, type.value];
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

/** Runs `visit` with the variables set, for each in turn, until it returns true. */
function each({ range, slots }: Loop, frame: Frame, visit: () => boolean | undefined): void {
  const value = range.run(frame);
  for (const [first, second] of entriesOf(value, slots.length)) {
    frame.budget.spend(2);
    frame.slots[slots[0]!] = first;
    if (slots.length > 1) frame.slots[slots[1]!] = second!;
    if (visit()) return;
  }
}

function* entriesOf(value: Value, variables: number): Iterable<readonly [Value, Value?]> {
  if (value instanceof List) {
    for (let i = 0; i < value.size; i++) yield variables === 1 ? [value.at(i)] : [BigInt(i), value.at(i)];
  } else if (value instanceof MapValue) {
    if (variables === 1) for (const key of value.keys()) yield [key];
    else yield* value.entries();
  } else throw new CelError('no such overload: comprehension over a value that is no list or map');
}

function predicate(node: Node, scope: Scope): (frame: Frame) => boolean {
  const step = compileNode(node, scope);
  if (step.type.kind !== 'bool' && step.type.kind !== 'dyn' && step.type.kind !== 'param')
    throw new CompileProblem(`expected type 'bool' but found '${typeName(step.type)}'`, placeOf(node));
  return (frame) => {
    const value = step.run(frame);
    if (typeof value !== 'boolean') throw new CelError('no such overload: predicate must be a bool');
    return value;
  };
}

/** An item that settles it settles it, even when others fail. */
function quantifier(call: Call, variables: 1 | 2, name: 'all' | 'exists'): Step {
  const own = loop(call, variables);
  const test = predicate(call.args[variables]!, own.scope);
  const settles = name === 'exists';
  return {
    type: types.bool,
    run: (frame) => {
      let failure: CelError | undefined;
      let settled = false;
      each(own, frame, () => {
        try {
          settled = test(frame) === settles;
        } catch (error) {
          if (!(error instanceof CelError)) throw error;
          failure ??= error;
        }
        return settled;
      });
      if (!settled && failure) throw failure;
      return settled ? settles : !settles;
    },
  };
}

function existsOne(call: Call, variables: 1 | 2): Step {
  const own = loop(call, variables);
  const test = predicate(call.args[variables]!, own.scope);
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

function transform(call: Call, variables: 1 | 2, condition: Node | undefined, change: Node): Step {
  const own = loop(call, variables);
  const test = condition ? predicate(condition, own.scope) : () => true;
  const step = compileNode(change, own.scope);
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

function filter(call: Call): Step {
  const own = loop(call, 1);
  const test = predicate(call.args[1]!, own.scope);
  const { type } = own.range;
  const item = type.kind === 'list' ? type.item : type.kind === 'map' ? type.key : types.dyn;
  return {
    type: types.list(item),
    run: (frame) => {
      const items: Value[] = [];
      each(own, frame, () => {
        if (test(frame)) items.push(frame.slots[own.slots[0]!]!);
        return undefined;
      });
      return List.of(items);
    },
  };
}

function transformMap(call: Call, condition: Node | undefined, change: Node): Step {
  const own = loop(call, 2);
  const test = condition ? predicate(condition, own.scope) : () => true;
  const step = compileNode(change, own.scope);
  const { type } = own.range;
  const key = type.kind === 'map' ? type.key : type.kind === 'list' ? types.int : types.dyn;
  return {
    type: types.map(key, step.type),
    run: (frame) => {
      const entries: [Value, Value][] = [];
      each(own, frame, () => {
        if (test(frame)) entries.push([frame.slots[own.slots[0]!]!, step.run(frame)]);
        return undefined;
      });
      return MapValue.of(entries);
    },
  };
}

function transformMapEntry(call: Call, condition: Node | undefined, change: Node): Step {
  const own = loop(call, 2);
  const test = condition ? predicate(condition, own.scope) : () => true;
  const step = compileNode(change, own.scope);
  if (step.type.kind !== 'map' && step.type.kind !== 'dyn')
    throw new CompileProblem(`expected a map but found '${typeName(step.type)}'`, placeOf(change));
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

function sortBy(call: Call): Step {
  const own = loop(call, 1);
  const key = compileNode(call.args[1]!, own.scope);
  const resolved = library.resolve('@sortByAssociatedKeys', true, [own.range.type, types.list(key.type)]);
  if (!resolved || own.range.type.kind === 'map')
    throw new CompileProblem('sortBy can only be applied to a list', placeOf(call.node));
  return {
    type: resolved.result,
    run: (frame) => {
      const items: Value[] = [];
      const keys: Value[] = [];
      each(own, frame, () => {
        items.push(frame.slots[own.slots[0]!]!);
        keys.push(key.run(frame));
        return undefined;
      });
      return resolved.run([List.of(items), List.of(keys)], frame.budget);
    },
  };
}

/** `opt.optMap(v, …)`: what is made of the value, where there is one. */
function optional({ receiver, args, node, scope }: Call, flat: boolean): Step {
  const operand = compileNode(receiver, scope);
  const { type } = operand;
  if (type.kind !== 'optional' && type.kind !== 'dyn')
    throw new CompileProblem(`expected an optional but found '${typeName(type)}'`, placeOf(node));
  const name = args[0]!;
  if (name.op !== 'id') throw new CompileProblem('argument must be a simple name', placeOf(name));
  const added = scope.with(name.args, type.kind === 'optional' ? type.of : types.dyn);
  const step = compileNode(args[1]!, added.scope);
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
