import { equalsAny, less, lessOrEqual } from './compare.ts';
import { escapeHtml, escapeJs, escapeQuery } from './escape.ts';
import { fn } from './function.ts';
import { byteLength, byteSlice, toBytes } from './go-string.ts';
import { type GoType, uint8Type } from './go-type.ts';
import {
  GoError,
  type GoFunction,
  GoInt,
  GoMap,
  GoSlice,
  type GoValue,
  int,
  isTrue,
  itemsOf,
  nilSlice,
  typeName,
} from './go-value.ts';
import { sprint, sprintf, sprintln } from './printf.ts';

/** The built-in functions of Go templates. `and`, `or` and `call` are evaluated elsewhere, since they need more than values. */
export const builtins: Readonly<Record<string, GoFunction>> = {
  and: fn('value ...value', () => undefined),
  or: fn('value ...value', () => undefined),
  call: fn('value ...value', () => undefined),
  not: fn('value', (value: GoValue) => !isTrue(value)),
  len: fn('value', (value: GoValue) => int(lengthOf(value))),
  index: fn('value ...value', index),
  slice: fn('value ...value', slice),
  print: fn('...any', (...args: GoValue[]) => sprint(args)),
  printf: fn('string ...any', (format: string, ...args: GoValue[]) => sprintf(format, args)),
  println: fn('...any', (...args: GoValue[]) => sprintln(args)),
  html: fn('...any', (...args: GoValue[]) => escapeHtml(joined(args))),
  js: fn('...any', (...args: GoValue[]) => escapeJs(joined(args))),
  urlquery: fn('...any', (...args: GoValue[]) => escapeQuery(joined(args))),
  eq: fn('value ...value', (first: GoValue, ...others: GoValue[]) => equalsAny(first, others)),
  ne: fn('value value', (a: GoValue, b: GoValue) => !equalsAny(a, [b])),
  lt: fn('value value', less),
  le: fn('value value', lessOrEqual),
  gt: fn('value value', (a: GoValue, b: GoValue) => !lessOrEqual(a, b)),
  ge: fn('value value', (a: GoValue, b: GoValue) => !less(a, b)),
};

function joined(args: readonly GoValue[]): string {
  const [first] = args;
  if (args.length === 1 && typeof first === 'string') return first;
  return sprint(args.map((arg) => arg ?? '<no value>'));
}

function lengthOf(value: GoValue): number {
  if (value === null) throw new GoError('len of nil pointer');
  if (typeof value === 'string') return byteLength(value);
  if (value instanceof GoMap) return value.size;
  const items = itemsOf(value);
  if (items) return items.length;
  if (value === undefined) throw new GoError('reflect: call of reflect.Value.Type on zero Value');
  throw new GoError(`len of type ${typeName(value)}`);
}

/** The zero value of a type, which a map returns for a missing key. */
export function zeroOf(type: GoType): GoValue {
  switch (type.kind) {
    case 'interface':
    case 'ptr':
    case 'func':
      return null;
    case 'string':
      return '';
    case 'bool':
      return false;
    case 'float64':
      return 0;
    case 'slice':
      return nilSlice(type);
    case 'map':
      return new GoMap(null, type);
    default:
      return new GoInt(0n, type);
  }
}

function index(item: GoValue, ...keys: GoValue[]): GoValue {
  if (item === null || item === undefined) throw new GoError('index of untyped nil');
  let at: GoValue = item;
  for (const key of keys) {
    if (at === null || at === undefined) throw new GoError('index of nil pointer');
    if (at instanceof GoMap) {
      if (key === null || key === undefined) throw new GoError('value is nil; should be of type string');
      if (typeof key !== 'string') throw new GoError(`value has type ${typeName(key)}; should be string`);
      at = at.has(key) ? at.get(key) : zeroOf(at.type.elem!);
      continue;
    }
    const items = itemsOf(at);
    if (!items && typeof at !== 'string') throw new GoError(`can't index item of type ${typeName(at)}`);
    const length = items ? items.length : byteLength(at as string);
    const i = indexArg(key, length);
    if (i === length) throw new GoError(`reflect: ${items ? 'slice' : 'string'} index out of range`);
    at = items ? items[i] : new GoInt(BigInt(toBytes(at as string)[i]!), uint8Type);
  }
  return at;
}

function indexArg(key: GoValue, length: number): number {
  if (key === null || key === undefined) throw new GoError('cannot index slice/array with nil');
  if (!(key instanceof GoInt)) throw new GoError(`cannot index slice/array with type ${typeName(key)}`);
  if (key.value < 0n || key.value > BigInt(length)) throw new GoError(`index out of range: ${key.value}`);
  return Number(key.value);
}

/** Go's built-in slice, which Sprig's replaces in Helm. */
function slice(item: GoValue, ...indexes: GoValue[]): GoValue {
  if (item === null || item === undefined) throw new GoError('slice of untyped nil');
  if (indexes.length > 3) throw new GoError(`too many slice indexes: ${indexes.length}`);
  const items = itemsOf(item);
  if (!items && typeof item !== 'string') throw new GoError(`can't slice item of type ${typeName(item)}`);
  if (typeof item === 'string' && indexes.length === 3) throw new GoError('cannot 3-index slice a string');
  const length = items ? items.length : byteLength(item as string);
  const [start = 0, end = length] = indexes.map((key) => indexArg(key, length));
  if (start > end) throw new GoError(`invalid slice index: ${start} > ${end}`);
  if (typeof item === 'string') return byteSlice(item, start, end);
  return item instanceof GoSlice ? new GoSlice(items!.slice(start, end), item.type) : items!.slice(start, end);
}
