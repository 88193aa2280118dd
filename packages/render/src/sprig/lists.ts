import { deepEqual } from '../go-template/compare.ts';
import { fn } from '../go-template/function.ts';
import { compareStrings } from '../go-template/go-string.ts';
import { anySlice, sliceOf, stringSlice } from '../go-template/go-type.ts';
import {
  GoError,
  type GoFunction,
  GoInt,
  GoSlice,
  type GoValue,
  isTrue,
  itemsOf,
  kindOf,
  nilSlice,
} from '../go-template/go-value.ts';
import { toInt64 } from './cast.ts';
import { textOf, textsOf } from './text.ts';

/** Go's runtime error for the type of nil. */
export const nilDereference = (): never => {
  throw new GoError('runtime error: invalid memory address or nil pointer dereference');
};

const listOf = (value: GoValue, refusal: string): GoValue[] => {
  const items = itemsOf(value);
  if (items) return items;
  if (value === null || value === undefined) return nilDereference();
  throw new GoError(`${refusal} ${kindOf(value)}`);
};

const inList = (items: readonly GoValue[], value: GoValue): boolean => items.some((item) => deepEqual(item, value));

const first = fn('any', (list: GoValue) => listOf(list, 'Cannot find first on type')[0] ?? null);
const last = fn('any', (list: GoValue) => listOf(list, 'Cannot find last on type').at(-1) ?? null);
const rest = fn('any', (list: GoValue) => {
  const items = listOf(list, 'Cannot find rest on type');
  return items.length === 0 ? nilSlice() : items.slice(1);
});
const initial = fn('any', (list: GoValue) => {
  const items = listOf(list, 'Cannot find initial on type');
  return items.length === 0 ? nilSlice() : items.slice(0, -1);
});
const push = fn('any any', (list: GoValue, value: GoValue) => [...listOf(list, 'Cannot push on type'), value]);
const prepend = fn('any any', (list: GoValue, value: GoValue) => [value, ...listOf(list, 'Cannot prepend on type')]);
const reverse = fn('any', (list: GoValue) => listOf(list, 'Cannot find reverse on type').toReversed());
const compact = fn('any', (list: GoValue) => listOf(list, 'Cannot compact on type').filter((item) => !isEmpty(item)));
const uniq = fn('any', (list: GoValue) => {
  const scalars = new Set<string>();
  const others: GoValue[] = [];
  return listOf(list, 'Cannot find uniq on type').filter((item) => {
    const key = scalarKey(item);
    if (key === undefined) return inList(others, item) ? false : others.push(item) > 0;
    return scalars.has(key) ? false : scalars.add(key).size > 0;
  });
});

/** A key by which scalars are compared. NaN never equals another. */
function scalarKey(value: GoValue): string | undefined {
  if (value instanceof GoInt) return `${value.type.name} ${value.value}`;
  if (typeof value === 'object' || Number.isNaN(value)) return undefined;
  return `${typeof value} ${value === 0 ? 0 : String(value)}`;
}

const without = fn('any ...any', (list: GoValue, ...omit: GoValue[]) =>
  listOf(list, 'Cannot find without on type').filter((item) => !inList(omit, item)),
);
const has = fn('any any', (needle: GoValue, list: GoValue) =>
  list === null || list === undefined ? false : inList(listOf(list, 'Cannot find has on type'), needle),
);
const slice = fn('any ...any', (list: GoValue, ...bounds: GoValue[]) => {
  const items = listOf(list, 'list should be type of slice or array but');
  if (items.length === 0) return null;
  const [start = 0, end = items.length] = bounds.map((bound) => Number(toInt64(bound)));
  if (start < 0 || start > end || end > items.length)
    throw new GoError('reflect.Value.Slice: slice index out of bounds');
  const cut = items.slice(start, end);
  return list instanceof GoSlice ? new GoSlice(cut, list.type) : cut;
});
const chunk = fn('int any', (size: number, list: GoValue) => {
  const items = listOf(list, 'Cannot chunk type');
  const count = Math.floor((items.length - 1) / size) + 1;
  if (!Number.isFinite(count) || count < 0) throw new GoError('runtime error: makeslice: len out of range');
  const chunks = Array.from({ length: count }, (_, i) => items.slice(i * size, (i + 1) * size));
  return new GoSlice(chunks, sliceOf(anySlice));
});

/** Whether a value is empty: nil, zero, false, or without elements. */
export const isEmpty = (value: GoValue): boolean => !isTrue(value);

export const listFunctions: Readonly<Record<string, GoFunction>> = {
  list: fn('...any', (...items: GoValue[]) => items),
  tuple: fn('...any', (...items: GoValue[]) => items),
  first,
  mustFirst: first,
  last,
  mustLast: last,
  rest,
  mustRest: rest,
  initial,
  mustInitial: initial,
  append: push,
  push,
  mustAppend: push,
  mustPush: push,
  prepend,
  mustPrepend: prepend,
  reverse,
  mustReverse: reverse,
  compact,
  mustCompact: compact,
  uniq,
  mustUniq: uniq,
  without,
  mustWithout: without,
  has,
  mustHas: has,
  slice,
  mustSlice: slice,
  chunk,
  mustChunk: chunk,
  concat: fn('...any', (...lists: GoValue[]) => {
    const all = lists.flatMap((list) => {
      const items = itemsOf(list);
      if (items) return items;
      if (list === null || list === undefined) return nilDereference();
      throw new GoError(`Cannot concat type ${kindOf(list)} as list`);
    });
    return all.length === 0 ? nilSlice() : all;
  }),
  sortAlpha: fn('any', (list: GoValue) => {
    if (!itemsOf(list)) return new GoSlice([textOf(list)], stringSlice);
    const sorted = textsOf(list).sort(compareStrings);
    if (!(list instanceof GoSlice) || list.type !== stringSlice) return new GoSlice(sorted, stringSlice);
    list.items.splice(0, list.items.length, ...sorted);
    return list;
  }),
};
