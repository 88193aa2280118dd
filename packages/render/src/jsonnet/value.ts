import { JsonnetError, type Position } from './jsonnet-error.ts';
import type { Assertion, Bind, Node, Visibility } from './syntax.ts';

export type Value = null | boolean | number | string | JsonnetArray | JsonnetObject | JsonnetFunction;

/** A value that is computed when it is first used. */
export class Thunk {
  private compute: (() => Value) | undefined;
  private value: Value | undefined;
  private running = false;

  constructor(compute: () => Value) {
    this.compute = compute;
  }

  static of(value: Value): Thunk {
    const thunk = new Thunk(() => value);
    thunk.value = value;
    thunk.compute = undefined;
    return thunk;
  }

  force(): Value {
    if (!this.compute) return this.value!;
    if (this.running) throw new JsonnetError('infinite recursion: a value depends on itself');
    this.running = true;
    try {
      this.value = this.compute();
    } finally {
      this.running = false;
    }
    this.compute = undefined;
    return this.value;
  }
}

export class JsonnetArray {
  readonly items: readonly Thunk[];

  constructor(items: readonly Thunk[]) {
    this.items = items;
  }

  static of(values: readonly Value[]): JsonnetArray {
    return new JsonnetArray(values.map((value) => Thunk.of(value)));
  }

  get values(): Value[] {
    return this.items.map((item) => item.force());
  }
}

/** The variables of a piece of code, and the object that contains it. */
export class Scope {
  readonly self: JsonnetObject | undefined;
  /** The layer of `self` that contains the code. `super` is everything below it. */
  readonly layer: number;
  readonly dollar: JsonnetObject | undefined;
  readonly variables = new Map<string, Thunk>();
  private readonly outer: Scope | undefined;

  constructor(outer?: Scope, object?: { self: JsonnetObject; layer: number }) {
    this.outer = outer;
    this.self = object?.self ?? outer?.self;
    this.layer = object?.layer ?? outer?.layer ?? 0;
    this.dollar = outer?.dollar ?? object?.self;
  }

  find(name: string): Thunk | undefined {
    for (let scope: Scope | undefined = this; scope; scope = scope.outer) {
      const found = scope.variables.get(name);
      if (found) return found;
    }
    return undefined;
  }
}

export interface ObjectField {
  readonly visibility: Visibility;
  readonly plus: boolean;
  /** Either code, with its scope, or a value. */
  readonly body: Node | Thunk;
  readonly scope: Scope | undefined;
  readonly at: Position | undefined;
}

/** The fields of one `{…}`. An object is a stack of one or more layers. */
export interface Layer {
  readonly fields: ReadonlyMap<string, ObjectField>;
  readonly locals: readonly Bind[];
  readonly asserts: readonly Assertion[];
  readonly scope: Scope | undefined;
  /** A field that is removed from this many layers below, except for their own `super`. */
  readonly without?: { readonly name: string; readonly layers: number };
}

export class JsonnetObject {
  readonly layers: readonly Layer[];
  /** Computed fields, by the layer at which the search started. */
  readonly computed = new Map<string, Thunk>();
  readonly scopes = new Map<Scope | undefined, Map<number, Scope>>();
  asserted = false;
  private shown: Map<string, boolean> | undefined;

  constructor(layers: readonly Layer[]) {
    this.layers = layers;
  }

  static of(fields: Iterable<readonly [string, Thunk]>): JsonnetObject {
    const all = new Map<string, ObjectField>();
    for (const [name, body] of fields)
      all.set(name, { visibility: 'default', plus: false, body, scope: undefined, at: undefined });
    return new JsonnetObject([{ fields: all, locals: [], asserts: [], scope: undefined }]);
  }

  /** All fields, and whether they are visible, ordered by name. */
  get visibility(): ReadonlyMap<string, boolean> {
    if (this.shown) return this.shown;
    const shown = new Map<string, boolean>();
    for (const { fields } of this.layers)
      for (const [name, { visibility }] of fields)
        shown.set(name, visibility === 'default' ? (shown.get(name) ?? true) : visibility === 'visible');
    this.shown = new Map([...shown].filter(([name]) => this.layerOf(name) >= 0).sort(([a], [b]) => compareText(a, b)));
    return this.shown;
  }

  names(hidden: boolean): string[] {
    return [...this.visibility].filter(([, shown]) => shown || hidden).map(([name]) => name);
  }

  /** The highest layer below `below` that has the field; -1 if none has. */
  layerOf(name: string, below = this.layers.length): number {
    for (let i = below - 1; i >= 0; i--) {
      const { fields, without } = this.layers[i]!;
      if (fields.has(name)) return i;
      if (without?.name === name) i -= without.layers;
    }
    return -1;
  }
}

export interface JsonnetFunction {
  readonly kind: 'function';
  readonly parameters: readonly { readonly name: string; readonly optional: boolean }[];
  /** One thunk for each parameter; undefined for a missing argument. */
  call(args: readonly (Thunk | undefined)[]): Value;
  /** The body, if the function is written in Jsonnet. */
  readonly body?: Node;
  enter?(args: readonly (Thunk | undefined)[]): Scope;
}

export const isFunction = (value: Value): value is JsonnetFunction =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'function';

export function typeOf(value: Value): string {
  if (value === null) return 'null';
  if (value instanceof JsonnetArray) return 'array';
  if (value instanceof JsonnetObject) return 'object';
  return typeof value === 'object' ? 'function' : typeof value;
}

const hasSurrogates = /[\ud800-\udfff]/;

/** Compares by code points. JavaScript's order differs for code points above U+FFFF. */
export function compareText(a: string, b: string): number {
  if (!hasSurrogates.test(a) && !hasSurrogates.test(b)) return a < b ? -1 : a > b ? 1 : 0;
  const [left, right] = [Array.from(a), Array.from(b)];
  for (let i = 0; i < left.length && i < right.length; i++) {
    const difference = left[i]!.codePointAt(0)! - right[i]!.codePointAt(0)!;
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** The characters of a text: code points, not UTF-16 units. */
export const characters = (text: string): string | readonly string[] =>
  hasSurrogates.test(text) ? Array.from(text) : text;
