import {
  Duration,
  List,
  MapValue,
  ObjectValue,
  Opaque,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from './values.ts';

type Numeric = bigint | number | Uint;

export const isNumeric = (value: Value): value is Numeric =>
  typeof value === 'bigint' || typeof value === 'number' || value instanceof Uint;

/** Numbers compare by value across types; NaN equals nothing. */
export function compareNumbers(left: Numeric, right: Numeric): number | undefined {
  const a = left instanceof Uint ? left.value : left;
  const b = right instanceof Uint ? right.value : right;
  if (Number.isNaN(a) || Number.isNaN(b)) return undefined;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Equality never fails: values of different types are simply not equal. */
export function isEqual(left: Value, right: Value): boolean {
  if (isNumeric(left) && isNumeric(right)) return compareNumbers(left, right) === 0;
  if (left instanceof List) return right instanceof List && listsEqual(left, right);
  if (left instanceof MapValue) return right instanceof MapValue && mapsEqual(left, right);
  if (left instanceof ObjectValue) return right instanceof ObjectValue && objectsEqual(left, right);
  if (left instanceof Timestamp) return right instanceof Timestamp && left.nanos === right.nanos;
  if (left instanceof Duration) return right instanceof Duration && left.nanos === right.nanos;
  if (left instanceof Uint8Array) return right instanceof Uint8Array && Buffer.compare(left, right) === 0;
  if (left instanceof TypeValue) return right instanceof TypeValue && left.name === right.name;
  if (left instanceof Opaque) return right instanceof Opaque && left.equals(right);
  if (left instanceof Optional) {
    if (!(right instanceof Optional) || left.hasValue !== right.hasValue) return false;
    return !left.hasValue || isEqual(left.value, right.value);
  }
  return left === right;
}

/** Sets and lists of type map are equal in any order. */
function listsEqual(left: List, right: List): boolean {
  if (left.size !== right.size) return false;
  const kind = left.kind ?? right.kind;
  if (!kind) {
    for (let i = 0; i < left.size; i++) if (!isEqual(left.at(i), right.at(i))) return false;
    return true;
  }
  // Duplicates count once on the left, and must be found for each on the right, as in kube-apiserver.
  const own = new Map<string, Value>();
  for (const item of left) own.set(kind.keyOf(item), item);
  for (const item of right) {
    const like = own.get(kind.keyOf(item));
    if (like === undefined || !isEqual(like, item)) return false;
  }
  return true;
}

function mapsEqual(left: MapValue, right: MapValue): boolean {
  if (left.size !== right.size) return false;
  for (const [key, value] of left.entries()) {
    const other = right.get(key);
    if (other === undefined || !isEqual(value, other)) return false;
  }
  return true;
}

function objectsEqual(left: ObjectValue, right: ObjectValue): boolean {
  const fields = [...left.source.fields()];
  if (fields.length !== [...right.source.fields()].length) return false;
  return fields.every((field) => {
    const [a, b] = [left.source.get(field), right.source.get(field)];
    return a !== undefined && b !== undefined && isEqual(a, b);
  });
}

/** The order of two values of one ordered type; undefined if they have none. */
export function compareValues(left: Value, right: Value): number | undefined {
  if (isNumeric(left) && isNumeric(right)) return compareNumbers(left, right);
  if (typeof left === 'string' && typeof right === 'string') return compareText(left, right);
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right);
  if (left instanceof Uint8Array && right instanceof Uint8Array) return Buffer.compare(left, right);
  if (left instanceof Timestamp && right instanceof Timestamp) return compareNumbers(left.nanos, right.nanos);
  if (left instanceof Duration && right instanceof Duration) return compareNumbers(left.nanos, right.nanos);
  return undefined;
}

/** By bytes, as Go compares: JavaScript compares UTF-16 units, which differ beyond the basic plane. */
const compareText = (left: string, right: string): number =>
  left === right ? 0 : Buffer.compare(Buffer.from(left), Buffer.from(right));
