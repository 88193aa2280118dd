import type { Json } from '@fairlead/apimachinery';
import { limits as limitTable } from '@fairlead/kube/limits';
import { Budget, type Limits } from './budget.ts';
import { Interpreter } from './interpreter.ts';
import { baseLibrary, fill } from './library-base.ts';
import { mathLibrary } from './library-math.ts';
import { osLibrary } from './library-os.ts';
import { stringLibrary } from './library-string.ts';
import { tableLibrary } from './library-table.ts';
import { parse } from './parser.ts';
import type { FunctionBody } from './syntax.ts';
import { display, LuaTable, type LuaValue } from './values.ts';

export { LuaError, LuaLimit, LuaSyntaxError } from './values.ts';
export type { Limits };

const defaultLimits: Limits = {
  timeMs: limitTable.luaCpuMs,
  steps: 5_000_000,
  memory: limitTable.luaMemoryBytes,
  now: () => performance.now(),
};

export interface LuaOptions extends Partial<Limits> {
  /** The time for scripts, in milliseconds. */
  readonly clock?: () => number;
  /** The table `actionParams` of resource actions. */
  readonly parameters?: Readonly<Record<string, string>>;
}

/** A script that is parsed once and run on many objects. */
export interface LuaScript {
  /** Its first result with `obj` set, as JSON. Throws the error of the script, or the limit that it exceeded. */
  run(object: Json, options?: LuaOptions): Json | undefined;
}

/** Throws if the source is not a valid program. */
export function loadLua(source: string): LuaScript {
  const program = parse(bytes(source));
  return { run: (object, options = {}) => runProgram(program, object, options) };
}

function runProgram(
  program: FunctionBody,
  object: Json,
  { clock = Date.now, parameters = {}, ...limits }: LuaOptions,
): Json | undefined {
  const budget = new Budget({ ...defaultLimits, ...limits });
  const globals = new LuaTable();
  const lua = new Interpreter(globals, budget);
  fill(globals, baseLibrary(lua));
  lua.stringMethods = fill(new LuaTable(), stringLibrary(lua));
  globals.set('_G', globals);
  globals.set('string', lua.stringMethods);
  globals.set('table', fill(new LuaTable(), tableLibrary(lua)));
  const math = fill(new LuaTable(), mathLibrary());
  math.set('pi', Math.PI);
  math.set('huge', Number.POSITIVE_INFINITY);
  globals.set('math', math);
  globals.set('os', fill(new LuaTable(), osLibrary(clock)));
  globals.set('actionParams', toLua(parameters));
  globals.set('obj', toLua(object));
  const [result] = lua.run(program);
  return toJson(result, new Set());
}

/** Strings in Lua are bytes. Nearly all are ASCII, which needs no conversion. */
const bytes = (text: string): string =>
  /^[\0-\x7f]*$/u.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
const fromBytes = (text: string): string =>
  /^[\0-\x7f]*$/u.test(text) ? text : Buffer.from(text, 'latin1').toString('utf8');

function toLua(value: Json): LuaValue {
  if (value === null) return undefined;
  if (typeof value === 'string') return bytes(value);
  if (typeof value !== 'object') return value;
  const table = new LuaTable();
  if (Array.isArray(value)) for (const item of value) table.set(table.length + 1, toLua(item));
  else for (const [name, inner] of Object.entries(value)) table.set(bytes(name), toLua(inner));
  return table;
}

/** An empty table is an empty list: Lua does not distinguish them, and Argo CD's scripts count on this. */
function toJson(value: LuaValue, around: Set<LuaTable>): Json | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string') return fromBytes(value);
  if (!(value instanceof LuaTable)) return typeof value === 'object' ? display(value) : value;
  if (around.has(value)) throw new Error('the result contains itself');
  around.add(value);
  const entries: [string, Json][] = [];
  for (let entry = value.next(undefined); entry; entry = value.next(entry[0])) {
    const inner = toJson(entry[1], around);
    if (inner !== undefined) entries.push([fromBytes(display(entry[0])), inner]);
  }
  around.delete(value);
  const isList = entries.length === value.length;
  return isList ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}
