import { compareStrings } from './go-string.ts';
import {
  anyMap,
  anySlice,
  anyType,
  boolType,
  complexType,
  float64Type,
  type GoType,
  int64Type,
  intType,
  isUnsigned,
  stringType,
} from './go-type.ts';

/**
 * A value of a template. Values of YAML and JSON are JavaScript values: a number is a float64, an array an `[]interface {}`; a map is a
 * `GoMap`. All others have a Go type. `null` is a nil interface value, `undefined` the absence of a value, which Go distinguishes:
 * `.Values.a.b` fails on the former and yields nothing on the latter.
 */
export type GoValue =
  | undefined
  | null
  | boolean
  | number
  | string
  | GoInt
  | GoComplex
  | GoMap
  | GoValue[]
  | GoSlice
  | GoObject
  | GoFunction;

export class GoInt {
  readonly value: bigint;
  readonly type: GoType;

  constructor(value: bigint, type: GoType) {
    const bits = type.bits ?? 64;
    this.value = isUnsigned(type.kind) ? BigInt.asUintN(bits, value) : BigInt.asIntN(bits, value);
    this.type = type;
  }
}

export const int = (value: number | bigint): GoInt => new GoInt(BigInt(value), intType);
export const int64 = (value: number | bigint): GoInt => new GoInt(BigInt(value), int64Type);

export class GoComplex {
  readonly real: number;
  readonly imaginary: number;

  constructor(real: number, imaginary: number) {
    this.real = real;
    this.imaginary = imaginary;
  }
}

/** A map with string keys. Like Go's maps, it has reference semantics. */
export class GoMap extends Map<string, GoValue> {
  readonly type: GoType;
  readonly methods: Methods | undefined;

  constructor(entries?: Iterable<readonly [string, GoValue]> | null, type: GoType = anyMap, methods?: Methods) {
    super();
    this.type = type;
    this.methods = methods;
    if (entries) for (const [key, value] of entries) this.set(key, value);
  }
}

/** A list of another type than `[]interface {}`, or a nil list, which prints as `[]` but is `null` in JSON. */
export class GoSlice {
  readonly items: GoValue[];
  readonly type: GoType;
  readonly isNil: boolean;
  readonly methods: Methods | undefined;

  constructor(items: GoValue[], type: GoType, { isNil = false, methods }: { isNil?: boolean; methods?: Methods } = {}) {
    this.items = items;
    this.type = type;
    this.isNil = isNil;
    this.methods = methods;
  }
}

export const nilSlice = (type: GoType = anySlice): GoSlice => new GoSlice([], type, { isNil: true });

/** The methods of a value: `{{ .Files.Get "x" }}`. */
export type Methods = Readonly<Record<string, GoFunction>>;

/** A struct, or a pointer to one. */
export class GoObject {
  readonly type: GoType;
  readonly fields: ReadonlyMap<string, GoValue>;
  readonly methods: Methods;
  /** The String method of its Go type. */
  readonly text: (() => string) | undefined;
  /** The underlying value, for functions that know its type. */
  readonly inner: unknown;

  constructor(
    type: GoType,
    parts: {
      fields?: Iterable<readonly [string, GoValue]>;
      methods?: Methods;
      text?: () => string;
      inner?: unknown;
    } = {},
  ) {
    this.type = type;
    this.fields = new Map(parts.fields ?? []);
    this.methods = parts.methods ?? {};
    this.text = parts.text;
    this.inner = parts.inner;
  }
}

/** A function with the types of its parameters. Arguments are checked as Go's reflection does. */
export interface GoFunction {
  readonly params: readonly GoType[];
  /** The last parameter accepts any number of arguments; its type is that of one argument. */
  readonly variadic: boolean;
  readonly call: (...args: never[]) => GoValue;
}

export const isFunction = (value: GoValue): value is GoFunction =>
  typeof value === 'object' && value !== null && 'params' in value && 'call' in value;

const funcType: GoType = { kind: 'func', name: 'func()' };

/** The dynamic type of a value. Undefined for nil and for no value. */
export function typeOf(value: GoValue): GoType | undefined {
  switch (typeof value) {
    case 'string':
      return stringType;
    case 'number':
      return float64Type;
    case 'boolean':
      return boolType;
    case 'undefined':
      return undefined;
  }
  if (value === null) return undefined;
  if (Array.isArray(value)) return anySlice;
  if (value instanceof GoComplex) return complexType;
  if (isFunction(value)) return funcType;
  return value.type;
}

export const typeName = (value: GoValue): string => typeOf(value)?.name ?? anyType.name;
export const kindOf = (value: GoValue): string => typeOf(value)?.kind ?? 'invalid';

/** The elements of any kind of list. Undefined if the value is not a list. */
export function itemsOf(value: GoValue): GoValue[] | undefined {
  if (Array.isArray(value)) return value;
  return value instanceof GoSlice ? value.items : undefined;
}

export function methodsOf(value: GoValue): Methods | undefined {
  if (value instanceof GoObject || value instanceof GoMap || value instanceof GoSlice) return value.methods;
  return value instanceof GoInt ? value.type.methods?.(value.value) : undefined;
}

export const sortedKeys = (map: GoMap): string[] => [...map.keys()].sort(compareStrings);

/** Go's truth of a value: not zero, not empty, not nil. */
export function isTrue(value: GoValue): boolean {
  switch (typeof value) {
    case 'boolean':
      return value;
    case 'string':
      return value.length > 0;
    case 'number':
      return value !== 0;
    case 'undefined':
      return false;
  }
  if (value === null) return false;
  if (Array.isArray(value)) return value.length > 0;
  if (value instanceof GoMap) return value.size > 0;
  if (value instanceof GoInt) return value.value !== 0n;
  if (value instanceof GoSlice) return value.items.length > 0;
  if (value instanceof GoComplex) return value.real !== 0 || value.imaginary !== 0;
  return true;
}

/** An error of a function, which Go would return or panic with. */
export class GoError extends Error {}
