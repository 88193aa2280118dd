import type { Budget } from './budget.ts';
import { LuaError, LuaTable, type LuaValue, toNumber, typeName } from './values.ts';

/** What operators need to call functions that tables bring for them. */
export interface Operators {
  readonly budget: Budget;
  readonly stringMethods: LuaTable | undefined;
  call(callee: LuaValue, args: readonly LuaValue[]): readonly LuaValue[];
}

export const metamethod = (_: Operators, value: LuaValue, name: string): LuaValue =>
  value instanceof LuaTable ? value.metatable?.get(name) : undefined;

/** The longest chain of metatables that is followed. */
const longestChain = 100;

export function getIndex(lua: Operators, object: LuaValue, key: LuaValue, at = '', what = 'a value'): LuaValue {
  let here = object;
  for (let i = 0; i < longestChain; i++) {
    if (typeof here === 'string' && lua.stringMethods) return lua.stringMethods.get(key);
    if (!(here instanceof LuaTable))
      throw new LuaError(
        `${at}attempt to index ${what} (a ${typeName(here)} value)${typeof key === 'string' ? ` with key '${key}'` : ''}`,
      );
    const value = here.get(key);
    if (value !== undefined || !here.metatable) return value;
    const handler = here.metatable.get('__index');
    if (handler === undefined) return undefined;
    if (!(handler instanceof LuaTable)) return lua.call(handler, [here, key])[0];
    here = handler;
  }
  throw new LuaError(`${at}'__index' goes in circles`);
}

export function setIndex(
  lua: Operators,
  object: LuaValue,
  key: LuaValue,
  value: LuaValue,
  at = '',
  what = 'a value',
): void {
  let here = object;
  for (let i = 0; i < longestChain; i++) {
    if (!(here instanceof LuaTable)) throw new LuaError(`${at}attempt to index ${what} (a ${typeName(here)} value)`);
    const handler = here.metatable && here.get(key) === undefined ? here.metatable.get('__newindex') : undefined;
    if (handler === undefined) {
      if (key === undefined) throw new LuaError(`${at}table index is nil`);
      if (Number.isNaN(key)) throw new LuaError(`${at}table index is NaN`);
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
  throw new LuaError(`${at}'__newindex' goes in circles`);
}

const names: Readonly<Record<string, string>> = {
  '+': '__add',
  '-': '__sub',
  '*': '__mul',
  '/': '__div',
  '%': '__mod',
  '^': '__pow',
};

/** `negated` is what a minus sign stands before. */
export function arithmetic(
  lua: Operators,
  operator: string,
  left: LuaValue,
  right: LuaValue,
  at = '',
  negated?: LuaValue,
): LuaValue {
  const [a, b] = [toNumber(left), toNumber(right)];
  if (a !== undefined && b !== undefined) return calculate(operator, a, b);
  const name = negated === undefined ? names[operator]! : '__unm';
  const handler = metamethod(lua, left, name) ?? metamethod(lua, right, name);
  if (handler !== undefined) return lua.call(handler, [left, right])[0];
  throw new LuaError(`${at}attempt to perform arithmetic on a ${typeName(a === undefined ? left : right)} value`);
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

export function compare(lua: Operators, operator: '<' | '<=', left: LuaValue, right: LuaValue, at = ''): boolean {
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
  const [a, b] = [typeName(left), typeName(right)];
  throw new LuaError(a === b ? `${at}attempt to compare two ${a} values` : `${at}attempt to compare ${a} with ${b}`);
}

export function lengthOf(lua: Operators, value: LuaValue, at = ''): LuaValue {
  if (typeof value === 'string') return value.length;
  const handler = metamethod(lua, value, '__len');
  if (handler !== undefined) return lua.call(handler, [value])[0];
  if (value instanceof LuaTable) return value.length;
  throw new LuaError(`${at}attempt to get length of a ${typeName(value)} value`);
}
