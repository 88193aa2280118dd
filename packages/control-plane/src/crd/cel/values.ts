import type { Type } from './types.ts';

/** A value during evaluation. Integers are bigints, doubles are numbers. */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | Uint
  | Timestamp
  | Duration
  | List
  | MapValue
  | ObjectValue
  | Optional
  | TypeValue
  | Opaque;

/** A runtime error of a rule: a missing key, a division by zero. */
export class CelError extends Error {}

/** The rule exceeded its cost limit. */
export class CostExceeded extends Error {}

export class Uint {
  readonly value: bigint;
  constructor(value: bigint) {
    if (value < 0n || value > 0xffff_ffff_ffff_ffffn) throw new CelError('unsigned integer overflow');
    this.value = value;
  }
}

/** Nanoseconds since the epoch. */
export class Timestamp {
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    if (nanos < -62_135_596_800_000_000_000n || nanos > 253_402_300_799_999_999_999n)
      throw new CelError('timestamp overflow');
    this.nanos = nanos;
  }
}

export class Duration {
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    this.nanos = integer(nanos, 'duration overflow');
  }
}

/** How items of a list are correlated: by index, as a set, or by their keys. */
export interface ListKind {
  readonly type: 'set' | 'map';
  keyOf(item: Value): string;
}

/** Items are created on demand: most rules read few of them. */
export class List {
  readonly size: number;
  readonly kind: ListKind | undefined;
  readonly #item: (index: number) => Value;
  readonly #items: (Value | undefined)[] = [];

  constructor(size: number, item: (index: number) => Value, kind?: ListKind) {
    this.size = size;
    this.kind = kind;
    this.#item = item;
  }

  static of(items: readonly Value[], kind?: ListKind): List {
    return new List(items.length, (index) => items[index] ?? null, kind);
  }

  at(index: number): Value {
    const known = this.#items[index];
    if (known !== undefined) return known;
    const item = this.#item(index);
    this.#items[index] = item;
    return item;
  }

  *[Symbol.iterator](): Iterator<Value> {
    for (let i = 0; i < this.size; i++) yield this.at(i);
  }
}

/** A map by keys of simple types. */
export class MapValue {
  readonly #entries: ReadonlyMap<string, { readonly key: Value; value(): Value }>;

  constructor(entries: ReadonlyMap<string, { readonly key: Value; value(): Value }>) {
    this.#entries = entries;
  }

  static of(entries: Iterable<readonly [Value, Value]>): MapValue {
    const map = new Map<string, { key: Value; value(): Value }>();
    for (const [key, value] of entries) map.set(keyText(key), { key, value: () => value });
    return new MapValue(map);
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: Value): Value | undefined {
    return this.#entries.get(keyText(key))?.value();
  }

  has(key: Value): boolean {
    return this.#entries.has(keyText(key));
  }

  *keys(): Iterable<Value> {
    for (const entry of this.#entries.values()) yield entry.key;
  }

  *entries(): Iterable<readonly [Value, Value]> {
    for (const entry of this.#entries.values()) yield [entry.key, entry.value()];
  }
}

/** Numbers of equal value are one key, regardless of their type. */
export function keyText(key: Value): string {
  if (typeof key === 'string') return `s${key}`;
  if (typeof key === 'bigint') return `n${key}`;
  if (key instanceof Uint) return `n${key.value}`;
  if (typeof key === 'number') return Number.isInteger(key) ? `n${BigInt(key)}` : `d${key}`;
  if (typeof key === 'boolean') return `b${key}`;
  throw new CelError('unsupported key type');
}

/** An object of the schema: its fields by the names that rules use for them. */
export interface ObjectSource {
  get(field: string): Value | undefined;
  fields(): Iterable<string>;
}

export class ObjectValue {
  readonly source: ObjectSource;
  constructor(source: ObjectSource) {
    this.source = source;
  }
}

export class Optional {
  static readonly none = new Optional(undefined);
  readonly #value: Value | undefined;

  constructor(value: Value | undefined) {
    this.#value = value;
  }

  get hasValue(): boolean {
    return this.#value !== undefined;
  }

  get value(): Value {
    if (this.#value === undefined) throw new CelError('optional.none() dereference');
    return this.#value;
  }
}

export class TypeValue {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** A value of a Kubernetes library. */
export class Opaque<T = unknown> {
  readonly type: string;
  readonly content: T;
  /** Equal values of one type have the same key. */
  readonly #key: string;

  constructor(type: string, content: T, key: string) {
    this.type = type;
    this.content = content;
    this.#key = key;
  }

  equals(other: Opaque): boolean {
    return this.type === other.type && this.#key === other.#key;
  }
}

const minInt = -(2n ** 63n);
const maxInt = 2n ** 63n - 1n;

/** An integer within its 64 bits. */
export function integer(value: bigint, problem = 'integer overflow'): bigint {
  if (value < minInt || value > maxInt) throw new CelError(problem);
  return value;
}

/** The kind of a value as types name it. */
export function kindOf(value: Value): Type['kind'] {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return 'double';
  }
  if (value === null) return 'null';
  if (value instanceof List) return 'list';
  if (value instanceof MapValue) return 'map';
  if (value instanceof ObjectValue) return 'object';
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof Uint) return 'uint';
  if (value instanceof Timestamp) return 'timestamp';
  if (value instanceof Duration) return 'duration';
  if (value instanceof Optional) return 'optional';
  return value instanceof TypeValue ? 'type' : 'opaque';
}

/** The result of `type(x)`. */
export function typeOfValue(value: Value): TypeValue {
  const kind = kindOf(value);
  const names: Partial<Record<Type['kind'], string>> = {
    null: 'null_type',
    timestamp: 'google.protobuf.Timestamp',
    duration: 'google.protobuf.Duration',
    optional: 'optional_type',
  };
  return new TypeValue(value instanceof Opaque ? `kubernetes.${value.type}` : (names[kind] ?? kind));
}

/** Whether a runtime value is assignable to the type. */
export function isValueOf(type: Type, value: Value): boolean {
  if (type.kind === 'dyn' || type.kind === 'param') return true;
  const kind = kindOf(value);
  if (kind !== type.kind) return false;
  // The first item determines the type of its list: lists of several types come from schemaless parts only.
  if (type.kind === 'list' && value instanceof List) return value.size === 0 || isValueOf(type.item, value.at(0));
  return type.kind !== 'opaque' || (value instanceof Opaque && value.type === type.name);
}
