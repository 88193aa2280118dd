import { elementAt } from '@fairlead/apimachinery';
import type { Budget } from './budget.ts';
import {
  type Bindings,
  bind,
  hasDyn,
  isAssignable,
  join,
  parseType,
  splitTopLevel,
  type Type,
  typeName,
  types,
} from './types.ts';
import { CelError, isValueOf, type Value } from './values.ts';

/** One overload of a function: its parameters, its result and its implementation. */
export interface Overload {
  readonly name: string;
  /** Called on its first parameter: `x.f(y)`. */
  readonly member: boolean;
  readonly params: readonly Type[];
  readonly result: Type;
  run(args: readonly Value[], budget: Budget): Value;
}

type Run = (...args: never[]) => Value;
/** The cost of a call in addition to the basic one. */
export type Cost = (args: readonly Value[]) => number;

export const sizeOf = (value: Value): number => {
  if (typeof value === 'string' || value instanceof Uint8Array) return value.length;
  return typeof value === 'object' && value !== null && 'size' in value ? value.size : 1;
};

/** A tenth of a step per character read. */
export const perCharacter: Cost = (args) => args.reduce<number>((sum, arg) => sum + sizeOf(arg), 0) / 10;
export const perItem: Cost = (args) => args.reduce<number>((sum, arg) => sum + sizeOf(arg), 0);
export const perPair: Cost = ([left = null, right = null]) => sizeOf(left) * sizeOf(right);

/** `string.startsWith(string): bool` or `size(list<A>): int`, with its implementation. */
export function overload(signature: string, run: Run, cost?: Cost): Overload {
  const match = /^(?:([^(]+)\.)?([\w.]+|_[^\w]+_|[^\w]_)\((.*)\): (.+)$/.exec(signature);
  if (!match) throw new Error(`not a signature: ${signature}`);
  const [, receiver, name = '', params = '', result = ''] = match;
  const call = run as unknown as (...args: readonly Value[]) => Value;
  return {
    name,
    member: receiver !== undefined,
    params: [...(receiver ? [receiver] : []), ...splitTopLevel(params)].map(parseType),
    result: parseType(result),
    run: (args, budget) => {
      budget.spend(cost ? 1 + cost(args) : 1);
      return call(...args);
    },
  };
}

/** A namespaced function (`sets.contains`), whose name contains a dot. */
export function namespaced(name: string, signature: string, run: Run, cost?: Cost): Overload {
  return { ...overload(signature, run, cost), name };
}

export class Overloads {
  readonly #byName = new Map<string, Overload[]>();

  constructor(overloads: Iterable<Overload>) {
    for (const one of overloads) {
      const key = keyOf(one.name, one.member);
      const list = this.#byName.get(key);
      if (list) list.push(one);
      else this.#byName.set(key, [one]);
    }
  }

  has(name: string, member: boolean): boolean {
    return this.#byName.has(keyOf(name, member));
  }

  /** The overload for a call, or undefined if none accepts these types. */
  resolve(name: string, member: boolean, args: readonly Type[]): Resolved | undefined {
    const candidates: { overload: Overload; result: Type }[] = [];
    for (const one of this.#byName.get(keyOf(name, member)) ?? []) {
      const bindings: Bindings = new Map();
      const fits =
        one.params.length === args.length && one.params.every((p, i) => isAssignable(p, elementAt(args, i), bindings));
      if (fits) candidates.push({ overload: one, result: bind(one.result, bindings) });
    }
    const [first] = candidates;
    if (!first) return undefined;
    const result = candidates.map((c) => c.result).reduce((all, r) => join(all, r) ?? types.dyn);
    const overloads = candidates.map((c) => c.overload);
    const choose = (values: readonly Value[], budget: Budget) => dispatch(overloads, name, values, budget);
    if (overloads.length > 1 || args.some(hasDyn)) return { result, run: choose };
    const { run } = first.overload;
    // Any field may be null at runtime, regardless of its type.
    return { result, run: (values, budget) => (values.includes(null) ? choose : run)(values, budget) };
  }
}

export interface Resolved {
  readonly result: Type;
  run(args: readonly Value[], budget: Budget): Value;
}

function dispatch(overloads: readonly Overload[], name: string, args: readonly Value[], budget: Budget): Value {
  const found = overloads.find((one) => one.params.every((param, i) => isValueOf(param, args[i] ?? null)));
  if (!found) throw new CelError(`no such overload: ${name}`);
  return found.run(args, budget);
}

const keyOf = (name: string, member: boolean): string => (member ? `.${name}` : name);

export const describeCall = (name: string, member: boolean, args: readonly Type[]): string => {
  const names = args.map(typeName);
  const applied = member ? `${names[0]}.(${names.slice(1).join(', ')})` : `(${names.join(', ')})`;
  return `found no matching overload for '${name}' applied to '${applied}'`;
};
