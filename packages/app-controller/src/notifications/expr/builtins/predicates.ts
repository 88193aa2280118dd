import { GoInt, type GoValue, int, itemsOf } from '@fairlead/render/go-template';
import type { Evaluation } from '../evaluate.ts';
import { groupKey } from '../members.ts';
import { add, compare } from '../operations.ts';
import type { BuiltinNode, Node } from '../syntax-tree.ts';
import { AnyKeyMap, fail, toBool, typeText } from '../values.ts';

/** A function that calls its predicate for each element of a list. */
export function runPredicate(evaluation: Evaluation, { name, args }: BuiltinNode): GoValue {
  const [listNode, predicate, extra] = args;
  const list = listNode ? evaluation.evaluate(listNode) : null;
  const items = itemsOf(list) ?? fail(`${name} takes a list, not ${typeText(list)}`);
  const value = (item: GoValue, index: number): GoValue =>
    predicate ? evaluation.test(predicate, { '': item, index: int(index) }) : item;
  const test = (item: GoValue, index: number): boolean => {
    const result = value(item, index);
    return toBool(result);
  };
  switch (name) {
    case 'all':
      return items.every(test);
    case 'none':
      return !items.some(test);
    case 'any':
      return items.some(test);
    case 'one':
      return items.filter(test).length === 1;
    case 'filter':
      evaluation.budget.grow(items.length);
      return items.filter(test);
    case 'map':
      evaluation.budget.grow(items.length);
      return items.map(value);
    case 'count':
      return int(items.filter(test).length);
    case 'sum':
      return items.reduce<GoValue>((sum, item, i) => add(value(item, i), sum), int(0));
    case 'find':
      return items.find(test) ?? null;
    case 'findLast':
      return items.findLast(test) ?? null;
    case 'findIndex':
      return indexOrNil(items.findIndex(test));
    case 'findLastIndex':
      return indexOrNil(items.findLastIndex(test));
    case 'groupBy':
      return groupBy(items, value);
    case 'sortBy':
      return sortBy(items, value, extra ? evaluation.evaluate(extra) : 'asc');
  }
  return reduce(evaluation, items, predicate, extra);
}

const indexOrNil = (index: number): GoValue => (index < 0 ? null : int(index));

function groupBy(items: readonly GoValue[], value: (item: GoValue, index: number) => GoValue): GoValue {
  const groups = new AnyKeyMap();
  for (const [i, item] of items.entries()) {
    const key = value(item, i);
    if (typeof key === 'object' && key !== null && !(key instanceof GoInt))
      return fail(`cannot group by ${typeText(key)}`);
    const id = groupKey(key);
    groups.originals.set(id, key);
    groups.set(id, [...(itemsOf(groups.get(id)) ?? []), item]);
  }
  return groups;
}

function sortBy(items: readonly GoValue[], value: (item: GoValue, index: number) => GoValue, order: GoValue): GoValue {
  const keyed = items.map((item, i) => ({ item, key: value(item, i) }));
  return sorted(keyed, ({ key }) => key, order).map(({ item }) => item);
}

/** In ascending or descending order; fails for values that have no order. */
export function sorted<T>(items: readonly T[], keyOf: (item: T) => GoValue, order: GoValue): T[] {
  if (order !== 'asc' && order !== 'desc') return fail('the order must be asc or desc');
  const sign = order === 'desc' ? -1 : 1;
  return items.toSorted((a, b) => sign * compare('<', keyOf(a), keyOf(b)));
}

function reduce(
  evaluation: Evaluation,
  items: readonly GoValue[],
  predicate: Node | undefined,
  extra: Node | undefined,
): GoValue {
  const rest = items.map((item, index) => ({ item, index }));
  const first = extra ? undefined : rest.shift();
  if (!extra && !first) return fail('reduce of empty array with no initial value');
  let acc = extra ? evaluation.evaluate(extra) : (first?.item ?? null);
  for (const { item, index } of rest)
    acc = predicate ? evaluation.test(predicate, { '': item, index: int(index), acc }) : acc;
  return acc;
}
