import {
  assignable,
  byteLength,
  byteSlice,
  type GoFunction,
  GoInt,
  GoMap,
  GoObject,
  type GoValue,
  isFunction,
  itemsOf,
  methodsOf,
  toBytes,
  typeOf,
  uint8Type,
  zeroOf,
} from '@fairlead/render/go-template';
import { equal, sublist } from './operations.ts';
import { AnyKeyMap, fail, toIndex, typeText } from './values.ts';

const keyText = (key: GoValue): string =>
  typeof key === 'string' ? key : key instanceof GoInt ? String(key.value) : String(key);

/** `object.key` or `object[key]`. A missing key of a map is the zero value of its elements, anything else fails. */
export function fetchMember(object: GoValue, key: GoValue): GoValue {
  const found = findMember(object, key);
  return found === undefined ? fail(`cannot fetch ${keyText(key)} from ${typeText(object)}`) : found;
}

function findMember(object: GoValue, key: GoValue): GoValue | undefined {
  if (object === null || object === undefined) return undefined;
  const methods = typeof key === 'string' ? methodsOf(object) : undefined;
  if (typeof key === 'string' && methods && Object.hasOwn(methods, key)) return methods[key];
  if (object instanceof GoMap) return lookUp(object, key);
  if (object instanceof GoObject) return typeof key === 'string' ? object.fields.get(key) : undefined;
  const items = typeof object === 'string' ? undefined : itemsOf(object);
  const bytes = typeof object === 'string' ? toBytes(object) : undefined;
  const length = items?.length ?? bytes?.length;
  if (length === undefined) return undefined;
  const asked = toIndex(key);
  const index = asked < 0 ? length + asked : asked;
  if (index < 0 || index >= length) return fail(`index out of range: ${index} (array length is ${length})`);
  return bytes ? new GoInt(BigInt(bytes[index] ?? 0), uint8Type) : (items?.[index] ?? null);
}

/** The key under which an any-key map has a value. */
export const groupKey = (key: GoValue): string => `${typeText(key)} ${keyText(key)}`;

function lookUp(map: GoMap, key: GoValue): GoValue {
  if (map instanceof AnyKeyMap) return map.get(groupKey(key)) ?? null;
  if (key !== null && key !== undefined && typeof key !== 'string')
    return fail(`cannot use ${typeText(key)} as the key of ${typeText(map)}`);
  const value = map.get(key ?? '');
  return value === undefined ? zeroOf(map.type.elem ?? { kind: 'interface', name: 'interface {}' }) : value;
}

/** `needle in container` */
export function isIn(needle: GoValue, container: GoValue): boolean {
  if (container === null || container === undefined) return false;
  const items = itemsOf(container);
  if (items) return items.some((item) => equal(item, needle));
  if (container instanceof AnyKeyMap) return container.has(groupKey(needle));
  if (container instanceof GoMap) {
    if (needle !== null && needle !== undefined && typeof needle !== 'string')
      return fail(`cannot use ${typeText(needle)} as the key of ${typeText(container)}`);
    return container.has(needle ?? '');
  }
  if (container instanceof GoObject && typeof needle === 'string') return container.fields.has(needle);
  return fail(`operator "in" not defined on ${typeText(container)}`);
}

/** `list[from:to]` of a list or a text; places beyond its ends are its ends. Texts are cut by bytes. */
export function sliceOf(list: GoValue, from: GoValue, to: GoValue): GoValue {
  const items = itemsOf(list);
  const length = typeof list === 'string' ? byteLength(list) : items?.length;
  if (length === undefined) return fail(`cannot slice ${typeText(list)}`);
  const place = (value: GoValue): number => {
    const index = toIndex(value);
    return Math.min(length, Math.max(0, index < 0 ? length + index : index));
  };
  const end = to === undefined ? length : place(to);
  const start = Math.min(end, from === undefined ? 0 : place(from));
  return typeof list === 'string' ? byteSlice(list, start, end) : sublist(list, items?.slice(start, end) ?? []);
}

/** Calls a function of the environment or a method. Nil arguments are zero values; others must have the type of the parameter. */
export function callFunction(callee: GoValue, args: readonly GoValue[]): GoValue {
  if (callee === null || callee === undefined) return fail('invalid operation: cannot call nil');
  if (!isFunction(callee)) return fail(`invalid operation: cannot call non-function of type ${typeText(callee)}`);
  const { params, variadic } = callee;
  const least = variadic ? params.length - 1 : params.length;
  if (variadic ? args.length < least : args.length !== least)
    return fail(`invalid number of arguments: expected ${variadic ? 'at least ' : ''}${least}, got ${args.length}`);
  return (
    invoke(
      callee,
      args.map((arg, i) => argument(callee, arg, i)),
    ) ?? null
  );
}

function argument({ params }: GoFunction, arg: GoValue, i: number): GoValue {
  const param = params[Math.min(i, params.length - 1)];
  if (!param) return arg;
  if (arg === null || arg === undefined) return zeroOf(param);
  const own = typeOf(arg);
  return own && assignable(own, param) ? arg : fail(`cannot use ${typeText(arg)} as an argument of type ${param.name}`);
}

const invoke = (callee: GoFunction, args: readonly GoValue[]): GoValue =>
  Reflect.apply(callee.call, undefined, [...args]);
