import {
  byteLength,
  GoMap,
  GoObject,
  GoSlice,
  type GoValue,
  int,
  isFunction,
  itemsOf,
  typeOf,
} from '@fairlead/render/go-template';
import { fetchMember } from '../members.ts';
import { equal, sublist } from '../operations.ts';
import { fail, isPlainInt, toIndex, typeText } from '../values.ts';
import type { Builtin } from './builtin.ts';
import { sorted } from './predicates.ts';

const items = (value: GoValue, doing: string): GoValue[] =>
  itemsOf(value) ?? fail(`cannot ${doing} ${typeText(value)}`);

function lengthOf(value: GoValue): number {
  if (typeof value === 'string') return [...value].length;
  if (value instanceof GoMap) return value.size;
  return itemsOf(value)?.length ?? fail(`invalid argument for len (type ${typeText(value)})`);
}

/** An element by its index, or nil if there is none. */
const elementAt = (value: GoValue, index: number): GoValue => {
  if (typeof value === 'string') return byteLength(value) > 0 ? fetchMember(value, int(index)) : null;
  return itemsOf(value)?.at(index) ?? null;
};

function flatten(list: readonly GoValue[], depth = 0): GoValue[] {
  if (depth > 100) return fail('recursion depth exceeded');
  return list.flatMap((item) => {
    const inner = itemsOf(item);
    return inner ? flatten(inner, depth + 1) : [item];
  });
}

function uniq(list: readonly GoValue[]): GoValue[] {
  const seen: GoValue[] = [];
  for (const item of list) if (!seen.some((one) => equal(one, item))) seen.push(item);
  return seen;
}

/** The name of a type, as `type` gives it. */
function typeWord(value: GoValue): string {
  const type = typeOf(value);
  if (!type) return 'nil';
  if (type.named && value instanceof GoObject) return type.name.replace(/^\*/u, '');
  if (type.named) return type.name;
  if (isFunction(value)) return 'func';
  if (type.kind === 'slice') return 'array';
  if (type.kind.startsWith('uint')) return 'uint';
  if (/^int\d*$/u.test(type.kind)) return 'int';
  return type.kind === 'float64' ? 'float' : type.kind;
}

export const listBuiltins: Readonly<Record<string, Builtin>> = {
  len: ([value]) => int(lengthOf(value)),
  type: ([value]) => typeWord(value),
  first: ([list]) => elementAt(list, 0),
  last: ([list]) => elementAt(list, -1),
  take: ([list, count]) => {
    if (!isPlainInt(count)) return fail(`cannot take ${typeText(count)} elements`);
    const end = toIndex(count);
    return end < 0 ? fail(`cannot take ${end} elements`) : sublist(list, items(list, 'take from').slice(0, end));
  },
  reverse: ([list], { budget }) => {
    budget.grow(items(list, 'reverse').length);
    return items(list, 'reverse').toReversed();
  },
  uniq: ([list], { budget }) => {
    const all = items(list, 'uniq');
    for (let i = 0; i < all.length; i++) budget.grow(i);
    return uniq(all);
  },
  concat: (lists, { budget }) => {
    const all = lists.flatMap((list) => items(list, 'concat'));
    budget.grow(all.length);
    return all;
  },
  flatten: ([list], { budget }) => {
    const all = flatten(items(list, 'flatten'));
    budget.grow(all.length);
    return all;
  },
  // Bytes, and whatever is not a list, sort as an empty list.
  sort: ([list, order = 'asc'], { budget }) => {
    const all = list instanceof GoSlice && list.type.elem?.kind === 'uint8' ? [] : (itemsOf(list) ?? []);
    budget.grow(all.length);
    return sorted(all, (item) => item, order);
  },
};
