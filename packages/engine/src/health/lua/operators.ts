import type { Budget } from './budget.ts';
import { display, LuaError, LuaTable, type LuaValue, toNumber, typeName } from './values.ts';

/** What operators need to call metamethods. */
export interface Operators {
  readonly budget: Budget;
  readonly stringMethods: LuaTable | undefined;
  call(callee: LuaValue, args: readonly LuaValue[]): readonly LuaValue[];
}

export const metamethod = (_: Operators, value: LuaValue, name: string): LuaValue =>
  value instanceof LuaTable ? value.metatable?.get(name) : undefined;

/** The longest chain of metatables that is followed. */
const longestChain = 100;

export function getIndex(lua: Operators, object: LuaValue, key: LuaValue, line = 0): LuaValue {
  let here = object;
  for (let i = 0; i < longestChain; i++) {
    if (typeof here === 'string' && lua.stringMethods) return lua.stringMethods.get(key);
    if (!(here instanceof LuaTable)) throw notIndexable(here, key, line);
    const value = here.get(key);
    if (value !== undefined || !here.metatable) return value;
    const handler = here.metatable.get('__index');
    if (handler === undefined) return undefined;
    if (!(handler instanceof LuaTable)) return lua.call(handler, [here, key])[0];
    here = handler;
  }
  throw LuaError.at(line, 'too many recursions in gettable');
}

const notIndexable = (value: LuaValue, key: LuaValue, line: number): LuaError =>
  LuaError.at(line, `attempt to index a non-table object(${typeName(value)}) with key '${display(key)}'`);

export function setIndex(lua: Operators, object: LuaValue, key: LuaValue, value: LuaValue, line = 0): void {
  let here = object;
  for (let i = 0; i < longestChain; i++) {
    if (!(here instanceof LuaTable)) throw notIndexable(here, key, line);
    const handler = here.metatable && here.get(key) === undefined ? here.metatable.get('__newindex') : undefined;
    if (handler === undefined) {
      if (key === undefined) throw LuaError.at(line, 'table index is nil');
      if (Number.isNaN(key)) throw LuaError.at(line, 'table index is NaN');
      lua.budget.allocate(40);
      here.set(key, value);
      return;
    }
    if (!(handler instanceof LuaTable)) {
      lua.call(handler, [here, key, value]);
      return;
    }
    here = handler;
  }
  throw LuaError.at(line, 'too many recursions in settable');
}

const names: Readonly<Record<string, string>> = {
  '+': '__add',
  '-': '__sub',
  '*': '__mul',
  '/': '__div',
  '%': '__mod',
  '^': '__pow',
};

export function arithmetic(lua: Operators, operator: string, left: LuaValue, right: LuaValue, line = 0): LuaValue {
  const [a, b] = [toNumber(left), toNumber(right)];
  if (a !== undefined && b !== undefined) return calculate(operator, a, b);
  const name = names[operator]!;
  const handler = metamethod(lua, left, name) ?? metamethod(lua, right, name);
  if (handler !== undefined) return lua.call(handler, [left, right])[0];
  const operation = name.replace('__', '');
  throw LuaError.at(line, `cannot perform ${operation} operation between ${typeName(left)} and ${typeName(right)}`);
}

export function negate(lua: Operators, value: LuaValue, line = 0): LuaValue {
  const number = toNumber(value);
  if (number !== undefined) return -number;
  const handler = metamethod(lua, value, '__unm');
  if (handler !== undefined) return lua.call(handler, [value])[0];
  throw LuaError.at(line, '__unm undefined');
}

function calculate(operator: string, a: number, b: number): number {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    case '%':
      return a - Math.floor(a / b) * b;
    default:
      return a ** b;
  }
}

export function equals(lua: Operators, left: LuaValue, right: LuaValue): boolean {
  if (left === right) return true;
  if (!(left instanceof LuaTable) || !(right instanceof LuaTable)) return false;
  const handler = left.metatable?.get('__eq');
  if (handler === undefined || handler !== right.metatable?.get('__eq')) return false;
  const [answer] = lua.call(handler, [left, right]);
  return answer !== undefined && answer !== false;
}

export function compare(lua: Operators, operator: '<' | '<=', left: LuaValue, right: LuaValue, line = 0): boolean {
  const comparable =
    (typeof left === 'number' && typeof right === 'number') || (typeof left === 'string' && typeof right === 'string');
  if (comparable) return operator === '<' ? left < right : left <= right;
  const handler =
    metamethod(lua, left, operator === '<' ? '__lt' : '__le') ??
    metamethod(lua, right, operator === '<' ? '__lt' : '__le');
  if (handler !== undefined) {
    const [answer] = lua.call(handler, [left, right]);
    return answer !== undefined && answer !== false;
  }
  throw LuaError.at(line, `attempt to compare ${typeName(left)} with ${typeName(right)}`);
}

export function lengthOf(lua: Operators, value: LuaValue, line = 0): LuaValue {
  if (typeof value === 'string') return value.length;
  const handler = metamethod(lua, value, '__len');
  if (handler !== undefined) return lua.call(handler, [value])[0];
  if (value instanceof LuaTable) return value.length;
  throw LuaError.at(line, '__len undefined');
}
