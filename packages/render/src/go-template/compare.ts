import { noFlags } from './format-flags.ts';
import { formatValue } from './format-value.ts';
import { compareStrings } from './go-string.ts';
import { isUnsigned } from './go-type.ts';
import {
  GoComplex,
  GoError,
  GoInt,
  GoMap,
  GoObject,
  GoSlice,
  type GoValue,
  itemsOf,
  typeName,
  typeOf,
} from './go-value.ts';

type BasicKind = 'bool' | 'complex' | 'float' | 'int' | 'string' | 'uint' | 'none';

function basicKind(value: GoValue): BasicKind {
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return 'float';
  if (typeof value === 'string') return 'string';
  if (value instanceof GoInt) return isUnsigned(value.type.kind) ? 'uint' : 'int';
  if (value instanceof GoComplex) return 'complex';
  return 'none';
}

const incompatible = (a: GoValue, b: GoValue): GoError =>
  new GoError(`incompatible types for comparison: ${typeName(a)} and ${typeName(b)}`);
const isNothing = (value: GoValue): boolean => value === null || value === undefined;
const isNil = (value: GoValue): boolean => isNothing(value) || (value instanceof GoSlice && value.isNil);

/** `eq a b c…`: whether a equals one of the others. Only values of one basic kind compare; int and float64 do not. */
export function equalsAny(first: GoValue, others: readonly GoValue[]): boolean {
  if (others.length === 0) throw new GoError('missing argument for comparison');
  return others.some((other) => equals(first, other));
}

function equals(a: GoValue, b: GoValue): boolean {
  const [kindA, kindB] = [basicKind(a), basicKind(b)];
  if (a instanceof GoInt && b instanceof GoInt) return a.value === b.value;
  if (kindA !== kindB) {
    if (!isNothing(a) && !isNothing(b)) throw incompatible(a, b);
    return false;
  }
  if (a instanceof GoComplex && b instanceof GoComplex) return a.real === b.real && a.imaginary === b.imaginary;
  if (kindA !== 'none') return a === b;
  if (!isNothing(a) && !isNothing(b) && typeOf(a)!.kind !== typeOf(b)!.kind) {
    throw new GoError(`non-comparable types ${asText(a)}: ${typeName(a)}, ${typeName(b)}: ${asText(b)}`);
  }
  if (isNil(a) || isNil(b)) return isNil(a) === isNil(b);
  if (b instanceof GoMap || itemsOf(b)) throw new GoError(`non-comparable type ${asText(b)}: ${typeName(b)}`);
  return sameObject(a, b);
}

const asText = (value: GoValue): string => formatValue(value, 's', noFlags());

function sameObject(a: GoValue, b: GoValue): boolean {
  if (a === b) return true;
  if (!(a instanceof GoObject && b instanceof GoObject) || a.type.kind === 'ptr' || a.type !== b.type) return false;
  return [...a.fields].every(([name, value]) => equals(value, b.fields.get(name)));
}

export function less(a: GoValue, b: GoValue): boolean {
  const [kindA, kindB] = [basicKind(a), basicKind(b)];
  if (kindA === 'none' || kindB === 'none') throw new GoError('invalid type for comparison');
  if (a instanceof GoInt && b instanceof GoInt) return a.value < b.value;
  if (kindA !== kindB) throw incompatible(a, b);
  if (typeof a === 'number' && typeof b === 'number') return a < b;
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b) < 0;
  throw new GoError('invalid type for comparison');
}

export const lessOrEqual = (a: GoValue, b: GoValue): boolean => less(a, b) || equals(a, b);

/** reflect.DeepEqual: same type and same content, recursively. */
export function deepEqual(a: GoValue, b: GoValue): boolean {
  if (a === b) return !Number.isNaN(a);
  if (isNothing(a) || isNothing(b)) return isNothing(a) && isNothing(b);
  const [typeA, typeB] = [typeOf(a)!, typeOf(b)!];
  if (typeA !== typeB && typeA.name !== typeB.name) return false;
  if (a instanceof GoInt && b instanceof GoInt) return a.value === b.value;
  if (a instanceof GoMap && b instanceof GoMap)
    return a.size === b.size && [...a].every(([key, value]) => b.has(key) && deepEqual(value, b.get(key)));
  const [itemsA, itemsB] = [itemsOf(a), itemsOf(b)];
  if (itemsA && itemsB) {
    if ((a instanceof GoSlice && a.isNil) !== (b instanceof GoSlice && b.isNil)) return false;
    return itemsA.length === itemsB.length && itemsA.every((item, i) => deepEqual(item, itemsB[i]));
  }
  if (a instanceof GoObject && b instanceof GoObject) {
    if (a.text && b.text) return a.text() === b.text();
    return [...a.fields].every(([name, value]) => deepEqual(value, b.fields.get(name)));
  }
  if (a instanceof GoComplex && b instanceof GoComplex) return a.real === b.real && a.imaginary === b.imaginary;
  return false;
}
