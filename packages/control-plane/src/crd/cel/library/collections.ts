import { compareValues, isEqual } from '../equality.ts';
import { type Cost, namespaced, type Overload, overload, perItem, perPair, sizeOf } from '../overloads.ts';
import { CelError, Duration, integer, List, MapValue, Optional, Uint, type Value } from '../values.ts';

const comparable = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes'];

const contains = (list: List, value: Value): boolean => [...list].some((item) => isEqual(item, value));
const containsAll = (list: List, others: List): boolean => [...others].every((item) => contains(list, item));

function isSorted(list: List): boolean {
  for (let i = 1; i < list.size; i++) if ((compareValues(list.at(i - 1), list.at(i)) ?? 1) > 0) return false;
  return true;
}

function extreme(list: List, name: string, better: (order: number) => boolean): Value {
  if (list.size === 0) throw new CelError(`${name} called on empty list`);
  return [...list].reduce((best, item) => (better(compareValues(item, best) ?? 0) ? item : best));
}

function sorted(list: List, keys: List = list): List {
  const order = [...Array(list.size).keys()].sort((a, b) => compareValues(keys.at(a), keys.at(b)) ?? 0);
  return List.of(order.map((i) => list.at(i)));
}

function flatten(list: List, depth = 1n): List {
  if (depth < 0n) throw new CelError('level must be non-negative');
  const items: Value[] = [];
  for (const item of list) {
    if (item instanceof List && depth > 0n) items.push(...(depth > 1n ? flatten(item, depth - 1n) : item));
    else items.push(item);
  }
  return List.of(items);
}

function slice(list: List, from: bigint, to: bigint): List {
  const refuse = (why: string): never => {
    throw new CelError(`cannot slice(${from}, ${to}), ${why}`);
  };
  if (from < 0n || to < 0n) refuse('negative indexes not supported');
  if (from > to) refuse('start index must be less than or equal to end index');
  if (to > BigInt(list.size)) refuse(`list is length ${list.size}`);
  return List.of([...list].slice(Number(from), Number(to)));
}

function distinct(list: List): List {
  const items: Value[] = [];
  for (const item of list) if (!items.some((known) => isEqual(known, item))) items.push(item);
  return List.of(items);
}

const position = (index: number): bigint => BigInt(index);
const quadratic: Cost = ([list = null]) => sizeOf(list) ** 2;

export const collections: Overload[] = [
  ...comparable.flatMap((type) => [
    overload(`list<${type}>.isSorted(): bool`, isSorted, perItem),
    overload(`list<${type}>.min(): ${type}`, (list: List) => extreme(list, 'min', (order) => order < 0), perItem),
    overload(`list<${type}>.max(): ${type}`, (list: List) => extreme(list, 'max', (order) => order > 0), perItem),
    overload(`list<${type}>.sort(): list<${type}>`, (list: List) => sorted(list), quadratic),
  ]),
  overload(
    'list<int>.sum(): int',
    (list: List) => [...list].reduce<bigint>((sum, v) => integer(sum + (v as bigint)), 0n),
    perItem,
  ),
  overload(
    'list<uint>.sum(): uint',
    (list: List) => new Uint([...list].reduce<bigint>((sum, v) => sum + (v as Uint).value, 0n)),
    perItem,
  ),
  overload(
    'list<double>.sum(): double',
    (list: List) => [...list].reduce<number>((sum, v) => sum + (v as number), 0),
    perItem,
  ),
  overload(
    'list<duration>.sum(): duration',
    (list: List) => new Duration([...list].reduce<bigint>((sum, v) => sum + (v as Duration).nanos, 0n)),
    perItem,
  ),
  overload(
    'list<A>.indexOf(A): int',
    (list: List, value: Value) => position([...list].findIndex((item) => isEqual(item, value))),
    perItem,
  ),
  overload(
    'list<A>.lastIndexOf(A): int',
    (list: List, value: Value) => position([...list].findLastIndex((item) => isEqual(item, value))),
    perItem,
  ),
  overload('list<A>.slice(int, int): list<A>', slice, perItem),
  overload('list<list<A>>.flatten(): list<A>', (list: List) => flatten(list), perItem),
  overload('list<A>.flatten(int): list<dyn>', flatten, perItem),
  overload('list<A>.reverse(): list<A>', (list: List) => List.of([...list].reverse()), perItem),
  overload('list<A>.distinct(): list<A>', distinct, quadratic),
  /** `list.sortBy(x, key)` is compiled to this, with the list of its keys. */
  namespaced(
    '@sortByAssociatedKeys',
    'list<A>.sortBy(list<B>): list<A>',
    (list: List, keys: List) => sorted(list, keys),
    quadratic,
  ),
  namespaced(
    'lists.range',
    'range(int): list<int>',
    (size: bigint) => range(size),
    (args) => Math.max(0, Number(args[0])),
  ),
  namespaced('sets.contains', 'contains(list<A>, list<A>): bool', containsAll, perPair),
  namespaced(
    'sets.equivalent',
    'equivalent(list<A>, list<A>): bool',
    (a: List, b: List) => containsAll(a, b) && containsAll(b, a),
    perPair,
  ),
  namespaced(
    'sets.intersects',
    'intersects(list<A>, list<A>): bool',
    (a: List, b: List) => [...b].some((item) => contains(a, item)),
    perPair,
  ),
];

function range(size: bigint): List {
  return new List(size < 0n ? 0 : Number(size), (index) => BigInt(index));
}

const isZero = (value: Value): boolean =>
  value === null ||
  value === '' ||
  value === 0n ||
  value === 0 ||
  value === false ||
  (value instanceof List && value.size === 0) ||
  (value instanceof MapValue && value.size === 0);

export const optionals: Overload[] = [
  namespaced('optional.of', 'of(A): optional<A>', (value: Value) => new Optional(value)),
  namespaced('optional.ofNonZeroValue', 'ofNonZeroValue(A): optional<A>', (value: Value) =>
    isZero(value) ? Optional.none : new Optional(value),
  ),
  namespaced('optional.none', 'none(): optional<A>', () => Optional.none),
  overload('optional<A>.hasValue(): bool', (value: Optional) => value.hasValue),
  overload('optional<A>.value(): A', (value: Optional) => value.value),
  overload('optional<A>.or(optional<A>): optional<A>', (value: Optional, other: Optional) =>
    value.hasValue ? value : other,
  ),
  overload('optional<A>.orValue(A): A', (value: Optional, other: Value) => (value.hasValue ? value.value : other)),
  overload('list<A>.first(): optional<A>', (list: List) => (list.size > 0 ? new Optional(list.at(0)) : Optional.none)),
  overload('list<A>.last(): optional<A>', (list: List) =>
    list.size > 0 ? new Optional(list.at(list.size - 1)) : Optional.none,
  ),
];
