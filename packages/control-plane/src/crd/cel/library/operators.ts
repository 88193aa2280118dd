import { compareValues, isEqual } from '../equality.ts';
import { type Overload, overload, perCharacter, perItem } from '../overloads.ts';
import { CelError, Duration, integer, List, type MapValue, Timestamp, Uint, type Value } from '../values.ts';

const divide = (a: bigint, b: bigint): bigint => {
  if (b === 0n) throw new CelError('division by zero');
  return a / b;
};
const modulo = (a: bigint, b: bigint): bigint => {
  if (b === 0n) throw new CelError('modulus by zero');
  return a % b;
};

const arithmetic: Overload[] = [
  overload('_+_(int, int): int', (a: bigint, b: bigint) => integer(a + b)),
  overload('_-_(int, int): int', (a: bigint, b: bigint) => integer(a - b)),
  overload('_*_(int, int): int', (a: bigint, b: bigint) => integer(a * b)),
  overload('_/_(int, int): int', (a: bigint, b: bigint) => integer(divide(a, b))),
  overload('_%_(int, int): int', (a: bigint, b: bigint) => modulo(a, b)),
  overload('-_(int): int', (a: bigint) => integer(-a)),
  overload('_+_(uint, uint): uint', (a: Uint, b: Uint) => new Uint(a.value + b.value)),
  overload('_-_(uint, uint): uint', (a: Uint, b: Uint) => new Uint(a.value - b.value)),
  overload('_*_(uint, uint): uint', (a: Uint, b: Uint) => new Uint(a.value * b.value)),
  overload('_/_(uint, uint): uint', (a: Uint, b: Uint) => new Uint(divide(a.value, b.value))),
  overload('_%_(uint, uint): uint', (a: Uint, b: Uint) => new Uint(modulo(a.value, b.value))),
  overload('_+_(double, double): double', (a: number, b: number) => a + b),
  overload('_-_(double, double): double', (a: number, b: number) => a - b),
  overload('_*_(double, double): double', (a: number, b: number) => a * b),
  overload('_/_(double, double): double', (a: number, b: number) => a / b),
  overload('-_(double): double', (a: number) => -a),
  overload('_+_(string, string): string', (a: string, b: string) => a + b, perCharacter),
  overload('_+_(bytes, bytes): bytes', (a: Uint8Array, b: Uint8Array) => new Uint8Array([...a, ...b]), perCharacter),
  overload('_+_(list<A>, list<A>): list<A>', concat, perItem),
  overload('_+_(duration, duration): duration', (a: Duration, b: Duration) => new Duration(a.nanos + b.nanos)),
  overload('_-_(duration, duration): duration', (a: Duration, b: Duration) => new Duration(a.nanos - b.nanos)),
  overload('_+_(timestamp, duration): timestamp', (a: Timestamp, b: Duration) => new Timestamp(a.nanos + b.nanos)),
  overload('_+_(duration, timestamp): timestamp', (a: Duration, b: Timestamp) => new Timestamp(a.nanos + b.nanos)),
  overload('_-_(timestamp, duration): timestamp', (a: Timestamp, b: Duration) => new Timestamp(a.nanos - b.nanos)),
  overload('_-_(timestamp, timestamp): duration', (a: Timestamp, b: Timestamp) => new Duration(a.nanos - b.nanos)),
  overload('!_(bool): bool', (a: boolean) => !a),
];

/** A set adds missing values; a list of type map replaces items with the same keys. */
function concat(left: List, right: List): List {
  const kind = left.kind;
  if (!kind) return new List(left.size + right.size, (i) => (i < left.size ? left.at(i) : right.at(i - left.size)));
  const items = [...left];
  const places = new Map(items.map((item, at) => [kind.keyOf(item), at]));
  for (const item of right) {
    const key = kind.keyOf(item);
    const at = places.get(key);
    if (at === undefined) places.set(key, items.push(item) - 1);
    else if (kind.type === 'map') items[at] = item;
  }
  return List.of(items, kind);
}

const smaller = ([left = null, right = null]: readonly Value[]): number =>
  Math.min(perCharacter([left]), perCharacter([right]));

const comparisons = (['_<_', '_<=_', '_>_', '_>=_'] as const).flatMap((name) => {
  const holds = {
    '_<_': (n: number) => n < 0,
    '_<=_': (n: number) => n <= 0,
    '_>_': (n: number) => n > 0,
    '_>=_': (n: number) => n >= 0,
  }[name];
  const run = (a: Value, b: Value): boolean => {
    const order = compareValues(a, b);
    return order !== undefined && holds(order);
  };
  const same = ['bool', 'string', 'bytes', 'timestamp', 'duration'].map((type) => [type, type]);
  const numbers = ['int', 'uint', 'double'].flatMap((a) => ['int', 'uint', 'double'].map((b) => [a, b]));
  return [...same, ...numbers].map(([a, b]) => overload(`${name}(${a}, ${b}): bool`, run, smaller));
});

const equality: Overload[] = [
  overload('_==_(A, A): bool', (a: Value, b: Value) => isEqual(a, b), smaller),
  overload('_!=_(A, A): bool', (a: Value, b: Value) => !isEqual(a, b), smaller),
  overload(
    '_in_(A, list<A>): bool',
    (a: Value, list: List) => [...list].some((item) => isEqual(item, a)),
    ([, list = null]) => perItem([list]),
  ),
  overload('_in_(A, map<A, B>): bool', (a: Value, map: MapValue) => map.has(a)),
];

export const operators: Overload[] = [...arithmetic, ...comparisons, ...equality];
