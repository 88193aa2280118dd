import type { Lua } from '../../src/health/lua/lua.ts';
import { type LuaOptions, loadLua } from '../../src/health/lua/run-lua.ts';

/** Runs scripts in this process: a test of the interpreter needs no sandbox. */
export const inProcessLua = (options: LuaOptions = {}): Lua => ({
  run: async (source, object) => loadLua(source).run(object, options),
  active: 0,
  close: async () => {},
});
