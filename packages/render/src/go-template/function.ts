import {
  anyMap,
  anySlice,
  anyType,
  boolType,
  float64Type,
  type GoType,
  int64Type,
  intType,
  reflectValueType,
  stringSlice,
  stringType,
} from './go-type.ts';
import { type GoFunction, GoInt, type GoValue } from './go-value.ts';

const types: Record<string, GoType> = {
  any: anyType,
  bool: boolType,
  float64: float64Type,
  int: intType,
  int64: int64Type,
  list: anySlice,
  map: anyMap,
  string: stringType,
  strings: stringSlice,
  value: reflectValueType,
};

/**
 * A function for templates: its parameters as Go types (`'int string ...any'`), then its implementation. An `int` arrives as a JavaScript
 * number; a returned number is a float64, so integers are returned as `int(n)` or `int64(n)`.
 */
export function fn<Args extends unknown[]>(
  params: string,
  call: (...args: Args) => GoValue,
  extraTypes: Record<string, GoType> = {},
): GoFunction {
  const words = params === '' ? [] : params.split(' ');
  const variadic = words.at(-1)?.startsWith('...') ?? false;
  const list = words.map((word) => {
    const name = word.replace('...', '');
    const type = extraTypes[name] ?? types[name];
    if (!type) throw new Error(`no type ${name} for a parameter`);
    return type;
  });
  if (!list.includes(intType)) return { params: list, variadic, call: call as unknown as GoFunction['call'] };
  const plain = (arg: unknown, i: number): unknown =>
    arg instanceof GoInt && (list[i] ?? list.at(-1)) === intType ? Number(arg.value) : arg;
  return { params: list, variadic, call: (...args: unknown[]) => call(...(args.map(plain) as Args)) };
}
