import { messageOf } from '@fairlead/apimachinery/primitives';
import type { Interpreter } from './interpreter.ts';
import { metamethod } from './operators.ts';
import {
  display,
  isTrue,
  LuaError,
  type LuaFunction,
  LuaLimit,
  LuaTable,
  type LuaValue,
  toNumber,
  typeName,
} from './values.ts';

export type Library = Readonly<Record<string, (...args: LuaValue[]) => readonly LuaValue[]>>;

export function fill(table: LuaTable, library: Library): LuaTable {
  for (const [name, run] of Object.entries(library)) {
    const made: LuaFunction = { name, call: (args) => run(...args) };
    table.set(name, made);
  }
  return table;
}

/** Throws the argument error of Lua. */
export const badArgument = (place: number, name: string, what: string): LuaError =>
  new LuaError(`bad argument #${place} to ${name} (${what})`);

export function tableAt(args: readonly LuaValue[], place: number, name: string): LuaTable {
  const value = args[place - 1];
  if (value instanceof LuaTable) return value;
  throw badArgument(place, name, `table expected, got ${typeName(value)}`);
}

export function numberAt(args: readonly LuaValue[], place: number, name: string, otherwise?: number): number {
  const value = args[place - 1];
  if (value === undefined && otherwise !== undefined) return otherwise;
  const number = toNumber(value);
  if (number !== undefined) return number;
  throw badArgument(place, name, `number expected, got ${typeName(value)}`);
}

export function textAt(args: readonly LuaValue[], place: number, name: string): string {
  const value = args[place - 1];
  if (typeof value === 'string' || typeof value === 'number') return display(value);
  throw badArgument(place, name, `string expected, got ${typeName(value)}`);
}

export function toText(lua: Interpreter, value: LuaValue): string {
  const handler = metamethod(lua, value, '__tostring');
  return handler === undefined ? display(value) : display(lua.call(handler, [value])[0]);
}

/** The base library. Nothing here has side effects: `print` prints nothing, and there is no `load` and no `dofile`. */
export function baseLibrary(lua: Interpreter): Library {
  const step: LuaFunction = {
    name: 'ipairs_iterator',
    // A script can call it with anything: it is the first result of `ipairs`.
    call: (args) => {
      const next = numberAt(args, 2, 'ipairs_iterator') + 1;
      const value = tableAt(args, 1, 'ipairs_iterator').get(next);
      return value === undefined ? [] : [next, value];
    },
  };
  const next = (...args: LuaValue[]): readonly LuaValue[] => tableAt(args, 1, 'next').next(args[1]) ?? [undefined];
  const nextFunction: LuaFunction = { name: 'next', call: (args) => next(...args) };
  const attempt = (
    run: () => readonly LuaValue[],
    failed: (value: LuaValue) => readonly LuaValue[],
  ): readonly LuaValue[] => {
    const { depth } = lua.budget;
    try {
      return [true, ...run()];
    } catch (error) {
      if (error instanceof LuaLimit) throw error;
      lua.budget.depth = depth;
      return [false, ...failed(error instanceof LuaError ? error.value : messageOf(error))];
    }
  };
  return {
    assert: (...args) => {
      if (isTrue(args[0])) return args;
      throw new LuaError(args.length > 1 ? args[1] : 'assertion failed!');
    },
    error: (value, level) => {
      throw new LuaError(value, toNumber(level) ?? 1);
    },
    getmetatable: (value) => {
      const metatable = value instanceof LuaTable ? value.metatable : undefined;
      return [metatable?.get('__metatable') ?? metatable];
    },
    setmetatable: (...args) => {
      const table = tableAt(args, 1, 'setmetatable');
      const metatable = args[1] === undefined ? undefined : tableAt(args, 2, 'setmetatable');
      if (table.metatable?.get('__metatable') !== undefined) throw new LuaError('cannot change a protected metatable');
      table.metatable = metatable;
      return [table];
    },
    ipairs: (...args) => [step, tableAt(args, 1, 'ipairs'), 0],
    pairs: (...args) => [nextFunction, tableAt(args, 1, 'pairs'), undefined],
    next,
    pcall: (callee, ...args) =>
      attempt(
        () => lua.call(callee, args),
        (value) => [value],
      ),
    xpcall: (callee, handler) =>
      attempt(
        () => lua.call(callee, []),
        (value) => lua.call(handler, [value]),
      ),
    print: () => [],
    rawequal: (a, b) => [a === b],
    rawget: (...args) => [tableAt(args, 1, 'rawget').get(args[1])],
    rawset: (...args) => {
      lua.budget.allocate(40);
      tableAt(args, 1, 'rawset').set(args[1], args[2]);
      return [args[0]];
    },
    select: (n, ...args) => {
      if (n === '#') return [args.length];
      const at = numberAt([n], 1, 'select');
      return args.slice(at < 0 ? args.length + at : at - 1);
    },
    tonumber: (value, base) => [
      base === undefined ? toNumber(value) : inBase(display(value), numberAt([value, base], 2, 'tonumber')),
    ],
    tostring: (value) => [toText(lua, value)],
    type: (...args) => {
      if (args.length === 0) throw badArgument(1, 'type', 'value expected');
      return [typeName(args[0])];
    },
    unpack: (...args) => unpack(lua, args),
    require: (name) => {
      const module = typeof name === 'string' ? lua.globals.get(name) : undefined;
      if (module instanceof LuaTable) return [module];
      throw new LuaError(`module '${display(name)}' not found: scripts have os, string, table and math`);
    },
  };
}

export function unpack(lua: Interpreter, args: readonly LuaValue[]): readonly LuaValue[] {
  const table = tableAt(args, 1, 'unpack');
  const [from, to] = [numberAt(args, 2, 'unpack', 1), numberAt(args, 3, 'unpack', table.length)];
  lua.budget.allocate(Math.max(0, to - from) * 8);
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => table.get(from + i));
}

function inBase(text: string, base: number): number | undefined {
  const digits = text
    .trim()
    .toLowerCase()
    .replace(base === 16 ? /^0x/u : /^(?!)/u, '');
  const values = [...digits].map((digit) => Number.parseInt(digit, 36));
  if (digits === '' || values.some((value) => Number.isNaN(value) || value >= base)) return undefined;
  return values.reduce((sum, value) => sum * base + value, 0);
}
