import type { Interpreter } from './interpreter.ts';
import { badArgument, type Library, numberAt, tableAt, textAt, unpack } from './library-base.ts';
import { compare } from './operators.ts';
import { display, isTrue, LuaError, type LuaTable, type LuaValue, typeName } from './values.ts';

export function tableLibrary(lua: Interpreter): Library {
  return {
    concat: (...args) => {
      const table = tableAt(args, 1, 'concat');
      const separator = args[1] === undefined ? '' : textAt(args, 2, 'concat');
      const [from, to] = [numberAt(args, 3, 'concat', 1), numberAt(args, 4, 'concat', table.length)];
      let text = '';
      for (let i = from; i <= to; i++) {
        lua.budget.step();
        const value = table.get(i);
        if (typeof value !== 'string' && typeof value !== 'number')
          throw new LuaError(`invalid value (${typeName(value)}) at index ${i} in table for concat`);
        const part = i === from ? display(value) : separator + display(value);
        lua.budget.allocate(part.length);
        text += part;
      }
      return [text];
    },
    getn: (...args) => [tableAt(args, 1, 'getn').length],
    insert: (...args) => {
      const table = tableAt(args, 1, 'insert');
      lua.budget.allocate(40);
      if (args.length === 2) table.set(table.length + 1, args[1]);
      else if (args.length === 3) insertAt(lua, table, numberAt(args, 2, 'insert'), args[2]);
      else throw new LuaError('wrong number of arguments');
      return [];
    },
    maxn: (...args) => {
      const table = tableAt(args, 1, 'maxn');
      let most = 0;
      for (let entry = table.next(undefined); entry; entry = table.next(entry[0])) {
        lua.budget.step();
        if (typeof entry[0] === 'number') most = Math.max(most, entry[0]);
      }
      return [most];
    },
    remove: (...args) => {
      const table = tableAt(args, 1, 'remove');
      const at = numberAt(args, 2, 'remove', table.length);
      if (at < 1 || at > table.length) return [undefined];
      const [removed] = table.list.splice(at - 1, 1);
      return [removed];
    },
    sort: (...args) => {
      const table = tableAt(args, 1, 'sort');
      const by = args[1];
      const before = (a: LuaValue, b: LuaValue): boolean =>
        by === undefined ? compare(lua, '<', a, b) : isTrue(lua.call(by, [a, b])[0]);
      table.list.sort((a, b) => {
        lua.budget.step();
        return before(a, b) ? -1 : before(b, a) ? 1 : 0;
      });
      return [];
    },
    unpack: (...args) => unpack(lua, args),
  };
}

function insertAt(lua: Interpreter, table: LuaTable, at: number, value: LuaValue): void {
  if (at < 1 || at > table.length + 1) throw badArgument(2, 'insert', 'position out of bounds');
  if (at === table.length + 1) table.set(at, value);
  else table.list.splice(at - 1, 0, value);
  lua.budget.step();
}
