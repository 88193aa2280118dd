import { elementAt, must } from '@fairlead/apimachinery/primitives';
import { type Evaluator, slice } from '../evaluate.ts';
import { JsonnetError } from '../jsonnet-error.ts';
import { compare, equal, finite } from '../operators.ts';
import { JsonnetArray, type JsonnetFunction, Thunk, typeOf, type Value } from '../value.ts';
import { type Argument, type Definition, define } from './define.ts';

const later = (compute: () => Value): Thunk => new Thunk(compute);
const values = (sequence: string[] | JsonnetArray): Value[] =>
  sequence instanceof JsonnetArray ? sequence.values : sequence;
const thunks = (sequence: string[] | JsonnetArray): readonly Thunk[] =>
  sequence instanceof JsonnetArray ? sequence.items : sequence.map((one) => Thunk.of(one));

function numbers(argument: Argument): number[] {
  return argument.array.values.map((value) => {
    if (typeof value !== 'number') throw new JsonnetError(`expected an array of numbers, got ${typeOf(value)}`);
    return value;
  });
}

/** The sort key of an item: the item itself, or the result of a function. */
const keyed = (evaluator: Evaluator, key: Argument | undefined) => (item: Thunk | Value) =>
  key?.given ? evaluator.apply(key.function, item) : item instanceof Thunk ? item.force() : item;

function sorted(evaluator: Evaluator, items: readonly Thunk[], key: Argument | undefined): [Value, Thunk][] {
  const of = keyed(evaluator, key);
  const pairs = items.map((item): [Value, Thunk] => [of(item), item]);
  return pairs.sort(([a], [b]) => compare(evaluator, a, b));
}

const unique = (evaluator: Evaluator, pairs: readonly [Value, Thunk][]): Thunk[] =>
  pairs.filter(([key], i) => i === 0 || !equal(evaluator, key, elementAt(pairs, i - 1)[0])).map(([, item]) => item);

const asSet = (evaluator: Evaluator, items: readonly Thunk[], key?: Argument): JsonnetArray =>
  new JsonnetArray(unique(evaluator, sorted(evaluator, items, key)));

/** Walks through two sets at once, and keeps items that are only in the first, in both, or only in the second. */
function merged(
  evaluator: Evaluator,
  [a, b, key]: readonly [Argument, Argument, Argument],
  keep: { a: boolean; both: boolean; b: boolean },
): JsonnetArray {
  const of = keyed(evaluator, key);
  const pairs = (set: Argument): [Value, Thunk][] => thunks(set.sequence).map((item) => [of(item), item]);
  const [left, right] = [pairs(a), pairs(b)];
  const kept: Thunk[] = [];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    const [one, other] = [left[i], right[j]];
    const order = !one ? 1 : !other ? -1 : compare(evaluator, one[0], other[0]);
    const [, item] = must(order <= 0 ? one : other, 'an element of either set');
    if (order < 0 ? keep.a : order === 0 ? keep.both : keep.b) kept.push(item);
    if (order <= 0) i++;
    if (order >= 0) j++;
  }
  return new JsonnetArray(kept);
}

function extreme(
  evaluator: Evaluator,
  [array, key, onEmpty]: readonly [Argument, Argument, Argument],
  sign: number,
): Value {
  const of = keyed(evaluator, key);
  const { items } = array.array;
  if (items.length === 0) {
    if (onEmpty?.given) return onEmpty.value;
    throw new JsonnetError('expected at least one element in array. Got none');
  }
  let best = elementAt(items, 0);
  for (const item of items) if (sign * compare(evaluator, of(item), of(best)) < 0) best = item;
  return best.force();
}

function flatten(array: JsonnetArray, into: Thunk[] = []): Thunk[] {
  for (const item of array.items) {
    const value = item.force();
    if (value instanceof JsonnetArray) flatten(value, into);
    else into.push(item);
  }
  return into;
}

function join(evaluator: Evaluator, separator: Value, items: Value[]): Value {
  const present = items.filter((item) => item !== null);
  if (typeof separator === 'string') {
    if (!present.every((item) => typeof item === 'string'))
      throw new JsonnetError('join of a string expects an array of strings');
    const text = present.join(separator);
    evaluator.checkSize(text.length);
    return text;
  }
  if (!(separator instanceof JsonnetArray))
    throw new JsonnetError(`join first parameter should be string or array, got ${typeOf(separator)}`);
  const out: Thunk[] = [];
  for (const [i, item] of present.entries()) {
    if (!(item instanceof JsonnetArray)) throw new JsonnetError(`join expected array, got ${typeOf(item)}`);
    if (i > 0) out.push(...separator.items);
    out.push(...item.items);
  }
  return new JsonnetArray(out);
}

function deepJoin(value: Value): string {
  if (typeof value === 'string') return value;
  if (value instanceof JsonnetArray) return value.values.map(deepJoin).join('');
  throw new JsonnetError(`expected string or array, got ${typeOf(value)}`);
}

const mapped = (evaluator: Evaluator, f: JsonnetFunction, items: readonly Thunk[]): JsonnetArray =>
  new JsonnetArray(items.map((item) => later(() => evaluator.apply(f, item))));

function truth(value: Value): boolean {
  if (typeof value !== 'boolean') throw new JsonnetError(`expected boolean, got ${typeOf(value)}`);
  return value;
}

const index = (evaluator: Evaluator, items: readonly Thunk[], value: Value): number =>
  items.findIndex((item) => equal(evaluator, item.force(), value));

export const arrays: Readonly<Record<string, Definition>> = {
  makeArray: define('sz func', (evaluator, size, f) => {
    if (size.integer < 0) throw new JsonnetError(`makeArray requires size >= 0, got ${size.number}`);
    evaluator.checkSize(8 * size.integer);
    return new JsonnetArray(
      Array.from({ length: size.integer }, (_, i) => later(() => evaluator.apply(f.function, i))),
    );
  }),
  map: define('func arr', (evaluator, f, array) => mapped(evaluator, f.function, thunks(array.sequence))),
  mapWithIndex: define('func arr', (evaluator, f, array) => {
    const run = f.function;
    return new JsonnetArray(thunks(array.sequence).map((item, i) => later(() => evaluator.apply(run, i, item))));
  }),
  filter: define('func arr', (evaluator, f, array) => {
    const accept = f.function;
    return new JsonnetArray(array.array.items.filter((item) => truth(evaluator.apply(accept, item))));
  }),
  filterMap: define('filter_func map_func arr', (evaluator, f, g, array) => {
    const kept = array.array.items.filter((item) => truth(evaluator.apply(f.function, item)));
    return mapped(evaluator, g.function, kept);
  }),
  flatMap: define('func arr', (evaluator, f, array) => {
    const parts = values(array.sequence).map((item) => evaluator.apply(f.function, item));
    return join(evaluator, typeof array.value === 'string' ? '' : new JsonnetArray([]), parts);
  }),
  foldl: define('func arr init', (evaluator, f, array, init) =>
    values(array.sequence).reduce((sum, item) => evaluator.apply(f.value, sum, item), init.value),
  ),
  foldr: define('func arr init', (evaluator, f, array, init) =>
    values(array.sequence).reduceRight((sum, item) => evaluator.apply(f.value, item, sum), init.value),
  ),
  range: define('from to', (evaluator, from, to) => {
    const [start, end] = [from.integer, to.integer];
    const length = Math.max(0, end - start + 1);
    evaluator.checkSize(8 * length);
    return JsonnetArray.of(Array.from({ length }, (_, i) => start + i));
  }),
  repeat: define('what count', (evaluator, what, count) => {
    const times = Math.max(0, count.integer);
    const { value } = what;
    if (typeof value === 'string') {
      evaluator.checkSize(value.length * times);
      return value.repeat(times);
    }
    evaluator.checkSize(8 * what.array.items.length * times);
    return new JsonnetArray(Array.from({ length: times }, () => what.array.items).flat());
  }),
  slice: define('indexable index end step', (_, target, from, to, step) =>
    slice(target.value, from.value, to.value, step.value),
  ),
  join: define('sep arr', (evaluator, separator, array) => join(evaluator, separator.value, array.array.values)),
  deepJoin: define('arr', (_, array) => deepJoin(array.value)),
  lines: define('arr', (evaluator, array) => `${join(evaluator, '\n', array.array.values)}\n`),
  flattenArrays: define('arrs', (evaluator, arrays) =>
    join(
      evaluator,
      new JsonnetArray([]),
      arrays.array.values.map((one) => one ?? new JsonnetArray([])),
    ),
  ),
  flattenDeepArray: define('value', (_, value) => new JsonnetArray(flatten(value.array))),
  reverse: define('arr', (_, array) => new JsonnetArray([...thunks(array.sequence)].reverse())),
  sort: define(
    'arr keyF?',
    (evaluator, array, key) => new JsonnetArray(sorted(evaluator, thunks(array.sequence), key).map(([, item]) => item)),
  ),
  uniq: define('arr keyF?', (evaluator, array, key) => {
    const of = keyed(evaluator, key);
    return new JsonnetArray(
      unique(
        evaluator,
        thunks(array.sequence).map((item) => [of(item), item]),
      ),
    );
  }),
  set: define('arr keyF?', (evaluator, array, key) => asSet(evaluator, thunks(array.sequence), key)),
  setUnion: define('a b keyF?', (evaluator, ...args) => merged(evaluator, args, { a: true, both: true, b: true })),
  setInter: define('a b keyF?', (evaluator, ...args) => merged(evaluator, args, { a: false, both: true, b: false })),
  setDiff: define('a b keyF?', (evaluator, ...args) => merged(evaluator, args, { a: true, both: false, b: false })),
  setMember: define('x arr keyF?', (evaluator, x, array, key) => {
    const of = keyed(evaluator, key);
    const own = of(x.delayed);
    return thunks(array.sequence).some((item) => equal(evaluator, of(item), own));
  }),
  member: define('arr x', (evaluator, array, x) =>
    typeof array.value === 'string' ? array.text.includes(x.text) : index(evaluator, array.array.items, x.value) >= 0,
  ),
  contains: define('arr elem', (evaluator, array, x) => index(evaluator, array.array.items, x.value) >= 0),
  count: define(
    'arr x',
    (evaluator, array, x) => array.array.items.filter((item) => equal(evaluator, item.force(), x.value)).length,
  ),
  find: define('value arr', (evaluator, x, array) =>
    JsonnetArray.of(array.array.values.flatMap((value, i) => (equal(evaluator, value, x.value) ? [i] : []))),
  ),
  remove: define('arr elem', (evaluator, array, x) => {
    const at = index(evaluator, array.array.items, x.value);
    return new JsonnetArray(array.array.items.filter((_, i) => i !== at));
  }),
  removeAt: define('arr at', (_, array, at) => new JsonnetArray(array.array.items.filter((__, i) => i !== at.number))),
  all: define('arr', (_, array) => array.array.items.every((item) => truth(item.force()))),
  any: define('arr', (_, array) => array.array.items.some((item) => truth(item.force()))),
  sum: define('arr', (_, array) => finite(numbers(array).reduce((sum, one) => sum + one, 0))),
  avg: define('arr', (_, array) => {
    const all = numbers(array);
    if (all.length === 0) throw new JsonnetError('cannot calculate average of an empty array');
    return all.reduce((sum, one) => sum + one, 0) / all.length;
  }),
  minArray: define('arr keyF? onEmpty?', (evaluator, ...args) => extreme(evaluator, args, 1)),
  maxArray: define('arr keyF? onEmpty?', (evaluator, ...args) => extreme(evaluator, args, -1)),
};
